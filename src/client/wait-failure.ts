/** A wait whose condition did not come true, for callers to which that is a failure, with the content of the screen. */
import { waitingWords } from '../protocol/end-words.js';
import type { Reply } from '../protocol/registry.js';

export class WaitFailure extends Error {
  override readonly name = 'WaitFailure';
  /** The daemon's reply: `outcome` is `timeout`, `failed`, `exited`, `awaiting_input` or `nothing_ran`. */
  readonly reply: Reply<'wait'>;

  /** @param what the rest of a sentence after "Waited for" */
  constructor(id: string, what: string, reply: Reply<'wait'>) {
    const screen = reply.tail.map((line) => `  | ${line}`).join('\n');
    super(`Waited for ${what} in ${id}: ${WHY[reply.outcome](reply)}.\n${screen || '  (the screen is blank)'}`);
    this.reply = reply;
  }
}

const WHY: Readonly<Record<Reply<'wait'>['outcome'], (reply: Reply<'wait'>) => string>> = {
  matched: () => 'it came',
  timeout: ({ elapsed_ms: elapsedMs }) => `it had not come after ${elapsedMs} ms`,
  failed: ({ match }) => `a condition of "fail" came first${match === undefined ? '' : ` (${match.text})`}`,
  exited: () => 'the program exited first',
  awaiting_input: ({ awaiting_input: reader }) =>
    reader === undefined ? 'the program waits for input' : waitingWords(reader),
  nothing_ran: ({ warning }) => warning ?? 'nothing ran',
};
