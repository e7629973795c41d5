/** A question to a person, as lines: where it comes from by the daemon's word, then the asker's own words. Pure. */
import type { Reply } from '../protocol/registry.js';

export type OpenAsk = Reply<'asks'>['asks'][number];

/** First code unit of characters that may be two cells wide. */
const FIRST_WIDE = 0x1100;

export function askCard(ask: OpenAsk, rows: number, cols: number): readonly string[] {
  const { as, kind, question, choices = [], id, foreground } = ask;
  const place = [id, foreground].filter((part) => part !== null).join(' │ ');
  const head = [` ${place}`, ` question ${ask.ask} (${kind}) of ${as}:`];
  const answers = choices.map((choice, i) => `   ${i + 1}  ${oneLine(choice)}`);
  const room = Math.max(1, rows - head.length - answers.length);
  const words = question.split('\n').flatMap((line) => wrapped(line, Math.max(2, cols - 4)));
  const shown = words.length > room ? [...words.slice(0, room - 1), '…'] : words;
  return [...head, ...shown.map((line) => `   ${line}`), ...answers];
}

/** @param text may have line breaks */
export function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ');
}

function wrapped(text: string, cols: number): string[] {
  const lines: string[] = [];
  let line = '';
  let width = 0;
  for (const character of text) {
    const cells = (character.codePointAt(0) ?? 0) < FIRST_WIDE ? 1 : 2;
    if (width + cells > cols) {
      lines.push(line);
      line = '';
      width = 0;
    }
    line += character;
    width += cells;
  }
  return [...lines, line];
}
