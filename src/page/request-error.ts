/** What the daemon, or the server of the page, answers to a request that fails. */
export class RequestError extends Error {
  readonly code: string;
  /** Path of the field that is wrong, if one is. */
  readonly field: string | undefined;
  constructor(code: string, message: string, field?: string) {
    super(message);
    this.code = code;
    this.field = field;
  }
}
