/** Forms of well-known secrets. Each has a text that every match contains, so that output without any costs a search for texts alone. */
export interface KnownSecret {
  readonly name: string;
  /** RE2. */
  readonly pattern: string;
}

/** By their makers' documentation, and GitHub's list of supported secret scanning patterns. */
export const KNOWN_SECRETS: readonly KnownSecret[] = [
  { name: 'AWS access key', pattern: String.raw`(?:AKIA|ASIA)[A-Z0-9]{16}\b` },
  {
    name: 'AWS secret key',
    pattern: String.raw`(?:aws_secret_access_key|AWS_SECRET_ACCESS_KEY|SecretAccessKey|secretAccessKey)["']?\s*[=:]\s*["']?[A-Za-z0-9/+=]{40}`,
  },
  {
    name: 'AWS session token',
    pattern: String.raw`(?:aws_session_token|AWS_SESSION_TOKEN|SessionToken|sessionToken)["']?\s*[=:]\s*["']?[A-Za-z0-9/+=]{40,}`,
  },
  { name: 'GitHub token', pattern: String.raw`(?:ghp_|gho_|ghu_|ghs_|ghr_)[A-Za-z0-9]{36,}` },
  { name: 'GitHub fine-grained token', pattern: String.raw`github_pat_[A-Za-z0-9_]{22,}` },
  {
    name: 'GitLab token',
    pattern: String.raw`(?:glpat-|glrt-|gldt-|glptt-|glcbt-|gloas-|glsoat-|glft-|glimt-|glagent-)[A-Za-z0-9_-]{20,}(?:\.[A-Za-z0-9_-]+)*`,
  },
  { name: 'Slack token', pattern: String.raw`xox[abeoprs]-[A-Za-z0-9-]{10,}` },
  { name: 'Slack app token', pattern: String.raw`xapp-[A-Za-z0-9-]{10,}` },
  { name: 'Slack webhook', pattern: String.raw`hooks\.slack\.com/services/[A-Za-z0-9/]{20,}` },
  { name: 'OpenAI and Anthropic key', pattern: String.raw`(?:\b|_)sk-[A-Za-z0-9_-]{20,}` },
  { name: 'Stripe key', pattern: String.raw`(?:\b|_)(?:sk_live_|sk_test_|rk_live_|rk_test_)[A-Za-z0-9]{16,}` },
  { name: 'Stripe webhook secret', pattern: String.raw`whsec_[A-Za-z0-9+/=]{20,}` },
  { name: 'Google API key', pattern: String.raw`AIza[A-Za-z0-9_-]{35}` },
  { name: 'Google access token', pattern: String.raw`ya29\.[A-Za-z0-9_-]{20,}` },
  { name: 'Google client secret', pattern: String.raw`GOCSPX-[A-Za-z0-9_-]{20,}` },
  { name: 'npm token', pattern: String.raw`(?:\b|_)npm_[A-Za-z0-9]{36}` },
  { name: 'PyPI token', pattern: String.raw`(?:\b|_)pypi-[A-Za-z0-9_-]{32,}` },
  { name: 'Hugging Face token', pattern: String.raw`(?:\b|_)hf_[A-Za-z0-9]{30,}` },
  { name: 'JWT', pattern: String.raw`eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}` },
  {
    name: 'header with credentials',
    pattern: String.raw`(?:Authorization|authorization|AUTHORIZATION)["']?\s*[:=]\s*["']?(?:(?:[Bb]earer|[Bb]asic|[Tt]oken|[Nn]egotiate)\s+[A-Za-z0-9._~+/=-]{8,}|(?:[Dd]igest|AWS4-HMAC-SHA256)\s.+|[A-Za-z0-9._~+/=-]{16,})`,
  },
  { name: 'password in a URL', pattern: String.raw`://[^\s/:@]*:[^\s/]+@` },
  { name: 'private key in one line', pattern: String.raw`-----BEGIN [A-Z ]*PRIVATE KEY-----.+` },
];

/** The lines between these are a key. */
export const PRIVATE_KEY_BEGIN = /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----/;
export const PRIVATE_KEY_END = /-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----/;
/** A key of RSA with 16,384 bits has 200. */
export const MAX_PRIVATE_KEY_LINES = 400;
