/**
 * `deliver` to agents that misbehave by chance, at every instant: no outcome `submitted` that was not, no prompt twice, no question that is
 * answered, no draft that is mixed. The trial (npm run trials -- deliveries) has a thousand of them, or T4A_DELIVERIES.
 */
import { setTimeout as delay } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BoxAgent, startBoxAgent, UNSEEN_MS } from '../support/box-agent.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { runsOf } from '../support/trial.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const RUNS = Number(process.env['T4A_DELIVERIES'] ?? runsOf({ suite: 12, trial: 1000 }));
const AT_ONCE = 4;
const LIMIT_MS = 60_000 + RUNS * 10_000;

const TEXT = 'fix the tests';

interface Chance {
  readonly args: readonly string[];
  /** A letter of another client, so long after the request. */
  readonly letterAfterMs: number | null;
  readonly hasSecond: boolean;
}

const ms = (max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max });
const perhaps = (...args: fc.Arbitrary<string>[]): fc.Arbitrary<string[]> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant<string[]>([]) }, fc.tuple(...args));

const chance: fc.Arbitrary<Chance> = fc
  .tuple(
    perhaps(fc.constant('alt')),
    perhaps(ms(600).map((after) => `start=${after}`)),
    perhaps(ms(400).map((late) => `echo-late=${late}`)),
    perhaps(fc.constant('marker')),
    perhaps(fc.constant('spin')),
    perhaps(fc.constantFrom('mute=1', 'mute=2', 'mute=all')),
    perhaps(fc.constant('draft=please do')),
    perhaps(
      fc.constantFrom('ask=start', 'ask=paste', 'ask=paste', 'ask=enter'),
      ms(700).map((after) => `ask-after=${after}`),
    ),
    perhaps(fc.constantFrom('exit=paste', 'exit=enter')),
    perhaps(fc.constant('work')),
  )
  .chain((args) =>
    fc.record({
      args: fc.constant(args.flat()),
      letterAfterMs: fc.option(ms(900)),
      hasSecond: fc.boolean(),
    }),
  );

interface Seen {
  readonly chance: Chance;
  readonly claims: boolean;
  readonly agent: BoxAgent;
}

/** @param act resolves with whether it claims that the text was submitted */
async function tried(
  { args, letterAfterMs, hasSecond }: Chance,
  act: (agent: BoxAgent) => Promise<boolean>,
): Promise<Seen> {
  const agent = await startBoxAgent(daemon, args);
  const letter =
    letterAfterMs === null
      ? undefined
      : delay(letterAfterMs).then(() => agent.send('type', { text: 'x', as: 'other' }));
  const second = hasSecond ? agent.deliver('another prompt', { timeout_ms: 4000 }) : undefined;
  const claims = await act(agent);
  await Promise.all([letter, second]);
  return { chance: { args, letterAfterMs, hasSecond }, claims, agent };
}

/** What is wrong with it, in words. */
function faultsOf({ claims, agent }: Seen): string[] {
  const own = agent.prompts().filter((prompt) => prompt.includes(TEXT));
  return [
    ...(claims && own.length === 0 ? ['a submission that was none'] : []),
    ...(own.length > 1 ? ['submitted twice'] : []),
    ...(own.some((prompt) => prompt !== TEXT) ? ['mixed with other text'] : []),
    ...(agent.answers().some(({ sinceAskMs = 0 }) => sinceAskMs >= UNSEEN_MS) ? ['a question was answered'] : []),
  ];
}

async function allTried(
  chances: readonly Chance[],
  act: (agent: BoxAgent) => Promise<boolean>,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const left = [...chances];
  const one = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const seen = await tried(next, act);
      for (const fault of faultsOf(seen)) faults.push(`${fault}: ${JSON.stringify(next)}`);
      await seen.agent.send('kill');
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return faults;
}

const CHANCES = fc.sample(chance, { numRuns: RUNS, seed: 61 });

it(
  'a delivery is what its receipt says, at each misbehaviour and each instant',
  async () => {
    const faults = await allTried(CHANCES, async (agent) => {
      const { outcome } = await agent.deliver(TEXT, { timeout_ms: 4000 });
      return outcome === 'submitted';
    });
    expect(faults).toEqual([]);
  },
  LIMIT_MS,
);

it(
  'a text with Enter behind it is not: it gets lost, mixed, or answers a question',
  async () => {
    const some = CHANCES.slice(0, Math.max(12, RUNS / 10)).map((each) => ({ ...each, hasSecond: false }));
    const faults = await allTried(some, async (agent) => {
      await agent.send('wait', { until: { settled_ms: 300 }, timeout_ms: 2000 });
      return (await agent.send('paste', { text: TEXT, submit: true }))['ok'] === true;
    });
    expect(faults).not.toEqual([]);
  },
  LIMIT_MS,
);
