/** The table of control, row by row, and random steps against a model of it. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ControlState,
  FREE,
  type Instant,
  leaseLeftMs,
  MAX_CONTROL_REQUESTS,
  REQUEST_LIFE_MS,
  step,
  type Step,
  UNCLAIMED_LEASE_MS,
} from '../../../src/features/people/control-state.js';

const at = (ms: number, wallMs = ms): Instant => ({ monotonicMs: ms, wallMs });
const LEASE_MS = 60_000;

interface Who {
  readonly as: string;
  readonly person?: boolean;
  readonly force?: boolean;
  readonly waits?: boolean;
  readonly leaseMs?: number | undefined;
}

const taking = ({ as, person = false, force = false, waits = false, leaseMs = LEASE_MS }: Who): Step => ({
  kind: 'take',
  as,
  person,
  force,
  waits,
  reason: undefined,
  leaseMs,
});

const held = (who: Who): ControlState => step(FREE, taking(who), at(0)).state;
const AGENT = { as: 'claude' };
const PERSON = { as: 'ada', person: true };

describe('a take', () => {
  test.each<[string, ControlState, Who, string, string]>([
    ['an agent takes what is free', FREE, AGENT, 'taken', 'claude'],
    ['a person takes what is free', FREE, PERSON, 'taken', 'ada'],
    ['an agent renews its own', held(AGENT), AGENT, 'renewed', 'claude'],
    ['a person renews her own', held(PERSON), PERSON, 'renewed', 'ada'],
    ['an agent gets nothing of another agent', held(AGENT), { as: 'gpt' }, 'held', 'claude'],
    ['an agent that waits is in line', held(AGENT), { as: 'gpt', waits: true }, 'requested', 'claude'],
    ['a person takes from an agent', held(AGENT), PERSON, 'taken', 'ada'],
    ['an agent asks a person', held(PERSON), AGENT, 'requested', 'ada'],
    ['an agent that waits asks a person', held(PERSON), { ...AGENT, waits: true }, 'requested', 'ada'],
    ['a person gets nothing of another person', held(PERSON), { as: 'bob', person: true }, 'held', 'ada'],
    ['a person who waits is in line', held(PERSON), { as: 'bob', person: true, waits: true }, 'requested', 'ada'],
    ['a person takes from another with force', held(PERSON), { as: 'bob', person: true, force: true }, 'taken', 'bob'],
  ])('%s', (_, before, who, outcome, holder) => {
    const after = step(before, taking(who), at(1));
    expect(after.outcome).toBe(outcome);
    expect(after.state.hold?.as).toBe(holder);
    expect(after.state.requests.map(({ as }) => as)).toEqual(outcome === 'requested' ? [who.as] : []);
  });

  test('has a number that was never given before, and a renewal keeps it', () => {
    const first = held(AGENT);
    expect(step(first, taking(AGENT), at(1)).state.hold?.number).toBe(1);
    const second = step(first, taking(PERSON), at(2)).state;
    expect(second.hold?.number).toBe(2);
    const free = step(second, { kind: 'release', as: 'ada' }, at(3)).state;
    expect(step(free, taking(AGENT), at(4)).state.hold?.number).toBe(3);
  });

  test('of a name in line takes it out of the line', () => {
    const asked = step(held(AGENT), taking({ ...PERSON, as: 'bob', waits: true, person: false }), at(1)).state;
    const after = step(asked, taking({ as: 'bob', person: true }), at(2)).state;
    expect(after.hold?.as).toBe('bob');
    expect(after.requests).toEqual([]);
  });

  test('beyond the length of the line is held, and repeated keeps its place', () => {
    let state = held(PERSON);
    for (let i = 0; i < MAX_CONTROL_REQUESTS; i++) state = step(state, taking({ as: `a${i}` }), at(i)).state;
    expect(step(state, taking({ as: 'last' }), at(20)).outcome).toBe('held');
    const again = step(state, taking({ as: 'a0' }), at(30));
    expect(again).toMatchObject({ outcome: 'requested' });
    expect(again.of).toBeUndefined();
    expect(again.state.requests[0]).toMatchObject({ as: 'a0', since: at(30) });
  });

  test('asks for ten minutes', () => {
    const asked = step(held(PERSON), taking(AGENT), at(0)).state;
    const release: Step = { kind: 'release', as: 'ada' };
    expect(step(asked, release, at(REQUEST_LIFE_MS - 1)).state.hold?.as).toBe('claude');
    expect(step(asked, release, at(REQUEST_LIFE_MS)).state.hold).toBeUndefined();
  });
});

describe('a lease', () => {
  const lease = (hold = held(AGENT).hold): NonNullable<typeof hold> => {
    if (hold === undefined) throw new Error('nobody holds');
    return hold;
  };

  test('ends by the clock that has advanced further', () => {
    expect(leaseLeftMs(lease(), at(10_000))).toBe(50_000);
    // The machine slept for a minute; and the wall clock was set back.
    expect(leaseLeftMs(lease(), at(10_000, 70_000))).toBe(-10_000);
    expect(leaseLeftMs(lease(), at(10_000, -90_000))).toBe(50_000);
  });

  test('is renewed by input of the holder alone', () => {
    const mine = step(held(AGENT), { kind: 'renew', as: 'claude' }, at(5000)).state;
    expect(leaseLeftMs(lease(mine.hold), at(10_000))).toBe(55_000);
    const others = step(held(AGENT), { kind: 'renew', as: 'gpt' }, at(5000));
    expect(others.outcome).toBe('not_holder');
    expect(leaseLeftMs(lease(others.state.hold), at(10_000))).toBe(50_000);
  });

  test('of a person without one never ends, unless it was passed on and is not claimed', () => {
    const explicit = step(FREE, { ...taking(PERSON), leaseMs: undefined } as Step, at(0)).state;
    expect(leaseLeftMs(lease(explicit.hold), at(1e9))).toBeUndefined();
    const bob: Who = { as: 'bob', person: true, waits: true };
    const asked = step(explicit, { ...taking(bob), leaseMs: undefined } as Step, at(0)).state;
    const given = step(asked, { kind: 'give', as: 'ada', to: undefined }, at(0)).state;
    expect(leaseLeftMs(lease(given.hold), at(0))).toBe(UNCLAIMED_LEASE_MS);
    const claimed = step(given, { kind: 'renew', as: 'bob' }, at(1)).state;
    expect(leaseLeftMs(lease(claimed.hold), at(1e9))).toBeUndefined();
  });

  test('that has ended passes control to the next in line, and an end of an earlier hold does nothing', () => {
    const asked = step(held(PERSON), taking(AGENT), at(1)).state;
    const ended = step(asked, { kind: 'end', number: 1, cause: 'expired' }, at(2));
    expect(ended).toMatchObject({
      outcome: 'ended',
      cause: 'expired',
      state: { hold: { as: 'claude', claimed: false } },
    });
    expect(step(ended.state, { kind: 'end', number: 1, cause: 'gone' }, at(3))).toMatchObject({ outcome: 'stale' });
  });
});

test('to give and to deny answer the first request or the one that is named, by the holder alone', () => {
  let state = held(PERSON);
  for (const as of ['a', 'b', 'c']) state = step(state, taking({ as }), at(1)).state;
  const names = (after: ControlState): string[] => after.requests.map(({ as }) => as);
  expect(step(state, { kind: 'give', as: 'a', to: undefined }, at(2)).outcome).toBe('not_holder');
  expect(step(state, { kind: 'deny', as: 'a', to: 'b' }, at(2)).outcome).toBe('not_holder');
  const denied = step(state, { kind: 'deny', as: 'ada', to: 'b' }, at(2));
  expect(denied).toMatchObject({ outcome: 'denied', of: 'b', state: { hold: { as: 'ada' } } });
  expect(names(denied.state)).toEqual(['a', 'c']);
  expect(step(state, { kind: 'deny', as: 'ada', to: 'x' }, at(2)).outcome).toBe('no_request');
  const given = step(state, { kind: 'give', as: 'ada', to: 'c' }, at(2));
  expect(given).toMatchObject({ outcome: 'given', cause: 'given', state: { hold: { as: 'c' } } });
  expect(names(given.state)).toEqual(['a', 'b']);
  expect(step(state, { kind: 'give', as: 'ada', to: undefined }, at(2)).state.hold?.as).toBe('a');
  // To one who has not asked.
  expect(step(held(PERSON), { kind: 'give', as: 'ada', to: 'x' }, at(2)).state.hold).toMatchObject({
    as: 'x',
    person: false,
  });
  expect(step(held(PERSON), { kind: 'give', as: 'ada', to: undefined }, at(2)).outcome).toBe('no_request');
  expect(step(held(PERSON), { kind: 'give', as: 'ada', to: 'ada' }, at(2)).state.hold?.as).toBe('ada');
});

/** The rules as sentences over two values: who holds, and who is in line. Without times. */
class Model {
  holder: { as: string; person: boolean } | undefined;
  line: { as: string; person: boolean }[] = [];

  take(taken: Extract<Step, { kind: 'take' }>): void {
    const { as, person } = taken;
    const { holder } = this;
    if (holder?.as === as) holder.person ||= person;
    else if (holder === undefined || (person && (!holder.person || taken.force))) this.#pass({ as, person });
    else if (!(taken.waits || (holder.person && !person))) return;
    else if (this.line.some((other) => other.as === as)) {
      this.line = this.line.map((other) => (other.as === as ? { as, person } : other));
    } else if (this.line.length < MAX_CONTROL_REQUESTS) this.line.push({ as, person });
  }

  leave(as: string): void {
    if (this.holder?.as === as) this.holder = this.line.shift();
    else this.#drop(as);
  }

  answer(as: string, to: string | undefined, given: boolean): void {
    if (this.holder?.as !== as) return;
    const next = this.line.find((other) => to === undefined || other.as === to);
    if (given && to !== as && (next ?? to) !== undefined) this.#pass(next ?? { as: to ?? '', person: false });
    else if (!given && next !== undefined) this.#drop(next.as);
  }

  #pass(to: { as: string; person: boolean }): void {
    this.#drop(to.as);
    this.holder = to;
  }

  #drop(as: string): void {
    this.line = this.line.filter((other) => other.as !== as);
  }
}

test('random steps of a few names do what the model does', () => {
  const name = fc.constantFrom('ada', 'bob', 'claude', 'gpt');
  const to = fc.option(name, { nil: undefined });
  const one: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ as: name, person: fc.boolean(), force: fc.boolean(), waits: fc.boolean() }).map((who) => taking(who)),
    name.map((as) => ({ kind: 'renew', as }) as const),
    name.map((as) => ({ kind: 'withdraw', as }) as const),
    name.map((as) => ({ kind: 'release', as }) as const),
    fc.record({ kind: fc.constantFrom('give' as const, 'deny' as const), as: name, to }),
    fc.nat(20).map((number) => ({ kind: 'end', number, cause: 'expired' }) as const),
  );
  fc.assert(
    fc.property(fc.array(one, { maxLength: 60 }), (steps) => {
      const model = new Model();
      let state = FREE;
      for (const [i, taken] of steps.entries()) {
        const before = state.hold;
        const stepped = step(state, taken, at(i));
        ({ state } = stepped);
        if (taken.kind === 'take') model.take(taken);
        else if (taken.kind === 'release') model.leave(taken.as);
        else if (taken.kind === 'withdraw') model.line = model.line.filter((other) => other.as !== taken.as);
        else if (taken.kind === 'give' || taken.kind === 'deny')
          model.answer(taken.as, taken.to, taken.kind === 'give');
        else if (taken.kind === 'end' && before?.number === taken.number) model.leave(before.as);
        expect(state.hold?.as).toBe(model.holder?.as);
        expect(state.hold?.person).toBe(model.holder?.person);
        expect(state.requests.map(({ as, person }) => ({ as, person }))).toEqual(model.line);
        // A cause is reported exactly if there is another hold than before, or none.
        expect(stepped.cause !== undefined).toBe(before?.number !== state.hold?.number);
        expect(state.requests.some(({ as }) => as === state.hold?.as)).toBe(false);
      }
    }),
    { numRuns: 500 },
  );
});
