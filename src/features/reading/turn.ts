/**
 * A turn: act on a terminal, wait, observe. The wait is armed before the act, so that no change is missed, and the
 * observed screen is that of the very instant in which the wait ended.
 */
import { doingOf, shownDoing } from '../../events/status/doing-view.js';
import type { z } from 'zod';
import type { WaitParams, WaitReply } from '../../protocol/conditions.js';
import { isT4aError, T4aError } from '../../protocol/errors.js';
import type { ObserveParams, turnReplyShape } from '../../protocol/observation.js';
import type { Call } from '../../rpc/service.js';
import { defaultPicture, type PictureParams } from '../../protocol/picture.js';
import { capture, type Capture, checkPicture } from '../pictures/capture.js';
import type { LookingCore } from '../pictures/looking-core.js';
import { LargeReplies } from './large-replies.js';
import type { Terminal } from '../../terminal/terminal.js';
import { textFor } from './looked-text.js';
import { failedLook } from './failed-look.js';
import { pictureWarning } from '../pictures/unshown-picture.js';
import { waitFirst } from '../../terminal/wait-first.js';

export interface TurnParams {
  readonly wait?: WaitParams | undefined;
  readonly observe?: ObserveParams | undefined;
}

type TurnReply = Omit<z.output<z.ZodObject<typeof turnReplyShape>>, 'len'>;

export interface TurnAnswer<Acted = object> {
  readonly reply: Acted & TurnReply;
  readonly bytes?: readonly Uint8Array[];
}

export interface Act<Acted> {
  /** The input of the act. */
  readonly input: string;
  /** Its result comes first in the reply. */
  readonly act: () => Promise<Acted>;
}

/** @throws the error of a refused wait, before the act; the errors of the act */
export async function takeTurn<Acted extends object>(
  core: LookingCore,
  terminal: Terminal,
  params: TurnParams,
  { input, act }: Act<Acted>,
  call: Call,
): Promise<TurnAnswer<Acted>> {
  const turn = new Turn(core, terminal, params, call);
  return turn.answer(await turn.act(input, act));
}

/** From the request to its reply: checked, then one act, then what follows it. A wait is under way from the act to the answer. */
export class Turn {
  readonly #core: LookingCore;
  readonly #terminal: Terminal;
  readonly #params: TurnParams;
  readonly #call: Call;
  /** Undefined without a wait. */
  #waited: Promise<Seen> | undefined;
  #doing = (): Pick<TurnReply, 'doing'> => ({});

  /** @throws T4aError for what no screen could make right */
  constructor(core: LookingCore, terminal: Terminal, params: TurnParams, call: Call) {
    if (params.wait?.fresh === false) throw notFresh();
    checkObserve(core, params.observe);
    this.#core = core;
    this.#terminal = terminal;
    this.#params = params;
    this.#call = call;
  }

  /** Once. @param input that the program may echo @throws the error of a refused wait, before the act; the errors of the act */
  async act<Acted>(input: string, act: () => Promise<Acted>): Promise<Acted> {
    const failed = new AbortController();
    this.#doing = followDoing(this.#terminal);
    this.#arm(input, failed.signal);
    try {
      return await act();
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  }

  /** Nothing that follows an act which was done makes it an error. @param acted comes first in the reply */
  async answer<Acted extends object>(acted: Acted): Promise<TurnAnswer<Acted>> {
    const seen = await this.#seen().catch((error: unknown) => unseen(error, this.#call));
    return { ...seen, reply: { ...acted, ...this.#doing(), ...seen.reply } };
  }

  #arm(input: string, failed: AbortSignal): void {
    const { wait: params, observe } = this.#params;
    if (params === undefined) return;
    const { as, connection, restriction } = this.#call;
    const signal = AbortSignal.any([this.#call.signal, failed]);
    this.#waited = this.#terminal.waits.start(
      { params, input, signal, as, connection, reach: restriction?.reach },
      (reply) => observeScreen(this.#core, this.#terminal, observe, reply, this.#call),
    );
    // Awaited by the answer, unless the act fails.
    this.#waited.catch(() => {});
  }

  async #seen(): Promise<TurnAnswer> {
    const { observe } = this.#params;
    if (this.#waited !== undefined) return drawnAfter(this.#core, this.#terminal, await this.#waited, this.#call);
    if (observe === undefined) return { reply: {} };
    await this.#terminal.settle();
    return answerOf(
      this.#core,
      this.#terminal,
      observeScreen(this.#core, this.#terminal, observe, undefined, this.#call),
      this.#call,
    );
  }
}

/** @returns what the program is doing, if it is another thing since the call */
function followDoing(terminal: Terminal): () => Pick<TurnReply, 'doing'> {
  const view = doingOf(terminal);
  const before = view?.shown;
  return () => {
    const now = view?.shown;
    if (now === undefined || (now.is === before?.is && now.kind === before.kind)) return {};
    return { doing: shownDoing(now) };
  };
}

async function drawnAfter(core: LookingCore, terminal: Terminal, seen: Seen, call: Call): Promise<TurnAnswer> {
  try {
    return await answerOf(core, terminal, seen, call);
  } catch (error) {
    return { reply: { ...outcomeOf(seen), ...unseen(error, call).reply } };
  }
}

function outcomeOf({ wait }: Seen): Pick<TurnReply, 'wait'> {
  return wait === undefined ? {} : { wait };
}

function unseen(error: unknown, { signal }: Call): TurnAnswer {
  return { reply: { observed: failedLook(error, signal) } };
}

/**
 * A wait for the first screen of a new terminal, and the look at it: the terminal is there even if the look fails.
 * `isFirst`: it was made by this request, and not found by its name.
 * @throws T4aError for a wait that is refused
 */
export async function seeNew(
  core: LookingCore,
  terminal: Terminal,
  { wait, observe, isFirst }: TurnParams & { readonly wait: WaitParams; readonly isFirst: boolean },
  call: Call,
): Promise<TurnAnswer> {
  const see = (reply: WaitReply): Seen => observeScreen(core, terminal, observe, reply, call);
  try {
    return await drawnAfter(core, terminal, await waitFirst(terminal, wait, call, see, isFirst), call);
  } catch (error) {
    // The terminal goes on in the other daemon, and so does the wait.
    if (isT4aError(error) && error.code === 'replaced') return unseen(error, call);
    throw error;
  }
}

/** A wait without an act: what is true already counts, unless it is `fresh`. */
export async function waitAndObserve(
  core: LookingCore,
  terminal: Terminal,
  wait: WaitParams,
  observe: ObserveParams | undefined,
  call: Call,
): Promise<TurnAnswer & { readonly wait: WaitReply }> {
  checkObserve(core, observe);
  const see = (reply: WaitReply) => ({ ...observeScreen(core, terminal, observe, reply, call), wait: reply });
  const seen = await waitFirst(terminal, wait, call, see);
  return { ...(await looked(core, terminal, seen, call)), wait: seen.wait };
}

/** Refuses a picture that no screen could make right. @throws T4aError bad_regex, invalid_field */
export function checkObserve(
  { looks: { themes } }: LookingCore,
  observe: ObserveParams | undefined,
  size?: { readonly cols: number; readonly rows: number },
): void {
  if (typeof observe?.screenshot === 'object') checkPicture(observe.screenshot, themes, size);
  if (typeof observe?.text !== 'object' || !observe.text.changed || observe.text.region === 'viewport') return;
  throw new T4aError('invalid_field', '"changed" of "observe.text" goes with the region "viewport" alone.', {
    field: 'observe.text.region',
    hint: 'Leave the region out.',
  });
}

/** Of all connections. */
const largeReplies = new LargeReplies();

/** The turn's part of the reply. */
export async function answerOf(core: LookingCore, terminal: Terminal, seen: Seen, call: Call): Promise<TurnAnswer> {
  const { reply, ...drawn } = await looked(core, terminal, seen, call);
  return { ...drawn, reply: { ...outcomeOf(seen), ...reply } };
}

/** Without the outcome of the wait. */
async function looked(core: LookingCore, terminal: Terminal, seen: Seen, call: Call): Promise<TurnAnswer> {
  const { wait, observed, inputs, picture } = seen;
  if (wait !== undefined && picture === undefined) core.looks.prefetch.start(terminal);
  if (wait !== undefined && observed !== undefined && 'lines' in observed) {
    await largeReplies.turn(observed.lines ?? [], call);
  }
  if (observed === undefined) return { reply: { inputs } };
  if (picture === undefined) return { reply: { inputs, observed } };
  const { facts, bytes } = await core.looks.draw(picture.capture, picture.params, call);
  const { rev: _rev, cols: _cols, rows: _rows, region, ...ofPicture } = facts;
  return { reply: { inputs, observed, ...ofPicture, ...(region && { picture_region: region }) }, bytes };
}

function notFresh(): T4aError {
  return new T4aError('invalid_field', '"wait.fresh" is false: a command that acts counts only what comes after it.', {
    field: 'wait.fresh',
    hint: 'Leave it out, or ask "wait" first.',
  });
}

/** The screen as observed when the wait ended; without a wait, at once. */
export interface Seen {
  readonly wait: WaitReply | undefined;
  readonly observed: TurnReply['observed'];
  /** Of the terminal, at that instant. */
  readonly inputs: number;
  readonly picture: { readonly capture: Capture; readonly params: PictureParams } | undefined;
}

/** In one step: text, cursor and picture are of the same revision. */
export function observeScreen(
  { clock }: Pick<LookingCore, 'clock'>,
  terminal: Terminal,
  observe: ObserveParams | undefined,
  wait: WaitReply | undefined,
  asker: Call,
): Seen {
  const { rev, facts } = terminal.screen;
  const { inputs } = terminal.input;
  if (observe === undefined) return { wait, observed: undefined, inputs, picture: undefined };
  const { row, col, visible } = facts.cursor;
  const observed = {
    rev,
    ...(observe.text === false ? {} : textFor(terminal, observe.text, { asker, nowMs: clock.now() })),
    ...(observe.cursor ? { cursor: { row, col, visible } } : {}),
    ...pictureWarning(terminal),
  };
  if (observe.screenshot === false) return { wait, observed, inputs, picture: undefined };
  const params = observe.screenshot === true ? defaultPicture() : observe.screenshot;
  return { wait, observed, inputs, picture: { capture: capture(terminal, params), params } };
}
