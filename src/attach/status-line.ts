/** The bottom row of an attached terminal. Pure. */
import { safeText } from '../mirror/safe-text.js';

export interface StatusLine {
  readonly left: string;
  /** Shown if there is room. */
  readonly right: string;
  readonly look: keyof typeof LOOKS;
}

const LOOKS = { plain: '7', message: '0;30;43', ended: '0;30;42', failed: '0;97;41' } as const;

/** Autowrap is off: what the left side has too many cells of is cut by the terminal, or covered by the right side. */
export function statusLine({ left, right, look }: StatusLine, cols: number): string {
  const shownRight = right.length + 2 <= cols ? safeText(right) : '';
  const space = cols - (shownRight === '' ? 0 : shownRight.length + 1);
  const shownLeft = Array.from(safeText(left)).slice(0, space).join('');
  const place = shownRight === '' ? '' : `\x1b[${cols - shownRight.length + 1}G${shownRight}`;
  return `\x1b[${LOOKS[look]}m${' '.repeat(cols)}\r${shownLeft}${place}\x1b[0m`;
}

export interface Facts {
  readonly id: string;
  readonly title: string;
  readonly size: string;
  readonly isReadOnly: boolean;
  /** Hours and minutes. */
  readonly time: string;
}

export function factsLine({ id, title, size, isReadOnly, time }: Facts): StatusLine {
  const right = [size, ...(isReadOnly ? ['read only'] : []), time, '^B ?'].join(' │ ');
  return { left: ` ${id}  ${title}`, right: `${right} `, look: 'plain' };
}

export interface ProgramEnd {
  readonly exit_code: number | null;
  readonly signal: string | null;
}

export function endedLine(id: string, { exit_code: code, signal }: ProgramEnd): StatusLine {
  return {
    left: ` ${id} has ended: ${signal ?? `exit code ${code}`}`,
    right: 'q: close │ ^B ? ',
    look: code === 0 ? 'ended' : 'failed',
  };
}
