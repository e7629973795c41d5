/** One draw: a shell, its settings, what came before, a program, how it is asked for, and what happens meanwhile. */
import { Random } from '../support/random.js';
import { LEFTOVERS, type Leftover } from './leftovers.js';
import type { Draw, Form } from './drawn.js';
import { withMore } from './more.js';
import { FIRST_OF_PEOPLE, withPeople } from './people.js';
import { drawProgram } from './programs.js';
import { COLS } from './truths.js';
import { DRAWN_SHELLS, SETTINGS, type DrawnShell } from './settings.js';

const POSIX: readonly DrawnShell[] = ['bash', 'zsh', 'dash', 'mksh', 'ash'];
/** Shells whose line editor takes a pasted text of several lines as one. */
const PASTING: readonly DrawnShell[] = ['bash', 'zsh'];

const FORMS: readonly Form[] = [
  { name: 'alone', line: (command) => command },
  { name: 'after a blank', line: (command) => ` ${command}` },
  { name: 'before a pipe', line: (command) => `${command} | cat`, status: 0 },
  { name: 'after true', line: (command) => `true && ${command}` },
  { name: 'in a subshell', shells: POSIX, line: (command) => `(${command})` },
  { name: 'of three lines', shells: PASTING, line: (command) => `if true\nthen ${command}\nfi` },
  { name: 'of three lines', shells: ['fish'], line: (command) => `if true\n${command}\nend` },
];

export function drawOf(number: number, isThere: (program: string) => boolean): Draw {
  // Neighbours would begin alike.
  const random = new Random(Math.imul(number + 1, 0x9e3779b1));
  const shell = random.pick(DRAWN_SHELLS);
  const settings = some(
    random,
    SETTINGS.filter(({ rc }) => rc[shell] !== undefined),
    [0.4, 0.75],
  );
  const way = random.pick(['run', 'run --id', 'run --id', 'type', 'type'] as const);
  const usable = LEFTOVERS.filter(({ shells }) => shells === undefined || shells.includes(shell));
  // What waits at the prompt is part of a line that is typed behind it.
  const ends = settings.some(({ endsOnError }) => endsOnError === true);
  const fitting = usable
    .filter(({ isInTheWay }) => way === 'run --id' || isInTheWay === undefined)
    .filter(({ fails }) => !(ends && fails === true));
  const drawnLeftovers = way === 'run' ? [] : some(random, fitting, [0.5, 0.85]);
  const program = drawProgram(random, isThere);
  // What a job prints while rows are drawn again is drawn over; busybox 1.35 may end as a job does, if echo is off.
  const isEnded = shell === 'ash' && settings.some(({ name }) => name === 'echo off');
  const leftovers = drawnLeftovers
    .filter(({ isJob }) => isJob === undefined || !(program.truth === 'tmux' || isEnded))
    .toSorted((a, b) => Number(isTyped(a)) - Number(isTyped(b)));
  const forms = FORMS.filter(({ shells }) => shells === undefined || shells.includes(shell));
  const form =
    way === 'run'
      ? (FORMS[0] as Form)
      : random.pick(way === 'type' ? forms.filter(({ line }) => !line('', '').includes('\n')) : forms);
  // In insert mode each row that is drawn anew pushes what stood there before it.
  const mayResize =
    program.truth === 'pipe' &&
    !leftovers.some(({ dropsRows, cuts, shapes }) => dropsRows === true || cuts === true || shapes === true);
  const drawn = random.pick(['nothing', 'nothing', 'a resize', 'other readers'] as const);
  const meanwhile = drawn === 'a resize' && !mayResize ? 'nothing' : drawn;
  const draw: Draw = { number, shell, settings, leftovers, program, way, form, meanwhile, cols: COLS };
  return number < FIRST_OF_PEOPLE ? withMore(draw, isThere) : withPeople(draw);
}

/** None, one or two of them, by what a number from 0 to 1 is below. */
function some<T>(random: Random, items: readonly T[], [none, one]: readonly [number, number]): T[] {
  const share = random.next();
  const count = share < none ? 0 : share < one ? 1 : 2;
  return Array.from({ length: count }, () => random.pick(items)).filter((item, at, all) => all.indexOf(item) === at);
}

/** It stands on the command line, where the next line that is typed would be added to it. */
function isTyped({ typed, isInTheWay }: Leftover): boolean {
  return typed !== undefined || isInTheWay === true;
}

/** The draw in one line. */
export function describe({ number, shell, settings, leftovers, program, way, form, meanwhile, more }: Draw): string {
  const parts = [shell, ...settings.map(({ name }) => name)].join(' + ');
  const before = leftovers.length === 0 ? '' : `; after ${leftovers.map(({ name }) => name).join(', ')}`;
  return `${number} ${way}: ${parts}${before}; ${program.kind}, ${form.name}, status ${program.status}; ${meanwhile}${
    more === undefined ? '' : `; ${more}`
  }`;
}
