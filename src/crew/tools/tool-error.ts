/** A refusal that a model reads: a code, a sentence, and what to do. */
import { isT4aError } from '../../protocol/errors.js';

export class ToolError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  /** Beside the message, such as the last lines of a screen. */
  readonly more: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, hint?: string, more: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.more = more;
  }
}

/** Codes of the daemon in the words of these tools. */
const CODES: Readonly<Record<string, string>> = {
  terminal_not_found: 'not_found',
  over_limit: 'limit_reached',
  too_many_terminals: 'limit_reached',
  too_many_asks: 'limit_reached',
};

/** @throws what is no refusal */
export function toolError(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  if (!isT4aError(error)) throw error;
  const { first } = error.details;
  // Hints of the daemon name command lines.
  return new ToolError(CODES[error.code] ?? error.code, error.message, undefined, first === undefined ? {} : { first });
}
