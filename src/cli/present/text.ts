import type { Reply } from '../../protocol/registry.js';
import { printable } from '../output/printable.js';
import type { Answer, Present } from '../presenters.js';
import type { Surroundings } from '../host.js';

export const presentText: Present = (answer, surroundings) => {
  const reply = answer.reply as unknown as Reply<'text'>;
  if (reply.html !== undefined) surroundings.out(reply.html);
  else
    printLines(
      reply,
      textLines(reply, answer.params['since'] !== undefined).slice(0, shownLines(answer)),
      surroundings,
    );
  for (const { number, col, text } of reply.highlights ?? []) {
    surroundings.note(`highlight ${number}:${col} ${printable(text)}\n`);
  }
  for (const { number, col, text, url } of reply.links ?? []) {
    surroundings.note(`link ${number}:${col} ${printable(text)} ${printable(url)}\n`);
  }
};

/** How many: without the blank rows below the text, unless rows were named, or nothing was to be trimmed. */
function shownLines({ params, reply }: Answer): number | undefined {
  const { lines } = reply as unknown as Reply<'text'>;
  const isPlain = (params['format'] ?? 'plain') === 'plain' && params['trim'] === true;
  const isWhole = params['start'] === undefined && params['end'] === undefined && params['since'] === undefined;
  return isPlain && isWhole ? lines.findLastIndex((line) => line !== '') + 1 : undefined;
}

/** Lines that are only some of all have their numbers before them, as grep has it. */
function textLines({ lines, cells, numbers }: Reply<'text'>, numbered: boolean): string[] {
  const texts = cells === undefined ? lines : cells.map((runs) => JSON.stringify(runs));
  return texts.map((line, i) => (numbered ? `${numbers?.[i] ?? ''}:${line}\n` : `${line}\n`));
}

/** What was left out is told on standard error, in its place. */
function printLines({ omitted }: Reply<'text'>, lines: readonly string[], surroundings: Surroundings): void {
  const head = omitted?.after ?? lines.length;
  surroundings.out(lines.slice(0, head).join(''));
  if (omitted !== undefined) {
    surroundings.note(`… ${omitted.lines} lines (${omitted.bytes} bytes) left out (--max-bytes) …\n`);
  }
  surroundings.out(lines.slice(head).join(''));
}
