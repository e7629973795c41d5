/** What commands that act print: their result, then the lines that the turn looked at. */
import { endWords, waitingWords } from '../../protocol/end-words.js';
import type { Reply } from '../../protocol/registry.js';
import { asked } from '../here.js';
import type { Host } from '../host.js';
import { printable } from '../output/printable.js';
import { formatFields } from '../output/table.js';
import { noteWarning } from './note-warning.js';
import { printChanged } from './text.js';
import type { Present } from './presenter.js';

interface Turn {
  readonly reply: Pick<Reply<'type'>, 'observed' | 'wait' | 'warning'>;
}

export function presentTurn({ reply: { observed, wait, warning } }: Turn, host: Host): void {
  noteWarning(warning, host);
  noteWarning(observed?.warning, host);
  const { lines = [], changed } = observed ?? {};
  if (changed === undefined) host.out(lines.map((line) => `${line}\n`).join(''));
  else printChanged({ lines, changed }, host);
  noteWait({ wait, showsLines: observed?.lines !== undefined }, host);
}

export interface EndedWait {
  readonly wait: Reply<'send'>['wait'];
  /** The reply has lines of the screen already. */
  readonly showsLines: boolean;
}

/** How a wait ended that was not met, with the last lines as evidence. */
export function noteWait({ wait, showsLines }: EndedWait, host: Host): void {
  if (wait === undefined) return;
  noteWarning(wait.warning, host);
  const end = endWords(wait);
  if (wait.outcome === 'matched') {
    // The exit status of what ended well says it all.
    if (end !== undefined && wait.exit_code !== 0) host.note(`t4a: The wait ended with ${printable(end)}.\n`);
    noteLikely(wait, host);
    return;
  }
  if (wait.outcome === 'awaiting_input' && wait.awaiting_input !== undefined) {
    host.note(`t4a: ${printable(waitingWords(wait.awaiting_input))} after ${wait.elapsed_ms} ms.\n`);
  } else
    host.note(
      `t4a: The wait ended as ${printable(wait.outcome)} after ${wait.elapsed_ms} ms${wait.outcome === 'nothing_ran' ? '' : howWords(end)}.\n`,
    );
  if (!showsLines) host.note(wait.tail.map((line) => `  ${printable(line)}\n`).join(''));
}

/** A reader that is certain is what was waited for. */
function noteLikely({ awaiting_input: reader }: Pick<Reply<'wait'>, 'awaiting_input'>, host: Host): void {
  if (reader?.certain === false) host.note(`t4a: ${printable(waitingWords(reader))}.\n`);
}

function howWords(end: string | undefined): string {
  return end === undefined ? '' : ` (${printable(end)})`;
}

export const presentCreate: Present<'create'> = (answer, host) => {
  const { id } = answer.reply;
  host.out(`${id}\n`);
  presentTurn(answer, host);
  if (host.stdoutIsTerminal) {
    const next = `Next: t4a type ${id} ls --submit; t4a text ${id}; t4a screenshot ${id}; t4a view ${id}`;
    host.note(`${asked(next, answer.invocation.options)}\n`);
  }
};

export const presentPaste: Present<'paste'> = (answer, host) => {
  const { removed } = answer.reply;
  if (removed > 0) host.note(`t4a: ${removed} control characters were removed.\n`);
  presentTurn(answer, host);
};

/** The fields, then the last lines of the screen. */
export const presentWait: Present<'wait'> = ({ reply: { tail, ...fields } }, host) => {
  noteLikely(fields, host);
  host.out(formatFields(fields));
  host.out(tail.map((line) => `  | ${printable(line)}\n`).join(''));
};
