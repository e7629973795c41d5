/** Any reply, one field a line; with `--json` the caller prints it as one line of JSON. */
import type { Host } from '../host.js';
import { formatFields } from '../output/table.js';
import type { Present } from './presenter.js';

interface Replied {
  readonly reply: object;
}

export function presentReply({ reply }: Replied, host: Host): void {
  host.out(formatFields({ ...reply }));
}

/** The reply as it stood on the wire, without the number of its request. */
export function replyLine({ reply }: Replied): string {
  return `${JSON.stringify({ ok: true, ...reply })}\n`;
}

export const presentSchema: Present<'schema'> = ({ reply }, host) => {
  host.out(`${JSON.stringify(reply.schema, null, host.stdoutIsTerminal ? 2 : undefined)}\n`);
};
