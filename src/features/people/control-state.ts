/**
 * Who holds the keyboard of a terminal, and who asks for it: one state, one pure step function. Knows no clock and no
 * terminal; the instants are those of its caller, and connections are compared only.
 *
 * | holder | an agent takes | a person takes |
 * |---|---|---|
 * | none, or itself | taken, renewed | taken, renewed |
 * | an agent | held; in line if it waits | taken |
 * | a person | in line: to be given or denied | held, in line if it waits; taken with `force` |
 *
 * To a hold of one connection, the same name on another one is as any other name.
 */
import { type ShareOwner, Shares } from '../../base/shares.js';

/** Of both clocks, since one of them stands still while the machine sleeps. */
export interface Instant {
  /** Monotonic milliseconds. */
  readonly monotonicMs: number;
  /** Milliseconds since the Unix epoch. */
  readonly wallMs: number;
}

/** As a value for another process, whose monotonic clock is another. */
export interface FrozenInstant {
  readonly agoMs: number;
  readonly wallMs: number;
}

export function frozenInstant({ monotonicMs, wallMs }: Instant, now: Instant): FrozenInstant {
  return { agoMs: now.monotonicMs - monotonicMs, wallMs };
}

export function thawedInstant({ agoMs, wallMs }: FrozenInstant, now: Instant): Instant {
  return { monotonicMs: now.monotonicMs - agoMs, wallMs };
}

/** A name, on a connection. */
export interface Asker {
  readonly as: string;
  readonly connection?: object | undefined;
}

/** The same, of a request that may have no name. */
export interface Asking {
  readonly as?: string | undefined;
  readonly connection?: object | undefined;
}

/** A name that holds, or asks. */
export interface Claimant {
  readonly as: string;
  /** The only connection whose requests are the holder's. Undefined: all of the name are. */
  readonly owner?: object | undefined;
  readonly person: boolean;
  readonly reason: string | undefined;
  /** The hold ends so long after its last input. Undefined: it lasts until its release. */
  readonly leaseMs: number | undefined;
}

export interface Hold extends Claimant {
  /** Never given twice in one terminal. */
  readonly number: number;
  readonly since: Instant;
  readonly renewed: Instant;
  /** False: it was passed on to a name that has not acted since. */
  readonly claimed: boolean;
}

export interface ControlRequest extends Claimant {
  readonly since: Instant;
  /** A client with many names has a share of the line. */
  readonly takers?: ShareOwner;
}

export interface ControlState {
  readonly hold: Hold | undefined;
  /** In their order, one a name. */
  readonly requests: readonly ControlRequest[];
  readonly lastNumber: number;
}

export const FREE: ControlState = { hold: undefined, requests: [], lastNumber: 0 };

/** Of a name that control was passed on to and that has not acted since, whatever its own lease. */
export const UNCLAIMED_LEASE_MS = 60_000;

/** Requests in line, half of them of one client; further ones are refused. */
export const MAX_CONTROL_REQUESTS = 16;

/** A request that is not repeated is dropped. */
export const REQUEST_LIFE_MS = 600_000;

/** Why the holder is another one than before. */
export type Cause = 'taken' | 'forced' | 'released' | 'given' | 'expired' | 'gone';

export type Step =
  | ({
      readonly kind: 'take';
      readonly force: boolean;
      readonly waits: boolean;
      readonly takers?: ShareOwner;
    } & Claimant &
      Asker)
  /** Input of the holder; of another name it changes nothing. */
  | ({ readonly kind: 'renew' } & Asker)
  | { readonly kind: 'withdraw'; readonly as: string }
  | ({ readonly kind: 'release' } & Asker)
  | ({ readonly kind: 'give'; readonly to: string | undefined } & Asker)
  | ({ readonly kind: 'deny'; readonly to: string | undefined } & Asker)
  /** The owner has gone: the hold is the name's. */
  | { readonly kind: 'disown'; readonly number: number }
  | { readonly kind: 'end'; readonly number: number; readonly cause: 'expired' | 'gone' };

/**
 * `held`: another name holds. `requested`: so it does, and the request is in line. `withdrawn`: the name gave up its
 * request. `not_holder`: only the holder may do that. `no_request`: nobody of that name asks. `stale`: that hold is over.
 */
export type Outcome =
  | 'taken'
  | 'renewed'
  | 'held'
  | 'requested'
  | 'withdrawn'
  | 'released'
  | 'given'
  | 'denied'
  | 'not_holder'
  | 'no_request'
  | 'ended'
  | 'disowned'
  | 'stale';

export interface Stepped {
  readonly state: ControlState;
  readonly outcome: Outcome;
  /** Set if the holder is another one than before. */
  readonly cause?: Cause;
  /** The name whose request was denied, or came into the line. */
  readonly of?: string;
}

export function step(before: ControlState, taken: Step, now: Instant): Stepped {
  const requests = before.requests.filter(({ since }) => spanMs(since, now) < REQUEST_LIFE_MS);
  const state = requests.length === before.requests.length ? before : { ...before, requests };
  const { hold } = state;
  switch (taken.kind) {
    case 'take':
      return take(state, taken, now);
    case 'renew':
      if (hold === undefined || !isHolder(hold, taken)) return { state, outcome: 'not_holder' };
      return { state: { ...state, hold: { ...hold, renewed: now, claimed: true } }, outcome: 'renewed' };
    case 'withdraw':
      return withdraw(state, taken.as);
    case 'release':
      if (hold === undefined || !isHolder(hold, taken)) return withdraw(state, taken.as);
      return { state: passOn(state, now), outcome: 'released', cause: 'released' };
    case 'give':
      return give(state, taken, now);
    case 'deny':
      return deny(state, taken);
    case 'disown':
      if (hold?.number !== taken.number) return { state, outcome: 'stale' };
      return { state: { ...state, hold: { ...hold, owner: undefined } }, outcome: 'disowned' };
    case 'end':
      break;
  }
  if (hold?.number !== taken.number) return { state, outcome: 'stale' };
  return { state: passOn(state, now), outcome: 'ended', cause: taken.cause };
}

/** Until the lease of the hold ends; negative if it should have ended. Undefined: it has none. */
export function leaseLeftMs(hold: Hold, now: Instant): number | undefined {
  const leaseMs = hold.claimed ? hold.leaseMs : Math.min(hold.leaseMs ?? Infinity, UNCLAIMED_LEASE_MS);
  return leaseMs === undefined ? undefined : leaseMs - spanMs(hold.renewed, now);
}

/** By the clock that has advanced further: the machine may have slept, or its wall clock been set back. */
export function spanMs(from: Instant, to: Instant): number {
  return Math.max(to.monotonicMs - from.monotonicMs, to.wallMs - from.wallMs);
}

export function isHolder({ as, owner }: Claimant, asker: Asking): boolean {
  return as === asker.as && (owner === undefined || owner === asker.connection);
}

function take(state: ControlState, taken: Extract<Step, { kind: 'take' }>, now: Instant): Stepped {
  const { hold } = state;
  const { as, owner, person, reason, leaseMs, force, waits, takers } = taken;
  const claimant = { as, owner, person, reason, leaseMs };
  if (hold !== undefined && isHolder(hold, taken)) {
    // A name that a person uses stays that of a person.
    const renewed: Hold = { ...hold, ...claimant, person: person || hold.person, renewed: now, claimed: true };
    return { state: { ...state, hold: renewed }, outcome: 'renewed' };
  }
  const mayTake = hold === undefined || (person && (!hold.person || force));
  if (mayTake) {
    return {
      state: held(without(state, as), claimant, now, true),
      outcome: 'taken',
      cause: hold?.person === true ? 'forced' : 'taken',
    };
  }
  const asks = waits || (hold.person && !person);
  if (!asks) return { state, outcome: 'held' };
  const known = state.requests.some((request) => request.as === as);
  // The connection may have gone by the time that it is given: it is the name's until that takes it.
  const request: ControlRequest = { ...claimant, owner: undefined, since: now, takers };
  if (known) {
    // It keeps its place.
    const requests = state.requests.map((other) => (other.as === as ? request : other));
    return { state: { ...state, requests }, outcome: 'requested' };
  }
  const line = new Shares(
    MAX_CONTROL_REQUESTS,
    state.requests.map((one) => one.takers),
  );
  if (line.lack(takers) !== undefined) return { state, outcome: 'held' };
  return { state: { ...state, requests: [...state.requests, request] }, outcome: 'requested', of: as };
}

function give(state: ControlState, giver: Extract<Step, { kind: 'give' }>, now: Instant): Stepped {
  const { as, to } = giver;
  if (state.hold === undefined || !isHolder(state.hold, giver)) return { state, outcome: 'not_holder' };
  const request = state.requests.find((other) => other.as === (to ?? other.as));
  const name = request?.as ?? to;
  if (name === undefined) return { state, outcome: 'no_request' };
  // To itself: it goes on holding.
  if (name === as) return { state, outcome: 'renewed' };
  const claimant = request ?? { as: name, person: false, reason: undefined, leaseMs: UNCLAIMED_LEASE_MS };
  return { state: held(without(state, name), claimant, now, false), outcome: 'given', cause: 'given' };
}

function deny(state: ControlState, denier: Extract<Step, { kind: 'deny' }>): Stepped {
  const { to } = denier;
  if (state.hold === undefined || !isHolder(state.hold, denier)) return { state, outcome: 'not_holder' };
  const request = state.requests.find((other) => other.as === (to ?? other.as));
  if (request === undefined) return { state, outcome: 'no_request' };
  return { state: without(state, request.as), outcome: 'denied', of: request.as };
}

function withdraw(state: ControlState, as: string): Stepped {
  const left = without(state, as);
  return { state: left, outcome: left === state ? 'not_holder' : 'withdrawn' };
}

/** To the first request, or to nobody. */
function passOn(state: ControlState, now: Instant): ControlState {
  const [next, ...requests] = state.requests;
  return next === undefined ? { ...state, hold: undefined } : held({ ...state, requests }, next, now, false);
}

function held(state: ControlState, claimant: Claimant, now: Instant, claimed: boolean): ControlState {
  const { as, owner, person, reason, leaseMs } = claimant;
  const number = state.lastNumber + 1;
  const hold: Hold = { as, owner, person, reason, leaseMs, number, since: now, renewed: now, claimed };
  return { ...state, hold, lastNumber: number };
}

function without(state: ControlState, as: string): ControlState {
  const requests = state.requests.filter((request) => request.as !== as);
  return requests.length === state.requests.length ? state : { ...state, requests };
}
