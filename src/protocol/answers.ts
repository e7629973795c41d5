/** Answers to a program that waits for input, read off who reads, how, and the last line that it shows. */

interface Waiting {
  readonly process: string;
  readonly kind: string;
}

/** One call: `press` with a key, or `type` with a text and Enter; `orEnter`: Enter alone is an answer, too. */
export type Answer =
  | { readonly act: 'press'; readonly key: string }
  | { readonly act: 'type'; readonly text: string; readonly secret?: true; readonly orEnter?: true };

/** Programs that show a text page by page; git, man and psql run one of them, which Debian names `pager`. */
const PAGERS: ReadonlySet<string> = new Set(['less', 'more', 'most', 'pager', 'pg']);

export function isPager({ process }: Waiting): boolean {
  return PAGERS.has(process);
}

/** Whether a command line names a pager itself: PAGER is nothing to it then. */
export function namesPager(words: readonly string[]): boolean {
  return words.some((word) => word.split(/[^\w-]+/).some((part) => PAGERS.has(part)));
}

/** The forms that say which answers they take: `[y/N]`, `(yes/no)`. */
const YES_OR_NO = /[[(]\s*(y(?:es)?)\s*[/|]\s*(no?)\b[^\])]*[\])]/i;

/** The question takes an empty answer, as `(empty for no passphrase)` of ssh-keygen. */
const EMPTY = /\b(?:empty|blank|press (?:enter|return))\b/i;

/** @param shown last lines of the program, the question among them */
export function answerTo(reader: Waiting, shown: readonly string[]): Answer {
  if (isPager(reader)) return { act: 'press', key: 'q' };
  const question = shown.findLast((line) => line.trim() !== '') ?? '';
  if (reader.kind === 'password')
    return { act: 'type', text: 'ANSWER', secret: true, ...(EMPTY.test(question) ? { orEnter: true } : {}) };
  const [, yes, no] = YES_OR_NO.exec(question) ?? [];
  // Words in capital letters stand for what only the caller can say: consent is never said for it.
  if (reader.kind === 'raw') return { act: 'press', key: yes === undefined ? 'KEY' : 'KEY (y or n)' };
  const form = yes === undefined || no === undefined ? '' : ` (${yes.toLowerCase()} or ${no.toLowerCase()})`;
  return { act: 'type', text: `ANSWER${form}`, ...(EMPTY.test(question) ? { orEnter: true } : {}) };
}
