/** What the daemon, or the server of the page, answers to a request that fails. */
export class RequestError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
