/** Terminals of a draw: what they are started with, what is typed into them after the switch, and what they then show, known beforehand. */
import type { Random } from '../support/random.js';

export interface DrawnTerminal {
  readonly kind: string;
  readonly script: string;
  /** On the screen before the switch. Absent: the switch may come at any instant. */
  readonly before?: string;
  /** Typed after it; each terminal then prints the rest, and ends. */
  readonly typed: string;
  /** Its lines that are not blank, at the end. */
  readonly lines: readonly string[];
  readonly code: number;
  readonly title?: string;
}

const numbers = (from: number, to: number, with_ = ''): string[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => `${from + at}${with_}`);

/** Scrollback of each terminal. */
export const SCROLLBACK = 4000;
/** Lines of a flood that are compared: they are all in the scrollback. */
const LAST = 3000;

type Draw = (random: Random, code: number) => Omit<DrawnTerminal, 'kind' | 'code'>;

/** A program cut within what it prints: the first part comes before the switch, the second one after it. */
function cut(first: string, second: string, lines: readonly string[], more: Partial<DrawnTerminal> = {}): Draw {
  return (_random, code) => ({
    script: `stty -echo; printf 'begun ${first}'; read x; printf '${second}'; echo; echo "<$x>"; exit ${code}`,
    before: 'begun',
    typed: 'on',
    lines: [...lines, '<on>'],
    ...more,
  });
}

const KINDS: Readonly<Record<string, Draw>> = {
  flood: (random, code) => {
    const last = 20_000 + random.below(60_000);
    return {
      script: `stty -echo; seq 1 ${last} | sed "s/$/ \\x1b[31mred\\x1b[0m 漢字/"; read x; echo "<$x>"; exit ${code}`,
      typed: 'on',
      lines: [...numbers(last - LAST + 2, last, ' red 漢字'), '<on>'],
    };
  },
  'an end at any instant': (random, code) => ({
    script: `echo one; sleep 0.${random.below(10)}; sleep 0.${random.below(10)}; echo two; exit ${code}`,
    typed: '',
    lines: ['one', 'two'],
  }),
  'half a sequence': cut(String.raw`\033[38;5`, String.raw`;9mred`, ['begun red']),
  'half a character': cut(String.raw`\346\274`, String.raw`\242.`, ['begun 漢.']),
  'an endless title': cut(String.raw`\033]2;long `, String.raw`title\007end`, ['begun end'], { title: 'long title' }),
  'a control string without an end': cut(String.raw`\033Pabc`, String.raw`def\033\\end`, ['begun end']),
  'synchronized update': cut(String.raw`\033[?2026hone`, String.raw` two\033[?2026l`, ['begun one two']),
  'alternate screen': cut(String.raw`\033[?1049h\033[Hother`, String.raw`\033[?1049lend`, ['begun end'], {
    before: 'other',
  }),
  'a secret': (_random, code) => ({
    script: `printf 'begun\nPassword: '; stty -echo; read x; stty echo; echo "\${#x}"; exit ${code}`,
    before: 'Password:',
    typed: 'secret',
    lines: ['begun', 'Password: 6'],
  }),
};

export function drawTerminals(random: Random): readonly DrawnTerminal[] {
  return Array.from({ length: random.below(5) }, () => {
    const kind = random.pick(Object.keys(KINDS));
    const code = random.below(100);
    return { kind, code, ...(KINDS[kind] as Draw)(random, code) };
  });
}
