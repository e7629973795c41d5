/** Forms of well-known secrets. Each has a text that every match contains, so that output without any costs a search for texts alone. */
export interface KnownSecret {
  readonly name: string;
  /** RE2. */
  readonly pattern: string;
}

/** By their makers' documentation, and GitHub's list of supported secret scanning patterns. */
export const KNOWN_SECRETS: readonly KnownSecret[] = [
  { name: 'AWS access key', pattern: String.raw`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b` },
  {
    name: 'AWS secret key',
    pattern: String.raw`(?:aws_secret_access_key|AWS_SECRET_ACCESS_KEY)["']?\s*[=:]\s*["']?[A-Za-z0-9/+=]{40}`,
  },
  { name: 'GitHub token', pattern: String.raw`\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{36,}` },
  { name: 'GitHub fine-grained token', pattern: String.raw`\bgithub_pat_[A-Za-z0-9_]{22,}` },
  { name: 'GitLab token', pattern: String.raw`\bglpat-[A-Za-z0-9_-]{20,}` },
  { name: 'Slack token', pattern: String.raw`\bxox[abeoprs]-[A-Za-z0-9-]{10,}` },
  { name: 'Slack webhook', pattern: String.raw`hooks\.slack\.com/services/[A-Za-z0-9/]{20,}` },
  { name: 'OpenAI and Anthropic key', pattern: String.raw`\bsk-[A-Za-z0-9_-]{20,}` },
  { name: 'Stripe key', pattern: String.raw`\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}` },
  { name: 'Google API key', pattern: String.raw`\bAIza[A-Za-z0-9_-]{35}` },
  { name: 'npm token', pattern: String.raw`\bnpm_[A-Za-z0-9]{36}` },
  { name: 'PyPI token', pattern: String.raw`\bpypi-[A-Za-z0-9_-]{32,}` },
  { name: 'Hugging Face token', pattern: String.raw`\bhf_[A-Za-z0-9]{30,}` },
  { name: 'JWT', pattern: String.raw`\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}` },
  { name: 'bearer token', pattern: String.raw`Authorization: (?:Bearer|Basic|token) [A-Za-z0-9._~+/=-]{8,}` },
  { name: 'password in a URL', pattern: String.raw`://[^\s/:@]*:[^\s/@]+@` },
  { name: 'private key in one line', pattern: String.raw`-----BEGIN [A-Z ]*PRIVATE KEY-----.+` },
];

/** The lines between these are a key. */
export const PRIVATE_KEY_BEGIN = /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----/;
export const PRIVATE_KEY_END = /-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----/;
/** A key of RSA with 16,384 bits has 200. */
export const MAX_PRIVATE_KEY_LINES = 400;
