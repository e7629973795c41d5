/**
 * Forms of well-known secrets, in RE2, by their makers' documentation, and GitHub's list of supported secret scanning patterns. Each has a text
 * that every match contains, so that output without any costs a search for texts alone.
 */
export const KNOWN_SECRETS: readonly string[] = [
  // AWS access key.
  String.raw`(?:AKIA|ASIA)[A-Z0-9]{16}\b`,
  // AWS secret key.
  String.raw`(?:aws_secret_access_key|AWS_SECRET_ACCESS_KEY|SecretAccessKey|secretAccessKey)["']?\s*[=:]\s*["']?[A-Za-z0-9/+=]{40}`,
  // AWS session token.
  String.raw`(?:aws_session_token|AWS_SESSION_TOKEN|SessionToken|sessionToken)["']?\s*[=:]\s*["']?[A-Za-z0-9/+=]{40,}`,
  // GitHub token.
  ...['p', 'o', 'u', 's', 'r'].map((kind) => `gh${kind}_[A-Za-z0-9]{36,}`),
  // GitHub fine-grained token.
  String.raw`github_pat_[A-Za-z0-9_]{22,}`,
  // GitLab token.
  ...['pat', 'rt', 'dt', 'ptt', 'cbt', 'oas', 'soat', 'ft', 'imt', 'agent'].map(
    (kind) => String.raw`gl${kind}-[A-Za-z0-9_-]{20,}(?:\.[A-Za-z0-9_-]+)*`,
  ),
  // Slack token.
  String.raw`xox[abeoprs]-[A-Za-z0-9-]{10,}`,
  // Slack app token.
  String.raw`xapp-[A-Za-z0-9-]{10,}`,
  // Slack webhook.
  String.raw`hooks\.slack\.com/services/[A-Za-z0-9/]{20,}`,
  // OpenAI and Anthropic key.
  String.raw`(?:\b|_)sk-[A-Za-z0-9_-]{20,}`,
  // Stripe key.
  String.raw`(?:\b|_)(?:sk_live_|sk_test_|rk_live_|rk_test_)[A-Za-z0-9]{16,}`,
  // Stripe webhook secret.
  String.raw`whsec_[A-Za-z0-9+/=]{20,}`,
  // Google API key.
  String.raw`AIza[A-Za-z0-9_-]{35}`,
  // Google access token.
  String.raw`ya29\.[A-Za-z0-9_-]{20,}`,
  // Google client secret.
  String.raw`GOCSPX-[A-Za-z0-9_-]{20,}`,
  // npm token.
  String.raw`(?:\b|_)npm_[A-Za-z0-9]{36}`,
  // PyPI token.
  String.raw`(?:\b|_)pypi-[A-Za-z0-9_-]{32,}`,
  // Hugging Face token.
  String.raw`(?:\b|_)hf_[A-Za-z0-9]{30,}`,
  // JWT.
  String.raw`eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`,
  // header with credentials.
  String.raw`(?:Authorization|authorization|AUTHORIZATION)["']?\s*[:=]\s*["']?(?:(?:[Bb]earer|[Bb]asic|[Tt]oken|[Nn]egotiate)\s+[A-Za-z0-9._~+/=-]{8,}|(?:[Dd]igest|AWS4-HMAC-SHA256)\s.+|[A-Za-z0-9._~+/=-]{16,})`,
  // password in a URL.
  String.raw`://[^\s/:@]*:[^\s/]+@`,
  // private key in one line.
  String.raw`-----BEGIN [A-Z ]*PRIVATE KEY-----.+`,
];

/** The lines between these are a key. */
export const PRIVATE_KEY_BEGIN = /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----/;
export const PRIVATE_KEY_END = /-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----/;
/** A key of RSA with 16,384 bits has 200. */
export const MAX_PRIVATE_KEY_LINES = 400;
