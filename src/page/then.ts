/** One terminal as it was: how far its history goes, and the screen of one moment. Of moments that are asked for, the latest wins; none are queued. */
import { Mirror, type Frame } from '../mirror/mirror.js';
import { RequestError } from './request-error.js';

export interface ThenOptions {
  /** The screen of a moment. @throws RequestError */
  readonly frameAt: (at: string) => Promise<Frame>;
  /** Its history grows. */
  readonly isLive: () => boolean;
  /** Time goes on to the end, although nothing changes: of a recording. */
  readonly isRecording: boolean;
  readonly show: (mirror: Mirror | undefined) => void;
  readonly changed: () => void;
}

/** Milliseconds of the daemon's clock. */
export interface Extent {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Moment {
  /** As `at` of the protocol has it. */
  readonly at: string;
  readonly ms: number;
}

type PastFrame = Frame & { readonly at: NonNullable<Frame['at']> };

/** Halves of the search for the oldest moment, which some histories do not begin with. */
const MOST_PROBES = 40;
/** It is found to a part of so many. */
const PARTS = 400;

const NO_HISTORY =
  'This terminal has no history. The daemon keeps one of each new terminal, unless "history_bytes" is 0: t4a config --history-bytes 8MiB';
const TOO_OLD = 'The daemon of this terminal is too old to show its past. Start it again with this version of t4a.';

export class Then {
  /** Why there is nothing to see; empty if there is. */
  trouble = '';
  /** What is looked at; undefined: now. */
  moment: Moment | undefined;
  readonly #options: ThenOptions;
  #extent: Extent | undefined;
  /** The daemon's clock less the page's. */
  #offsetMs = 0;
  #wanted: Moment | undefined;
  /** Whose screen is there. */
  #drawn: Moment | undefined;
  #isAsking = false;
  #isLeft = false;

  constructor(options: ThenOptions) {
    this.#options = options;
  }

  /** Undefined until it is known. */
  get extent(): Extent | undefined {
    const { isLive } = this.#options;
    return this.#extent && (isLive() ? { ...this.#extent, toMs: performance.now() + this.#offsetMs } : this.#extent);
  }

  /** The screen of the moment is on its way. */
  get isComing(): boolean {
    return this.moment !== this.#drawn && this.trouble === '';
  }

  leave(): void {
    this.#isLeft = true;
    this.now();
  }

  /** At the beginning, and once the connection is there again. */
  async begin(): Promise<void> {
    try {
      await this.#measure();
      this.trouble = '';
    } catch (error) {
      this.trouble = troubleOf(error);
    }
    const { moment } = this;
    if (this.#isLeft) return;
    if (moment !== undefined) this.go(moment);
    this.#options.changed();
  }

  /** Beyond its end it is now. */
  goTo(ms: number): void {
    const { extent } = this;
    if (extent === undefined) return;
    const isEnd = ms >= extent.toMs;
    if (isEnd && !this.#options.isRecording) return this.now();
    const at = Math.min(Math.max(ms, extent.fromMs), extent.toMs);
    // The oldest screen may have come within its millisecond.
    this.go({ at: isEnd ? 'end' : `ts:${Math.ceil(at)}`, ms: at });
  }

  go(moment: Moment): void {
    if (this.#isLeft) return;
    this.moment = moment;
    this.#wanted = moment;
    this.#options.changed();
    if (!this.#isAsking) void this.#run();
  }

  now(): void {
    this.moment = this.#wanted = this.#drawn = undefined;
    this.#options.show(undefined);
    this.#options.changed();
  }

  async #run(): Promise<void> {
    this.#isAsking = true;
    try {
      for (let next = this.#take(); next !== undefined; next = this.#take()) await this.#ask(next);
    } catch (error) {
      this.trouble = troubleOf(error);
      this.#options.changed();
    } finally {
      this.#isAsking = false;
    }
  }

  #take(): Moment | undefined {
    const wanted = this.#wanted;
    this.#wanted = undefined;
    return wanted;
  }

  async #ask(moment: Moment): Promise<void> {
    let frame: PastFrame;
    try {
      frame = await this.#frame(moment.at);
    } catch (error) {
      if (!(error instanceof RequestError) || error.code !== 'moment_lost') throw error;
      return this.#lost(moment);
    }
    if (this.#isLeft || this.moment === undefined) return;
    this.trouble = '';
    const mirror = new Mirror();
    mirror.apply(frame);
    this.#drawn = moment;
    this.#options.show(mirror);
    this.#options.changed();
  }

  /** The history was trimmed, begun anew or forgotten while the person looked at it. */
  async #lost({ ms }: Moment): Promise<void> {
    const before = this.#extent;
    await this.#measure();
    if (this.#isLeft || this.#extent === undefined) return;
    const { fromMs } = this.#extent;
    const isTrimmed = fromMs > ms;
    this.trouble = isTrimmed
      ? 'That moment is not kept any more: this is the oldest one that is.'
      : 'The history has a gap at that moment.';
    this.#options.changed();
    // The oldest is looked at once: it may be gone again by then.
    if (isTrimmed && fromMs !== before?.fromMs && this.#wanted === undefined && this.moment !== undefined) {
      this.moment = { at: `ts:${Math.ceil(fromMs)}`, ms: fromMs };
      const frame = await this.#frame(this.moment.at);
      const mirror = new Mirror();
      mirror.apply(frame);
      if (!this.#isLeft) this.#options.show(mirror);
    }
  }

  async #measure(): Promise<void> {
    const { isLive, isRecording } = this.#options;
    const { at } = await this.#frame('end');
    const nowMs = at.ts + at.ago_ms;
    this.#offsetMs = nowMs - performance.now();
    const toMs = isLive() || isRecording ? nowMs : at.ts;
    this.#extent = { fromMs: await this.#oldest(toMs), toMs };
  }

  async #oldest(toMs: number): Promise<number> {
    const start = await this.#timeOf('start');
    if (start !== undefined) return start;
    let [lost, kept] = [-Infinity, toMs];
    for (let probes = 0, stepMs = 1000; probes < MOST_PROBES; probes++) {
      if (kept - lost <= Math.max(100, (toMs - kept) / PARTS)) break;
      const middle = lost === -Infinity ? kept - stepMs : (kept + lost) / 2;
      stepMs *= 4;
      // A screen that was shown since before it is no older than the history.
      if ((await this.#timeOf(`ts:${Math.max(0, Math.floor(middle))}`)) === undefined) lost = middle;
      else kept = middle;
    }
    return kept;
  }

  /** Undefined if it is lost. */
  async #timeOf(at: string): Promise<number | undefined> {
    try {
      return (await this.#frame(at)).at.ts;
    } catch (error) {
      if (error instanceof RequestError && error.code === 'moment_lost') return undefined;
      throw error;
    }
  }

  async #frame(at: string): Promise<PastFrame> {
    const frame = await this.#options.frameAt(at);
    if (frame.at === undefined) throw new RequestError('unknown_field', TOO_OLD);
    return frame as PastFrame;
  }
}

function troubleOf(error: unknown): string {
  if (!(error instanceof RequestError)) throw error;
  if (error.code === 'moment_lost') return NO_HISTORY;
  if (error.code === 'unknown_field' || error.code === 'unknown_cmd' || error.code === 'invalid_field') return TOO_OLD;
  if (error.code === 'connection_lost') return 'The connection is lost. What is shown stays; trying again.';
  return error.message;
}
