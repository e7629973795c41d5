/**
 * Five screens like those that agents look at, made by code so that every machine measures the same: a shell listing,
 * htop, vim with code, a dense 256-colour TUI, half-block truecolour. The sixth is the worst
 * case: every word in two of 240 colours at random.
 */
import { ATTR_BOLD, ATTR_DIM, ATTR_INVERSE, type Snapshot, type SnapshotRow } from '../src/vt/snapshot.js';
import { cursorAt, indexed, type Pen, rgb, rowOf, type Run, screenOf } from '../test/render/support/screen.js';

export interface BenchScreen {
  readonly name: string;
  readonly make: (cols: number, rows: number) => Snapshot;
}

export const BENCH_SCREENS: readonly BenchScreen[] = [
  { name: 'shell listing', make: (cols, rows) => screenFrom(cols, rows, listingRow) },
  { name: 'htop', make: (cols, rows) => screenFrom(cols, rows, htopRow) },
  { name: 'vim, code', make: (cols, rows) => screenFrom(cols, rows, codeRow) },
  { name: '256-colour TUI', make: (cols, rows) => screenFrom(cols, rows, tuiRow) },
  { name: 'half-blocks', make: (cols, rows) => screenFrom(cols, rows, halfBlockRow) },
  { name: '256-colour noise', make: (cols, rows) => screenFrom(cols, rows, noiseRow) },
];

type Random = (below: number) => number;
type MakeRow = (y: number, cols: number, rows: number, random: Random) => readonly Run[];

function screenFrom(cols: number, rows: number, makeRow: MakeRow): Snapshot {
  const random = newRandom(cols * 1000 + rows);
  const lines: SnapshotRow[] = [];
  for (let y = 0; y < rows; y++) lines.push(rowOf(cols, makeRow(y, cols, rows, random)));
  return screenOf(lines, { cursor: cursorAt(rows - 1, 2) });
}

/** A linear congruential generator (Numerical Recipes): the same numbers everywhere. */
function newRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * below);
  };
}

const STEMS =
  'render atlas parser socket index worker schema palette encoder cursor terminal backlog notes layout'.split(' ');
const KINDS: readonly (readonly [mode: string, suffix: string, pen: Pen])[] = [
  ['drwxr-xr-x', '/', { fg: indexed(12), attrs: ATTR_BOLD }],
  ['-rwxr-xr-x', '.sh', { fg: indexed(10), attrs: ATTR_BOLD }],
  ['-rw-r--r--', '.ts', {}],
  ['-rw-r--r--', '.tar.gz', { fg: indexed(9), attrs: ATTR_BOLD }],
  ['-rw-r--r--', '.png', { fg: indexed(13), attrs: ATTR_BOLD }],
  ['lrwxrwxrwx', ' -> ../lib/current', { fg: indexed(14), attrs: ATTR_BOLD }],
];

function listingRow(y: number, _cols: number, rows: number, random: Random): readonly Run[] {
  if (y === rows - 1)
    return [['dev@build', { fg: indexed(2), attrs: ATTR_BOLD }], [':'], ['~/project', { fg: indexed(4) }], ['$ ']];
  const [mode, suffix, pen] = KINDS[random(KINDS.length)] ?? ['', '', {}];
  const size = `${random(90_000)}`.padStart(8);
  const date = `Nov ${`${1 + random(28)}`.padStart(2)} ${`${random(24)}`.padStart(2, '0')}:${`${random(60)}`.padStart(2, '0')}`;
  return [[`${mode} 1 dev dev ${size} ${date} `], [`${word(random)}-${word(random)}${suffix}`, pen]];
}

function htopRow(y: number, cols: number, rows: number, random: Random): readonly Run[] {
  if (y < 4) {
    const bars = Math.floor(cols / 2) - 14;
    const used = 4 + random(bars - 8);
    const meter: Run[] = [
      [`  ${y} `, { fg: indexed(6) }],
      ['[', { attrs: ATTR_BOLD }],
      ['|'.repeat(used), { fg: indexed(2) }],
      ['|'.repeat(3), { fg: indexed(1) }],
      [' '.repeat(bars - used - 3)],
      [`${random(100)}.${random(10)}%`.padStart(6), { fg: indexed(8), attrs: ATTR_BOLD }],
      [']', { attrs: ATTR_BOLD }],
    ];
    return [...meter, ...meter];
  }
  if (y === 4)
    return [
      [
        '    PID USER       PRI  NI  VIRT   RES   SHR S  CPU% MEM%   TIME+  Command'.padEnd(cols),
        { fg: indexed(0), bg: indexed(2) },
      ],
    ];
  if (y === rows - 1) {
    const names = 'Help Setup Search Filter Tree SortBy Nice Kill Quit'.split(' ');
    return names.flatMap((name, at): Run[] => [[`F${at + 1}`], [name.padEnd(6), { fg: indexed(0), bg: indexed(6) }]]);
  }
  const pen: Pen = y === 5 ? { fg: indexed(0), bg: indexed(6) } : {};
  const dim: Pen = y === 5 ? pen : { attrs: ATTR_DIM };
  const number = (below: number, width: number): string => `${random(below)}`.padStart(width);
  return [
    [`${number(99_999, 7)} dev         20   0 `, pen],
    [`${number(900, 4)}M ${number(90, 4)}M ${number(9999, 5)} `, { ...pen, ...(y === 5 ? {} : { fg: indexed(6) }) }],
    [
      `${'SRDI'[random(4)]} ${number(99, 3)}.${random(10)}  ${random(9)}.${random(10)}  ${random(9)}:${number(60, 2)}.${random(10)} `,
      pen,
    ],
    [` /usr/lib/${word(random)}/`, dim],
    [`${word(random)} --${word(random)}=${random(999)}`.padEnd(cols), pen],
  ];
}

const TOKENS: readonly (readonly [text: string, pen: Pen])[] = [
  ['const ', { fg: rgb(0xbb9af7) }],
  ['return ', { fg: rgb(0xbb9af7), attrs: ATTR_BOLD }],
  ["'utf8'", { fg: rgb(0x9ece6a) }],
  ['0x1f2e', { fg: rgb(0xff9e64) }],
  ['Snapshot', { fg: rgb(0x2ac3de) }],
  [' => ', { fg: rgb(0x89ddff) }],
  ['(row, col) ', { fg: rgb(0xe0af68) }],
  ['= lines.map', { fg: rgb(0x7aa2f7) }],
  ['{ width, height } ', { fg: rgb(0xc0caf5) }],
];
const COMMENT: Pen = { fg: rgb(0x565f89) };

function codeRow(y: number, cols: number, rows: number, random: Random): readonly Run[] {
  if (y === rows - 1) return [[':w']];
  if (y === rows - 2)
    return [[` NORMAL  src/render/${word(random)}.ts`.padEnd(cols - 12) + '42:17   61% ', { attrs: ATTR_INVERSE }]];
  const runs: Run[] = [[`${y + 20}`.padStart(4) + ' ', COMMENT], [' '.repeat(2 * random(5))]];
  if (random(6) === 0)
    return [...runs, [`// ${word(random)} of the ${word(random)}, then the ${word(random)}`, COMMENT]];
  for (let count = random(7); count > 0; count--) runs.push(TOKENS[random(TOKENS.length)] ?? ['']);
  return runs;
}

/** Three panels with grounds of their own, a gradient of foregrounds in each, framed: some 70 pairs of colours. */
function tuiRow(y: number, cols: number, rows: number, random: Random): readonly Run[] {
  const panel = Math.floor(cols / 3);
  return [234, 236, 17].flatMap((ground, at): Run[] => {
    const bg = indexed(ground);
    if (y === 0 || y === rows - 1) return [['─'.repeat(panel), { fg: indexed(244), bg }]];
    const runs: Run[] = [['│', { fg: indexed(244), bg }]];
    for (let col = 1; col < panel - 1;) {
      const text = random(3) === 0 ? '⣿⣶⣤⣀⡀ ' : `${word(random)}:${random(999)} `;
      const fg = indexed(random(2) === 0 ? 22 + 6 * ((y + at * 9) % 24) : [250, 214, 81, 203, 157, 111][random(6)]!);
      const cut = text.slice(0, panel - 1 - col);
      runs.push([cut, { fg, bg: random(9) === 0 ? indexed(58 + at) : bg, attrs: random(5) === 0 ? ATTR_BOLD : 0 }]);
      col += cut.length;
    }
    return [...runs, ['│', { fg: indexed(244), bg }]];
  });
}

function noiseRow(_y: number, cols: number, _rows: number, random: Random): readonly Run[] {
  const runs: Run[] = [];
  for (let col = 0; col < cols;) {
    const text = `${word(random)} `;
    runs.push([text, { fg: indexed(16 + random(240)), bg: indexed(16 + random(240)) }]);
    col += text.length;
  }
  return runs;
}

/** A picture as programs show it in half blocks: a sunset over hills with the grain and the texture of a photograph. */
function halfBlockRow(y: number, cols: number, rows: number, random: Random): readonly Run[] {
  const grain = (): number => random(5) - 2;
  return Array.from({ length: cols }, (_, x): Run => {
    const [top, bottom] = [2 * y, 2 * y + 1].map((line) => photograph(x / cols, line / (2 * rows), grain()));
    return ['▀', { fg: rgb(top ?? 0), bg: rgb(bottom ?? 0) }];
  });
}

/** `x` and `y` from 0 to 1. */
function photograph(x: number, y: number, grain: number): number {
  const horizon = 0.62 + 0.06 * Math.sin(9 * x) + 0.03 * Math.sin(23 * x + 1);
  const texture = texel(x * 9, y * 9) + texel(x * 21, y * 21) / 2 + texel(x * 47, y * 47) / 4;
  const glow = Math.exp(-18 * ((x - 0.7) ** 2 + (y - 0.5) ** 2));
  const light = y < horizon ? 0.35 + 0.5 * y + 0.12 * texture : 0.12 + 0.22 * texture * (1 - y);
  const channels = (
    [
      [210, 200],
      [130, 170],
      [150, 60],
    ] as const
  ).map(([base, warm]) => Math.max(0, Math.min(255, Math.round(base * light + warm * glow + grain))));
  return channels.reduce((all, channel) => all * 256 + channel, 0);
}

/** Value noise from 0 to 1: smooth between the corners of a lattice. */
function texel(x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const corner = (dx: number, dy: number): number => {
    const mixed = Math.imul((left + dx) * 374_761_393 + (top + dy) * 668_265_263, 1_274_126_177);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000;
  };
  const [right, down] = [x - left, y - top];
  const upper = corner(0, 0) * (1 - right) + corner(1, 0) * right;
  const lower = corner(0, 1) * (1 - right) + corner(1, 1) * right;
  return upper * (1 - down) + lower * down;
}

function word(random: Random): string {
  return STEMS[random(STEMS.length)] ?? '';
}
