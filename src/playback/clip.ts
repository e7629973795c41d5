/** A range of a recording, at a speed, on a stage: what exports show. */
import { T4aError } from '../protocol/errors.js';
import type { RecordedGrid, TimedEvent } from '../history/recording/recording-event.js';
import type { Snapshot } from '../vt/snapshot.js';
import { eventsUntil, type Recording, timeOf } from './recording.js';
import { Stage, type StageOptions } from './stage.js';

export interface ClipOptions extends StageOptions {
  /** Moments. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly speed: number;
}

export class RecordedClip {
  readonly recording: Recording;
  readonly stage: Stage;
  readonly #fromMs: number;
  readonly #toMs: number;
  readonly #speed: number;

  /** @throws T4aError invalid_field */
  constructor(recording: Recording, options: ClipOptions) {
    const { from = 'start', to = 'end', speed } = options;
    this.recording = recording;
    this.stage = new Stage(recording, options);
    this.#fromMs = timeOf(from, recording, 'from');
    this.#toMs = timeOf(to, recording, 'to');
    this.#speed = speed;
    if (this.#toMs < this.#fromMs) {
      throw new T4aError('invalid_field', `"to" (${to}) is before "from" (${from}).`, { field: 'to' });
    }
  }

  /** Begins where the recording does: nothing was on the screen before. */
  get isFromStart(): boolean {
    return this.#fromMs === 0;
  }

  /** Events before the clip, which make its first screen. */
  get first(): number {
    return this.isFromStart ? 0 : eventsUntil(this.recording, this.#fromMs);
  }

  /** Events up to the end of the clip. */
  get end(): number {
    return eventsUntil(this.recording, this.#toMs);
  }

  get durationMs(): number {
    return this.msOf(this.#toMs);
  }

  /** Time in the clip of a time of the recording. */
  msOf(ms: number): number {
    return Math.max(0, ms - this.#fromMs) / this.#speed;
  }

  /** Events of the clip, with their times in it. */
  *events(): Generator<TimedEvent> {
    for (const event of this.recording.events.slice(this.first, this.end))
      yield { ...event, atMs: this.msOf(event.atMs) };
  }

  /** The first screen. */
  async begin(): Promise<Snapshot> {
    await this.stage.show(this.first);
    return this.stage.snapshot();
  }

  /** Size of the largest screen of the clip. Call it after {@link begin}. */
  grid(): RecordedGrid {
    let { cols, rows } = this.stage.snapshot();
    for (const event of this.events()) {
      if (event.kind !== 'resize') continue;
      cols = Math.max(cols, event.cols);
      rows = Math.max(rows, event.rows);
    }
    return { cols, rows };
  }

  dispose(): void {
    this.stage.dispose();
  }
}

/** A screen and the time in the clip from which it is shown. */
export interface ClipFrame {
  readonly snapshot: Snapshot;
  readonly atMs: number;
}

/** Half of a synchronized update is not shown if the other half comes within this time, as live. */
const HALF_MS = 150;

/** The screens of a clip, each different from the one before, at most `fps` a second. */
export async function* framesOf(clip: RecordedClip, fps: number): AsyncGenerator<ClipFrame> {
  const { stage, end } = clip;
  const { events } = clip.recording;
  const atOf = (index: number): number => clip.msOf(events[index]?.atMs ?? Infinity);
  const frameMs = 1000 / fps;
  let last = await clip.begin();
  let index = stage.index;
  // What is printed at the very start is the first screen, not the blank one before it.
  while (index < end && atOf(index) === 0) index++;
  if (index > stage.index) {
    await stage.show(index);
    last = stage.snapshot();
  }
  yield { snapshot: last, atMs: 0 };
  while (index < end) {
    const atMs = Math.ceil(atOf(index) / frameMs - 1e-6) * frameMs;
    while (index < end && atOf(index) <= atMs + 1e-6) index++;
    await stage.show(index);
    if (stage.screen.modes.synchronizedOutput && index < end && atOf(index) - atMs < HALF_MS) continue;
    const snapshot = stage.snapshot();
    if (snapshot !== last) yield { snapshot, atMs };
    last = snapshot;
  }
}
