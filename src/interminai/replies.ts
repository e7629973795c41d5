/** Replies of interminai's protocol: one line of JSON, with its keys in the order of that protocol. */

/** The rest of a sentence for the client; everything else that is thrown is a fault of ours, or of the daemon. */
export class InterminaiError extends Error {}

export function okLine(data?: object): string {
  return line(data === undefined ? { status: 'ok' } : { status: 'ok', data });
}

export function errorLine(error: string): string {
  return line({ status: 'error', error });
}

function line(reply: object): string {
  return `${JSON.stringify(reply)}\n`;
}
