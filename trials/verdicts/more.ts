/**
 * Kinds that came later: draws from FIRST on have them, so that earlier numbers stay the draws that they were. Each changes a
 * draw where it fits, by a series of random numbers of its own.
 */
import { Random } from '../support/random.js';
import type { Draw, More } from './drawn.js';
import type { Question } from './programs.js';

export const FIRST = 2000;
const SHARE = 0.4;

/** What a kind needs besides the shells. */
export const NEEDS: Partial<Record<More, string>> = {
  'over ssh': 'sshd',
  'asked over ssh': 'sshd',
};

const SEVERAL: readonly { readonly name: string; readonly extra: string; readonly question: Question }[] = [
  { name: 'two reads', extra: `printf 'Two? '; read a; read b`, question: { kind: 'line', answer: 'yes\rno\r' } },
  {
    name: 'three lines of python',
    extra: `python3 -c 'for at in range(3): input("%d? " % at)'`,
    question: { kind: 'line', answer: 'a\rb\rc\r' },
  },
];

type Change = (draw: Draw, random: Random) => Draw | undefined;

const CHANGES: Readonly<Record<More, Change>> = {
  'over ssh': (draw) => (draw.way === 'run' || isAsking(draw) || isKilled(draw) ? undefined : inForm(draw, SSH)),
  'asked over ssh': (draw) =>
    draw.way === 'run'
      ? undefined
      : inForm(asking(draw, 'read over ssh', `printf 'Name? '; read name`, { kind: 'raw', answer: 'yes\r' }), SSH),
  'beside an attach': (draw) => (draw.way === 'run' ? undefined : { ...draw, meanwhile: 'an attach' }),
  'after its own output, printed again': (draw) =>
    draw.way === 'run' || isAsking(draw) || draw.program.truth !== 'pipe'
      ? undefined
      : {
          ...draw,
          leftovers: [],
          program: {
            ...draw.program,
            printsOwnOutput: true,
            truth: 'last',
            pieces: [...draw.program.pieces, 'the end\n'],
          },
        },
  'asked for several lines': (draw, random) => {
    const { name, extra, question } = random.pick(SEVERAL);
    return asking(draw, name, extra, question);
  },
  'in two columns': (draw) =>
    isAsking(draw) || draw.program.truth !== 'pipe'
      ? undefined
      : { ...draw, cols: 2, settings: [], leftovers: [], meanwhile: 'nothing' },
  'while the clock jumps': (draw) => ({ ...draw, meanwhile: 'a clock that jumps' }),
};

/** The far side has a terminal; ssh hands on the status of the program. */
const SSH = {
  name: 'over ssh',
  line: (command: string, sshConfig: string) => `ssh -qtt -F ${sshConfig} t4a-self '${command}'`,
};

export function withMore(draw: Draw, isThere: (program: string) => boolean): Draw {
  if (draw.number < FIRST) return draw;
  const random = new Random(Math.imul(draw.number + 1, 0x85ebca6b));
  if (!random.chance(SHARE)) return draw;
  const kinds = (Object.keys(CHANGES) as More[]).filter((kind) => isThere(NEEDS[kind] ?? 'sh'));
  const more = random.pick(kinds);
  const changed = CHANGES[more](draw, random);
  return changed === undefined ? draw : { ...changed, more };
}

function inForm(draw: Draw, form: Draw['form']): Draw {
  return { ...draw, form };
}

function asking(draw: Draw, kind: string, extra: string, question: Question): Draw {
  const { status } = draw.program;
  return {
    ...draw,
    meanwhile: draw.meanwhile === 'a resize' ? 'nothing' : draw.meanwhile,
    program: {
      pieces: ['before\n'],
      truth: 'last',
      kind,
      question,
      extra: `${extra}; echo after`,
      status: status % 128,
    },
  };
}

function isAsking({ program }: Draw): boolean {
  return program.question !== undefined;
}

function isKilled({ program }: Draw): boolean {
  return program.kind.includes('ended by');
}
