/** What one draw is: a prompt, the state that it comes into, how slow the machine is, and the settings of the program. Pure. */
import { Random } from '../support/random.js';

export const PROMPTS = [
  'line',
  'letter',
  'long',
  'lines',
  'ends in a mention',
  'short with a mention',
  'mention within',
  'slash',
  'bang',
  'hash',
  'wide',
  'marker of a paste',
  'dashes',
] as const;

export const STATES = [
  'idle',
  'starting',
  'busy',
  'draft',
  'menu',
  'command asked',
  'edit asked',
  'two commands asked',
  'question due',
  'failed',
] as const;

export type PromptKind = (typeof PROMPTS)[number];
export type State = (typeof STATES)[number];

export interface Settings {
  readonly cols: number;
  readonly rows: number;
  readonly isVim: boolean;
  readonly isLight: boolean;
}

export interface Draw {
  readonly number: number;
  readonly kind: PromptKind;
  readonly text: string;
  readonly state: State;
  /** Of a state that begins before the delivery: so long before. Of one that is due: so long after. */
  readonly leadMs: number;
  /** The program is stopped so long after the delivery has begun, for so long. */
  readonly stop: { readonly afterMs: number; readonly forMs: number } | undefined;
  readonly settings: Settings;
}

const LETTERS = ['a', 'e', 'k', 'q', 'y', 'z'];
const STATES_OFTEN: readonly State[] = [...STATES, 'idle', 'busy', 'question due', 'question due'];
const LONG_BYTES = 8192;
const MAX_STOP_MS = 2000;

/** The same number is the same draw. */
export function drawOf(number: number): Draw {
  const random = new Random(number * 7919 + 17);
  const kind = random.pick(PROMPTS);
  const state = random.pick(STATES_OFTEN);
  return {
    number,
    kind,
    text: textOf(kind, number, random),
    state,
    leadMs: random.below(state === 'question due' ? 1000 : 2500),
    stop: random.chance(0.3) ? { afterMs: random.below(800), forMs: 100 + random.below(MAX_STOP_MS - 100) } : undefined,
    settings: {
      cols: random.pick([60, 80, 100, 100, 160]),
      rows: random.pick([24, 40, 40]),
      isVim: random.chance(0.1),
      isLight: random.chance(0.2),
    },
  };
}

export function describe({ number, kind, state, leadMs, stop, settings }: Draw): string {
  const { cols, rows, isVim, isLight } = settings;
  return [
    `${number}: ${kind}, ${state}, lead ${leadMs} ms, ${cols}x${rows}`,
    ...(stop === undefined ? [] : [`stopped after ${stop.afterMs} ms for ${stop.forMs} ms`]),
    ...(isVim ? ['vim'] : []),
    ...(isLight ? ['light'] : []),
  ].join(', ');
}

function textOf(kind: PromptKind, number: number, random: Random): string {
  const name = `Prompt ${number}`;
  const texts: Readonly<Record<PromptKind, string>> = {
    line: `${name}: mend the tests of one line`,
    letter: random.pick(LETTERS),
    long: `${name} ${'word '.repeat(LONG_BYTES / 5)}end of ${number}`,
    lines: Array.from({ length: 27 }, (_, line) => `${name}, line ${line} of twenty-seven`).join('\n'),
    'ends in a mention': `${name}: look at the bug that is in @a.txt`,
    'short with a mention': random.pick(['fix @a', 'fix the bug in @a.txt', 'fix @']),
    'mention within': `${name}: look at @a.txt and say what is in it`,
    slash: random.pick([`/nothing ${number}`, `/usr/bin/env is missing, ${name}`]),
    bang: `! touch banged-${number}`,
    hash: `# ${name} is a heading`,
    wide: `${name}: 修理 the 👩‍💻 tests ❤️ 1️⃣ café`,
    'marker of a paste': `${name}: [Pasted text #1 +39 lines] is what it shows`,
    dashes: `--- ${name} ---`,
  };
  return texts[kind];
}
