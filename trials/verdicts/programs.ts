/** Programs that are judged: what each prints, with which status it ends, what it asks. The draw knows all of it. */
import type { Random } from '../support/random.js';

/** Who says which lines are right: the same program in a pipe, tmux, or the last line alone. */
export type Truth = 'pipe' | 'tmux' | 'last';

export interface Question {
  readonly kind: 'line' | 'raw' | 'password';
  readonly answer: string;
}

export interface Program {
  readonly kind: string;
  /** Pieces of output, some time apart. */
  readonly pieces: readonly string[];
  readonly truth: Truth;
  /** Where the draw knows them: neither a pipe nor tmux is asked. */
  readonly lines?: readonly string[];
  /** 128 and the number for a signal that ends it. */
  readonly status: number;
  readonly question?: Question;
  /** Lines of `sh` before the end. */
  readonly extra?: string;
  /** First the raw output of the terminal so far. */
  readonly printsOwnOutput?: true;
}

type Make = (random: Random) => Omit<Program, 'status' | 'kind' | 'printsOwnOutput'>;

const ESC = '\u001b';
const WIDE = '漢字仮名交じり文';
const WORDS = [
  'error',
  'warning:',
  'ok',
  'src/main.ts',
  '100%',
  'x',
  'naïve',
  'Zoë',
  '漢字',
  '🙂',
  '$',
  '#',
  '%',
  '>',
  '--',
];

export const KINDS: Readonly<Record<string, Make>> = {
  nothing: () => ({ pieces: [], truth: 'pipe' }),
  'one line': (random) => ({ pieces: [`${words(random)}\n`], truth: 'pipe' }),
  'no end of the last line': (random) => ({ pieces: [`${words(random)}\n${words(random)}`], truth: 'pipe' }),
  'many lines': (random) => ({ pieces: [lines(random, random.below(120))], truth: 'pipe' }),
  'blank lines': (random) => ({ pieces: [`\n\n${words(random)}\n\n\n${words(random)}\n`], truth: 'pipe' }),
  'a long line': (random) => ({ pieces: [`${'abcdefghij'.repeat(1 + random.below(60))}END\n`], truth: 'pipe' }),
  'wide text at the edge': (random) => ({
    pieces: [`${'x'.repeat(random.below(4))}${WIDE.repeat(1 + random.below(20))}${'y'.repeat(random.below(3))}\n`],
    truth: 'pipe',
  }),
  'a line that just fits': (random) => ({
    pieces: [`${'z'.repeat(random.pick([79, 80, 81, 160]))}\nnext\n`],
    truth: 'pipe',
  }),
  colours: (random) => ({
    pieces: [`${ESC}[1;31m${words(random)}${ESC}[0m ${ESC}[48;2;1;2;3m${words(random)}${ESC}[m\n`],
    truth: 'pipe',
  }),
  'titles, links, bells': () => ({
    pieces: [`${ESC}]0;title${ESC}\\${ESC}]8;;http://example.org/${ESC}\\link${ESC}]8;;${ESC}\\\u0007 text\n`],
    truth: 'pipe',
  }),
  'a progress bar': (random) => ({
    pieces: Array.from({ length: 3 }, (_, step) => `\rat ${String(step * random.below(50)).padStart(3)} %`).concat(
      '\ndone\n',
    ),
    truth: 'tmux',
  }),
  'a shorter line over a longer': () => ({ pieces: [`working on it\rdone\nnext\n`, `abc\b\bX\n`], truth: 'tmux' }),
  'an erased line': () => ({ pieces: [`working\r${ESC}[Kdone\n`], truth: 'tmux' }),
  'rows drawn again': (random) => ({
    pieces: ['one 0\ntwo 0\nthree 0\n', `${ESC}[3A\rone ${random.below(100)}\n\n`, `${ESC}[K\rthree 9\nend\n`],
    truth: 'tmux',
  }),
  'a clear': (random) => ({
    pieces: [`before\n${ESC}[H${ESC}[2J${lines(random, 1 + random.below(5))}`],
    truth: 'tmux',
  }),
  'a clear of all': (random) => ({
    pieces: [`${ESC}[H${ESC}[2J${ESC}[3J${lines(random, 1 + random.below(30))}`],
    truth: 'tmux',
  }),
  'many lines, then a clear': () => ({ pieces: [lines1(40), `${ESC}[H${ESC}[2J${ESC}[3Jlast\n`], truth: 'tmux' }),
  'a reset': () => ({ pieces: [`${ESC}cafter\n`], truth: 'tmux' }),
  'a full screen and back': () => ({
    pieces: ['before\n', `${ESC}[?1049h${ESC}[2J${ESC}[Hmenu`, `${ESC}[?1049lafter\n`],
    truth: 'tmux',
  }),
  'marks of other shells': (random) => ({
    pieces: [
      `${ESC}]133;D;${random.below(256)}\u0007${ESC}]133;A\u0007$ ${ESC}]133;B\u0007ls\n${ESC}]133;C\u0007x\n`,
      `${ESC}]633;D;7\u0007${ESC}]633;A\u0007${ESC}]633;B\u0007${ESC}]633;E;forged\u0007${ESC}]633;C\u0007`,
      `${random.chance(0.5) ? `${ESC}]7777;done;9\u0007` : ''}end of it\n`,
    ],
    truth: 'pipe',
  }),
  'a status bar': () => ({
    pieces: [
      `\n${ESC}7${ESC}[1;23r${ESC}8${ESC}[1A`,
      `a\n${ESC}7${ESC}[24;1Hbar${ESC}8`,
      `b\n${ESC}7${ESC}[1;24r${ESC}[24;1H${ESC}[K${ESC}8`,
    ],
    truth: 'tmux',
  }),
  'a job in the background': () => ({ pieces: ['started\n'], truth: 'pipe', extra: 'sleep 5 >/dev/null 2>&1 &' }),
  'modes set and reset': () => ({
    pieces: [`${ESC}[?25l${ESC}[?2004h${ESC}[?1h${ESC}[>1uwork\n`, `${ESC}[<u${ESC}[?1l${ESC}[?2004l${ESC}[?25h`],
    truth: 'pipe',
  }),
};

/** Programs that ask, and end once they are answered. */
export const QUESTIONS: Readonly<
  Record<string, { readonly question: Question; readonly extra: string; readonly needs: string }>
> = {
  'read of a line': { question: { kind: 'line', answer: 'yes\r' }, extra: `printf 'Name? '; read name`, needs: 'sh' },
  'read of a key': {
    question: { kind: 'raw', answer: 'y' },
    extra: `printf 'Sure? '; bash -c 'read -n1 key'; echo`,
    needs: 'bash',
  },
  'read of a password': {
    question: { kind: 'password', answer: 'secret\r' },
    extra: `bash -c 'read -s -p "Password: " word'; echo`,
    needs: 'bash',
  },
  'input of python': {
    question: { kind: 'line', answer: 'yes\r' },
    extra: `python3 -c 'input("Name? ")'`,
    needs: 'python3',
  },
  'readline of node': {
    question: { kind: 'raw', answer: 'yes\r' },
    extra: `node -e 'const r=require("readline").createInterface(process.stdin,process.stdout);r.question("Name? ",()=>r.close())'`,
    needs: 'node',
  },
  'read behind script': {
    question: { kind: 'line', answer: 'yes\r' },
    extra: `script -qc "sh -c 'printf Name?; read n'" /dev/null`,
    needs: 'script',
  },
  'read behind sudo': {
    question: { kind: 'line', answer: 'yes\r' },
    extra: `sudo -n sh -c 'printf Name?; read n'`,
    needs: 'sudo',
  },
  'read behind su': {
    question: { kind: 'line', answer: 'yes\r' },
    extra: `su -s /bin/sh -c 'printf Name?; read n' root`,
    needs: 'su',
  },
  'select of bash': {
    question: { kind: 'line', answer: '1\r' },
    extra: `bash -c 'select x in a b; do break; done'`,
    needs: 'bash',
  },
};

/** Signals that end a program, by their number. */
const SIGNALS: Readonly<Record<string, number>> = { HUP: 1, INT: 2, QUIT: 3, KILL: 9, TERM: 15, USR1: 10 };

export function drawProgram(random: Random, isThere: (program: string) => boolean): Program {
  const kind = random.pick(Object.keys(KINDS));
  const made = (KINDS[kind] as Make)(random);
  if (random.chance(0.12)) {
    const usable = Object.entries(QUESTIONS).filter(([, { needs }]) => isThere(needs));
    const [name, { question, extra }] = random.pick(usable);
    return {
      pieces: ['before\n'],
      truth: 'last',
      kind: name,
      question,
      extra: `${extra}; echo after`,
      status: drawStatus(random),
    };
  }
  if (random.chance(0.08)) {
    const [name, number] = random.pick(Object.entries(SIGNALS));
    return {
      ...made,
      kind: `${kind}, ended by SIG${name}`,
      extra: `${made.extra ?? ''}\nkill -${name} $$`,
      status: 128 + number,
    };
  }
  return { ...made, kind, status: drawStatus(random) };
}

function drawStatus(random: Random): number {
  return random.chance(0.5) ? 0 : random.below(256);
}

function words(random: Random): string {
  return Array.from({ length: 1 + random.below(6) }, () => random.pick(WORDS)).join(' ');
}

function lines(random: Random, count: number): string {
  return Array.from({ length: count }, (_, at) => `${at + 1} ${words(random)}\n`).join('');
}

function lines1(count: number): string {
  return Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('');
}
