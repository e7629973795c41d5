/** Any reply: a field a line for people, one JSON line for programs. */
import type { Answer, Present } from '../presenters.js';
import { formatFields } from '../output/table.js';

export const presentFields: Present = (answer, surroundings) => {
  surroundings.out(surroundings.stdoutIsTerminal ? formatFields(answer.reply) : replyLine(answer));
};

/** The reply as it stood on the wire, without the number of its request. */
export function replyLine({ reply }: Answer): string {
  return `${JSON.stringify({ ok: true, ...reply })}\n`;
}
