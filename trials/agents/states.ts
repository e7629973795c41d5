/** What a program does by its model, beside what `doing` said of it. Pure. */
import type { Moment } from './model.js';
import type { Sample } from './session.js';

export type Expected = 'working' | 'waiting' | 'idle' | 'failed' | 'working or waiting';

/** A question that was answered, and whether the program has another one, which it asks now or soon. */
export interface Answer {
  readonly atMs: number;
  readonly asksAgain: boolean;
}

/** What the script knows a program to do. */
export interface Span {
  readonly is: Expected;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface StateFigures {
  /** Spans that are long enough to be judged, and those of them at which `doing` was right in time. */
  readonly spans: number;
  readonly right: number;
  /** The same of questions and `needs_you`. */
  readonly asked: number;
  readonly called: number;
  /** Changes within one second beyond the first, within one span. */
  readonly flaps: number;
  readonly wrong: readonly string[];
}

const DOING_MS = 1000;
const NEED_MS = 1500;
/** The answer to a call, or a request again. */
const TURN_MS = 300;

const ACCEPTED: Readonly<Record<Expected, readonly string[]>> = {
  working: ['working'],
  waiting: ['waiting'],
  idle: ['idle', 'done'],
  // A program may try again.
  failed: ['error', 'working'],
  'working or waiting': ['working', 'waiting'],
};

/**
 * @param moments of the model, in order
 * @param answers to questions of the program
 */
export function spansOf(moments: readonly Moment[], answers: readonly Answer[], endMs: number): Span[] {
  const changes: { is: Expected; atMs: number }[] = moments.map(({ what, atMs, calls }) => {
    if (what === 'asked') return { is: 'working', atMs };
    if (what === 'failed') return { is: 'failed', atMs };
    return { is: what === 'ended' && calls > 0 ? 'waiting' : 'idle', atMs };
  });
  for (const { atMs, asksAgain } of answers) changes.push({ is: asksAgain ? 'working or waiting' : 'working', atMs });
  changes.sort((a, b) => a.atMs - b.atMs);
  const spans: Span[] = [];
  for (const [at, { is, atMs }] of changes.entries()) {
    const toMs = changes[at + 1]?.atMs ?? endMs;
    const last = spans.at(-1);
    if (toMs - atMs < TURN_MS && last !== undefined) continue;
    if (last?.is === is) spans[spans.length - 1] = { ...last, toMs };
    else spans.push({ is, fromMs: atMs, toMs });
  }
  return spans;
}

/** @param stops during which the program was stopped: nothing is known of it then */
export function judgeStates(
  spans: readonly Span[],
  samples: readonly Sample[],
  stops: readonly { readonly fromMs: number; readonly toMs: number }[],
): StateFigures {
  const figures = { spans: 0, right: 0, asked: 0, called: 0, flaps: 0, wrong: [] as string[] };
  for (const { is, fromMs, toMs } of spans) {
    if (stops.some((stop) => stop.fromMs < toMs && stop.toMs + DOING_MS > fromMs)) continue;
    const within = samples.filter(({ atMs }) => atMs > fromMs && atMs <= toMs);
    figures.flaps += flapsIn(within);
    const says = sampleAt(samples, Math.min(fromMs + DOING_MS, toMs));
    if (toMs - fromMs > DOING_MS) {
      figures.spans++;
      if (says !== undefined && ACCEPTED[is].includes(says.is)) figures.right++;
      else
        figures.wrong.push(
          `${is} for ${Math.round(toMs - fromMs)} ms, said ${says?.is ?? 'nothing'} (${says?.source ?? 'nobody'}) after a second`,
        );
    }
    if (is !== 'waiting' || toMs - fromMs <= NEED_MS) continue;
    figures.asked++;
    if ((sampleAt(samples, fromMs + NEED_MS)?.needs ?? null) !== null) figures.called++;
    else figures.wrong.push('asks, and needs nobody after 1.5 s');
  }
  return figures;
}

function sampleAt(samples: readonly Sample[], atMs: number): Sample | undefined {
  return samples.findLast((sample) => sample.atMs <= atMs);
}

function flapsIn(samples: readonly Sample[]): number {
  return samples.filter((sample, at) => {
    const before = samples[at - 1];
    return before !== undefined && at > 1 && sample.atMs - before.atMs < 1000 && sample.is !== before.is;
  }).length;
}
