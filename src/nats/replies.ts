/** Replies of the daemon, which pass as they come. Lines of our own are put between them, or in the place of one. */
import { Transform, type TransformCallback } from 'node:stream';

/** Lines `lagged` of a replay are replaced by what is known of the events that they count. */
export interface LineReplay {
  /** Name of the request; undefined if it has none. */
  readonly req: unknown;
  /** Lines in its place, without the name of the request. */
  readonly lines: (missed: number, after?: number) => AsyncIterable<object>;
}

interface Expected {
  readonly replay: LineReplay;
  /** A line of it has come: what has no `after` now is of a reader that was slow. */
  hasBegun: boolean;
  gaps: number;
}

/** Most replays of a connection. Beyond, the oldest one's gaps stay as they are. */
const MAX_REPLAYS = 64;
/** Most gaps of a replay: each reads the recording from its beginning. */
const MAX_GAPS = 16;

const NEWLINE = 0x0a;
/** A longer line is neither `lagged` nor a refusal. */
const MAX_SHORT = 4096;
/** Words in lines that matter to a replay that has begun. */
const ENDS = ['"lagged"', '"ok":false'];

export class Replies extends Transform {
  readonly #waiting: string[] = [];
  #waitingBytes = 0;
  /** Parts of the line under way; with replays that are expected it is held, else it has passed. */
  #line: Buffer[] = [];
  #isHeld = false;
  #raw = 0;
  #replays: Expected[] = [];
  #onRoom = (): void => {};
  /** Waits for room. */
  readonly #roomless: (() => void)[] = [];

  /** Inserts a line at once between two replies, else after the one that is under way. */
  insert(line: string): void {
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    this.#insertWaiting();
  }

  get heldBytes(): number {
    const line = this.#line.reduce((sum, { length }) => sum + length, 0);
    return this.#waitingBytes + line + this.readableLength + this.writableLength;
  }

  /** Undefined if there is room for a line; else resolves once there is, or there is no reader any more. */
  room(): Promise<void> | undefined {
    if (this.destroyed || (this.#waiting.length === 0 && this.readableLength < this.readableHighWaterMark))
      return undefined;
    return new Promise((resolve) => void this.#roomless.push(resolve));
  }

  /** Before the request goes to the daemon. */
  expect(replay: LineReplay): void {
    this.#replays.push({ replay, hasBegun: false, gaps: 0 });
    if (this.#replays.length > MAX_REPLAYS) this.#replays.shift();
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    if (this.#replays.length > 0 || this.#isHeld) return void this.#passEach(chunk, done);
    for (let at = 0; at < chunk.length;) at = this.#raw > 0 ? this.#passRaw(chunk, at) : this.#passLine(chunk, at);
    this.push(chunk);
    this.#insertWaiting();
    done();
  }

  override _read(size: number): void {
    this.#onRoom();
    super._read(size);
    this.#freeRoomless();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#onRoom();
    super._destroy(error, done);
    this.#freeRoomless();
  }

  /** The next lines find out whether there is more room. */
  #freeRoomless(): void {
    if (!this.destroyed && this.#waiting.length > 0) return;
    for (const resolve of this.#roomless.splice(0)) resolve();
  }

  async #passEach(chunk: Buffer, done: TransformCallback): Promise<void> {
    for (let at = 0; at < chunk.length && !this.destroyed;) {
      const isBetween = this.#raw === 0 && this.#line.length === 0;
      if (isBetween) this.#isHeld = this.#replays.length > 0;
      let whole: Buffer | undefined;
      const end = this.#raw > 0 ? this.#passRaw(chunk, at) : this.#passLine(chunk, at, (line) => (whole = line));
      const held = this.#isHeld;
      if (!held) this.push(chunk.subarray(at, end));
      at = end;
      if (!held || whole === undefined) continue;
      this.#isHeld = false;
      await this.#passHeld(whole);
    }
    this.#insertWaiting();
    done();
  }

  async #passHeld(line: Buffer): Promise<void> {
    const replay = this.#replayOf(line);
    if (replay === undefined) {
      this.push(Buffer.concat([line, Buffer.from('\n')]));
      return;
    }
    for await (const each of replay.lines) {
      if (this.destroyed) return;
      const { req } = replay;
      const hasRoom = this.push(`${JSON.stringify(req === undefined ? each : { ...each, req })}\n`);
      if (hasRoom) continue;
      await new Promise<void>((resolve) => {
        this.#onRoom = resolve;
      });
      this.#onRoom = () => {};
    }
  }

  /** A refusal ends the wait for a replay, and so does `lagged` without `after`. */
  #replayOf(line: Buffer): { readonly req: unknown; readonly lines: AsyncIterable<object> } | undefined {
    const isOfInterest = this.#replays.some(({ hasBegun }) => !hasBegun) || ENDS.some((word) => line.includes(word));
    if (line.length > MAX_SHORT || !isOfInterest) return undefined;
    let reply: Readonly<Record<string, unknown>>;
    try {
      reply = JSON.parse(line.toString()) as Record<string, unknown>;
    } catch {
      return undefined;
    }
    const { event, missed, after, req, ok } = reply;
    const expected = this.#replays.find(({ replay }) => replay.req === req);
    if (expected === undefined || ok === true) return undefined;
    const { hasBegun } = expected;
    expected.hasBegun = true;
    const isGap = event === 'lagged' && typeof missed === 'number';
    const isPlaced = isGap && typeof after === 'number';
    const isOver = ok === false || (isGap && !isPlaced) || (isPlaced && ++expected.gaps >= MAX_GAPS);
    if (isOver) this.#replays = this.#replays.filter((one) => one !== expected);
    if (isPlaced) return { req, lines: expected.replay.lines(missed, after) };
    return isGap && !hasBegun ? { req, lines: expected.replay.lines(missed) } : undefined;
  }

  #insertWaiting(): void {
    if (this.#raw > 0 || this.#line.length > 0) return;
    this.#waitingBytes = 0;
    for (const line of this.#waiting.splice(0)) this.push(line);
    if (this.readableLength < this.readableHighWaterMark) this.#freeRoomless();
  }

  #passRaw(chunk: Buffer, at: number): number {
    const taken = Math.min(this.#raw, chunk.length - at);
    this.#raw -= taken;
    return at + taken;
  }

  /** @returns where it ends in the chunk */
  #passLine(chunk: Buffer, at: number, onWhole: (line: Buffer) => void = () => {}): number {
    const newline = chunk.indexOf(NEWLINE, at);
    this.#line.push(chunk.subarray(at, newline === -1 ? chunk.length : newline));
    if (newline === -1) return chunk.length;
    const line = Buffer.concat(this.#line);
    this.#raw = rawBytesOf(line);
    this.#line = [];
    onWhole(line);
    return newline + 1;
  }
}

function rawBytesOf(line: Buffer): number {
  if (!line.includes('"len":')) return 0;
  try {
    const { ok, len } = JSON.parse(line.toString()) as { ok?: unknown; len?: unknown };
    return ok === true && typeof len === 'number' ? len : 0;
  } catch {
    return 0;
  }
}
