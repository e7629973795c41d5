/**
 * Control of one terminal: carries out the steps of control-state.ts, publishes what they change, ends leases, and is the
 * gate of the terminal's input. Made with the first request for control.
 *
 * A take changes the holder at once, so that no further input of others begins, and is answered once the input that had
 * begun is written whole. A lease ends neither while input of the holder is on its way nor inside of a line or a paste
 * that it has begun, nor at a prompt that hides what is typed, or may. The line of a person who types no more is none.
 */
import type { Disposable } from '../../base/lifetime.js';
import { inputSecrecy } from '../../events/secrecy.js';
import { T4aError, quote } from '../../protocol/errors.js';
import type { CallConnection } from '../../rpc/service.js';
import {
  type Claimant as ShownClaimant,
  holdIsOver,
  type InputGate,
  type InputSender,
} from '../../terminal/input/input-gate.js';
import { isInteractiveShell } from '../../terminal/system/proc/shell-process.js';
import { presenceOf } from '../../terminal/presence.js';
import type { Terminal } from '../../terminal/terminal.js';
import {
  type Cause,
  type ControlRequest,
  type ControlState,
  type Hold,
  type Instant,
  type Step,
  type Stepped,
} from './control-state.js';
import {
  FREE,
  type FrozenInstant,
  frozenInstant,
  isHolder,
  leaseLeftMs,
  spanMs,
  step,
  thawedInstant,
} from './control-state.js';
import { inputModes } from '../../terminal/input/input-modes.js';
import { type FrozenLine, OpenLine } from './open-line.js';

/** A lease is looked at this often at least: timers stand still while the machine sleeps. */
const LEASE_CHECK_MS = 5000;

/** Between two looks at a lease that could end but for a line or a prompt. */
const KEPT_CHECK_MS = 1000;

/** For a client that connects anew. */
const GONE_GRACE_MS = 10_000;

/** An unfinished line of a person keeps a lease so long after their last key: who has gone away keeps nobody out. */
const UNFINISHED_LINE_MS = 20_000;

const PASTE_END = Buffer.from('\x1b[201~', 'latin1');

/** Input that is no part of a line. */
const BESIDE_LINES: ReadonlySet<string> = new Set(['mouse', 'focus', 'resize']);

type FrozenClaim<Claim extends ControlRequest> = Omit<Claim, 'owner' | 'takers' | 'since'> & {
  readonly since: FrozenInstant;
};

export interface FrozenControl {
  readonly hold: FrozenClaim<Omit<Hold, 'renewed'>> | undefined;
  readonly renewed: FrozenInstant | undefined;
  readonly requests: readonly FrozenClaim<ControlRequest>[];
  readonly lastNumber: number;
  readonly line: FrozenLine;
  /** To a connection. */
  readonly isTied: boolean;
  readonly goneSince: FrozenInstant | undefined;
}

export class TerminalControl implements InputGate, Disposable {
  readonly #terminal: Terminal;
  #state: ControlState = FREE;
  #line = new OpenLine();
  #timer: Disposable | undefined;
  /** Of the holder's connection, and then the time that is left to it. */
  #connection: Disposable | undefined;
  #goneSince: Instant | undefined;
  readonly #changed = new Set<() => void>();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  get state(): ControlState {
    return this.#state;
  }

  get holder(): string | undefined {
    return this.#state.hold?.as;
  }

  holderFor(asker: Pick<InputSender, 'as' | 'connection'>): string | undefined {
    const { holder } = this;
    return holder === undefined || holder !== asker.as || this.isHeldBy(asker) ? holder : `${holder} elsewhere`;
  }

  /** Whether a request of this name, on this connection, is one of the holder. */
  isHeldBy(asker: Pick<InputSender, 'as' | 'connection'>): boolean {
    return this.#state.hold !== undefined && isHolder(this.#state.hold, asker);
  }

  get hold(): Hold | undefined {
    return this.#state.hold;
  }

  get claimant(): ShownClaimant | null {
    const { hold } = this.#state;
    return hold === undefined ? null : claimantOf(hold);
  }

  get shown(): InputGate['shown'] {
    const { claimant } = this;
    return claimant === null ? null : { ...claimant, requests: this.#state.requests.map(({ as }) => as) };
  }

  get requests(): ShownClaimant[] {
    return this.#state.requests.map(claimantOf);
  }

  now(): Instant {
    const { clock } = this.#terminal;
    return { monotonicMs: clock.now(), wallMs: clock.wallNow() };
  }

  admit(sender: InputSender): void {
    const { ifHold, isAnswer = false } = sender;
    const { hold } = this.#state;
    if (hold !== undefined && !isHolder(hold, sender) && (hold.person || !isAnswer))
      throw this.heldError(hold, 'nothing was written');
    if (ifHold !== undefined && hold?.number !== ifHold) throw holdIsOver(this.#terminal.id, ifHold);
  }

  admitAct(asker: Pick<InputSender, 'as' | 'connection'>): void {
    const { hold } = this.#state;
    if (hold !== undefined && !isHolder(hold, asker)) throw this.heldError(hold, 'nothing was done');
  }

  isAgent(as: string): boolean {
    const { hold, requests } = this.#state;
    return [hold, ...requests].some((one) => one?.as === as && !one.person);
  }

  onWrite({ as, connection, cmd }: InputSender, bytes: Uint8Array): void {
    // What was begun before a take is written whole; it is no input of the holder.
    if (as === undefined || !this.isHeldBy({ as, connection })) return;
    if (!BESIDE_LINES.has(cmd)) this.#line.feed(bytes);
    this.take({ kind: 'renew', as, connection });
  }

  heldError(hold: Hold, consequence: string): T4aError {
    return controlHeld(this.#terminal.id, hold, this.now(), consequence);
  }

  /** One step, with all that follows from it. @param note for the event */
  take(taken: Step, note?: string): Stepped {
    const before = this.#state.hold;
    const stepped = step(this.#state, taken, this.now());
    this.#state = stepped.state;
    const { hold } = stepped.state;
    if (stepped.outcome === 'taken' && taken.kind === 'take' && taken.force && hold !== undefined) {
      this.#terminal.input.cutShort(this.heldError(hold, 'the rest was not written'));
    }
    if (hold?.number !== before?.number) this.#passed(before, stepped.cause ?? 'taken', note);
    // Whether it ends with a connection is decided anew.
    if (taken.kind === 'take' && stepped.outcome === 'renewed') this.#untie();
    if (stepped.outcome === 'denied') this.#publish('denied', before, note, stepped.of);
    if (stepped.outcome === 'requested' && stepped.of !== undefined) this.#publishRequest(stepped.of);
    if (stepped.outcome !== 'renewed' || taken.kind === 'take') this.#armLease();
    for (const listener of this.#changed) listener();
    // No event says so: watchers are shown whose it is all the same.
    if (hold?.number === before?.number && hold?.owner !== before?.owner) presenceOf(this.#terminal).changed.emit();
    return stepped;
  }

  /** Called after each step. */
  onStep(listener: () => void): Disposable {
    this.#changed.add(listener);
    return { dispose: () => void this.#changed.delete(listener) };
  }

  /** The hold ends some time after the connection, unless its name takes anew. */
  tieTo(connection: CallConnection): void {
    const number = this.#state.hold?.number ?? 0;
    this.#untie();
    this.#connection = connection.onGone(() => {
      // The same name may go on, on another connection.
      this.take({ kind: 'disown', number });
      this.#goneFrom(this.now());
    });
  }

  #goneFrom(since: Instant): void {
    const number = this.#state.hold?.number ?? 0;
    this.#goneSince = since;
    const leftMs = Math.max(0, GONE_GRACE_MS - spanMs(since, this.now()));
    this.#connection = this.#terminal.clock.after(leftMs, () => this.take({ kind: 'end', number, cause: 'gone' }));
  }

  /** Until the hold ends if nothing happens; 0 if that waits for a line or a prompt. Undefined: it does not end. */
  get leftMs(): number | undefined {
    const { hold } = this.#state;
    if (hold === undefined) return undefined;
    const goneMs = this.#goneSince === undefined ? Infinity : GONE_GRACE_MS - spanMs(this.#goneSince, this.now());
    const leftMs = Math.min(leaseLeftMs(hold, this.now()) ?? Infinity, goneMs);
    return leftMs === Infinity ? undefined : Math.max(0, Math.ceil(leftMs));
  }

  #untie(): void {
    this.#connection?.dispose();
    this.#connection = undefined;
    this.#goneSince = undefined;
  }

  freeze(): FrozenControl {
    const { hold, requests, lastNumber } = this.#state;
    const now = this.now();
    return {
      hold: hold && frozenClaim(hold, now),
      renewed: hold && frozenInstant(hold.renewed, now),
      requests: requests.map((request) => frozenClaim(request, now)),
      lastNumber,
      line: this.#line.freeze(),
      isTied: this.#connection !== undefined,
      goneSince: this.#goneSince && frozenInstant(this.#goneSince, now),
    };
  }

  /** No connection is there any more: a hold that ends with one has the time for another one to come. */
  restore({ hold, renewed, requests, lastNumber, line, isTied, goneSince }: FrozenControl): void {
    const now = this.now();
    this.#state = {
      hold: hold && renewed && { ...thawedClaim(hold, now), renewed: thawedInstant(renewed, now) },
      requests: requests.map((request) => thawedClaim(request, now)),
      lastNumber,
    };
    this.#line.restore(line);
    if (isTied) this.#goneFrom(goneSince === undefined ? now : thawedInstant(goneSince, now));
    this.#armLease();
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#untie();
  }

  #passed(before: Hold | undefined, cause: Cause, note: string | undefined): void {
    this.#untie();
    const line = this.#line;
    this.#line = new OpenLine();
    // What the next one types must not become part of the paste.
    if (line.isInPaste && inputModes(this.#terminal).bracketedPaste && this.#terminal.alive) {
      void this.#terminal.input.take(PASTE_END.length, (writer) => writer.write(PASTE_END)).catch(() => {});
    }
    this.#publish(cause, before, note);
  }

  #publish(cause: Cause | 'denied', before: Hold | undefined, note: string | undefined, of?: string): void {
    const { hold } = this.#state;
    this.#terminal.publish({
      event: 'control',
      terminal: this.#terminal.id,
      holder: hold?.as ?? null,
      person: hold?.person ?? false,
      was: before?.as ?? null,
      cause,
      ...(of === undefined ? {} : { of }),
      ...(hold?.reason === undefined ? {} : { reason: hold.reason }),
      ...(note === undefined ? {} : { note }),
    });
  }

  #publishRequest(as: string): void {
    const request = this.#state.requests.find((other) => other.as === as);
    if (request === undefined) return;
    const { person, reason } = request;
    this.#terminal.publish({
      event: 'control_requested',
      terminal: this.#terminal.id,
      as,
      person,
      ...(reason === undefined ? {} : { reason }),
    });
  }

  #armLease(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const { hold } = this.#state;
    const leftMs = hold === undefined ? undefined : leaseLeftMs(hold, this.now());
    if (hold !== undefined && leftMs !== undefined)
      this.#lookAtLeaseIn(Math.min(Math.max(leftMs, 0), LEASE_CHECK_MS), hold.number);
  }

  #lookAtLeaseIn(ms: number, number: number): void {
    this.#timer = this.#terminal.clock.after(ms, () => void this.#lookAtLease(number));
  }

  async #lookAtLease(number: number): Promise<void> {
    if (!this.#isOver(number)) return;
    const isClaimed = this.#state.hold?.claimed === true;
    const isKept = isClaimed && (this.#isTyping() || (await this.#isAtHiddenPrompt()) || this.#isTyping());
    // It may have been renewed, or passed on, in the meantime.
    if (!this.#isOver(number)) return;
    if (isKept) this.#lookAtLeaseIn(KEPT_CHECK_MS, number);
    else this.take({ kind: 'end', number, cause: 'expired' });
  }

  /** Looks later again if not. */
  #isOver(number: number): boolean {
    const { hold } = this.#state;
    if (hold?.number !== number) return false;
    const isOver = (leaseLeftMs(hold, this.now()) ?? 1) <= 0;
    if (!isOver) this.#armLease();
    return isOver;
  }

  #isTyping(): boolean {
    return this.#terminal.alive && (this.#line.isInPaste || this.#isInLine() || this.#terminal.input.isBusy);
  }

  #isInLine(): boolean {
    const { hold } = this.#state;
    if (hold === undefined || !this.#line.isUnfinished) return false;
    return !hold.person || spanMs(hold.renewed, this.now()) < UNFINISHED_LINE_MS;
  }

  async #isAtHiddenPrompt(): Promise<boolean> {
    const { detectors } = this.#terminal;
    if (!this.#terminal.alive || (detectors.tellsAwaitingInput && (await detectors.probeInput()) === undefined))
      return false;
    const flags = await this.#terminal.flags();
    return flags !== undefined && inputSecrecy(flags, detectors.shell.atPrompt || this.#isInShellEditor()) !== 'shown';
  }

  /** A shell without marks: its editor asks for pastes with brackets while it edits a line, and its builtin `read` does not. */
  #isInShellEditor(): boolean {
    return inputModes(this.#terminal).bracketedPaste && isInteractiveShell(this.#terminal.foregroundGroup);
  }
}

/** Without its connection and its share: these are of the other process. */
function frozenClaim<Claim extends ControlRequest>(claim: Claim, now: Instant): FrozenClaim<Claim> {
  const { owner: _, takers: __, since, ...own } = claim;
  return { ...own, since: frozenInstant(since, now) };
}

function thawedClaim<Claim extends ControlRequest>({ since, ...own }: FrozenClaim<Claim>, now: Instant) {
  return { ...own, owner: undefined, since: thawedInstant(since, now) };
}

function claimantOf({ as, owner, person, reason, since }: ControlRequest): ShownClaimant {
  const why = reason === undefined ? {} : { reason };
  return { as, person, since: since.wallMs, ...why, ...(owner === undefined ? {} : { exclusive: true }) };
}

/** The control of a terminal, made if need be. */
export function controlOf(terminal: Terminal): TerminalControl {
  const { gate } = terminal.input;
  if (gate instanceof TerminalControl) return gate;
  const control = new TerminalControl(terminal);
  terminal.input.gate = control;
  terminal.feed.add({ onEvent: ({ event }) => void (event === 'removed' && control.dispose()) });
  return control;
}

/** The refusal of what another name has: who, why, since when, and what to do about it. */
export function controlHeld(id: string, hold: Hold, now: Instant, consequence: string): T4aError {
  const { as, owner, person, reason, since } = hold;
  const why = reason === undefined ? '' : ` (${quote(reason)})`;
  const seconds = Math.floor(spanMs(since, now) / 1000);
  const who = `${person ? 'a person' : 'an agent'}${owner === undefined ? '' : ' on a connection of its own'}`;
  const message = `Terminal "${id}" is in the hands of ${as}, ${who}${why}, for ${seconds} s: ${consequence}.`;
  return new T4aError('control_held', message, { hint: `t4a wait ${id} --control free` });
}
