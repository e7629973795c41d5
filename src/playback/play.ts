/** `t4a play`: a recording in the terminal of a person, through the emulator, at the size of the recording. */
import { setTimeout as delay } from 'node:timers/promises';
import type { RecordingStart, TimedEvent } from '../history/recording/recording-event.js';
import { readRecording } from '../history/recording/read-recording.js';
import { DEFAULT_THEME } from '../render/theme.js';
import type { Snapshot } from '../vt/snapshot.js';
import { rowAnsi } from '../vt/rows/row-ansi.js';
import { actionsOf, helpLines } from './keys.js';
import { recordedColors } from './colors.js';
import { Playback } from './player.js';
import { loadRecording, type LoadOptions, timeOf } from './recording.js';
import { Stage } from './stage.js';
import { clock } from './time-text.js';

export interface PlayOptions extends LoadOptions {
  readonly path: string;
  readonly speed: number;
  /** A moment; by default the start. */
  readonly from?: string | undefined;
}

export interface PlayedScreen {
  /** Lines of the recording, as `text --format ansi` has them: not yet fit for a person's terminal. */
  readonly lines: readonly string[];
  readonly cursor: Snapshot['cursor'];
  /** Lines over the first rows. */
  readonly help: readonly string[];
}

/** The terminal of the person. */
export interface Audience {
  /** Draws at most what fits; the status is the last row. */
  draw(screen: PlayedScreen, status: string): void;
  /** Changes with the size of the terminal. */
  size(): string;
  keys(onKeys: (keys: string) => void): () => void;
  /** Before the first frame, and after the last. */
  enter(): void;
  leave(): void;
}

/** 30 frames a second. */
const FRAME_MS = 1000 / 30;
/** While nothing moves, the terminal may still change its size. */
const LOOK_MS = 200;

/** Resolves once the person has left. @throws T4aError recording_not_found, recording_invalid, invalid_field */
export async function play(options: PlayOptions, audience: Audience): Promise<void> {
  const recording = await loadRecording(options.path, options);
  const fromMs = options.from === undefined ? 0 : timeOf(options.from, recording, 'from');
  const player = new Playback(recording, { speed: options.speed, fromMs });
  const stage = new Stage(recording, { colors: recordedColors(DEFAULT_THEME) });
  const waking = new Waking();
  const endKeys = audience.keys((keys) => {
    for (const action of actionsOf(keys)) player.act(action);
    waking.wake();
  });
  audience.enter();
  try {
    await perform(player, stage, audience, waking);
  } finally {
    audience.leave();
    endKeys();
    stage.dispose();
  }
}

async function perform(player: Playback, stage: Stage, audience: Audience, waking: Waking): Promise<void> {
  let nowMs = performance.now();
  let drawn = '';
  while (!player.left) {
    await showEvents(player, stage, waking);
    const status = statusOf(player);
    const look = `${stage.index} ${status} ${player.helpShown} ${audience.size()}`;
    // Half of a synchronized update is not shown while the other half is about to come.
    const isHalf = player.playing && stage.screen.modes.synchronizedOutput;
    if (look !== drawn && !isHalf) {
      audience.draw(frameOf(stage.snapshot(), player.helpShown), status);
      drawn = look;
    }
    const untilNextMs = player.untilNextMs;
    await waking.sleep(untilNextMs === undefined ? LOOK_MS : Math.min(Math.max(FRAME_MS, untilNextMs), LOOK_MS));
    const elapsedMs = performance.now() - nowMs;
    nowMs += elapsedMs;
    player.pass(elapsedMs);
  }
}

/** A key that is pressed meanwhile may lead elsewhere. */
async function showEvents(player: Playback, stage: Stage, waking: Waking): Promise<void> {
  while (stage.index !== player.index && !player.left) {
    try {
      await stage.show(player.index, waking.signal());
    } catch (error) {
      if (!waking.isReason(error)) throw error;
    }
  }
}

/** All output as it was printed, at once. */
export async function* plainOutput(path: string, options: LoadOptions): AsyncGenerator<Uint8Array> {
  for await (const part of readRecording(path, options)) {
    const output = part.flatMap((event: RecordingStart | TimedEvent) => (event.kind === 'output' ? [event.bytes] : []));
    if (output.length > 0) yield Buffer.concat(output);
  }
}

function frameOf({ lines, cursor }: Snapshot, withHelp: boolean): PlayedScreen {
  const rows = lines.map((row) => rowAnsi(row));
  if (!withHelp) return { lines: rows, cursor, help: [] };
  const help = helpLines();
  const width = Math.max(...help.map((line) => line.length));
  return { lines: rows, cursor: { ...cursor, visible: false }, help: help.map((line) => line.padEnd(width)) };
}

function statusOf(player: Playback): string {
  const { atMs, recording, speed, playing, atEnd, marker } = player;
  const state = playing ? 'playing' : atEnd ? 'the end' : 'paused';
  const place = `${clock(atMs)} / ${clock(recording.durationMs)}`;
  const label = marker === undefined ? '' : `  [${shortLabel(marker)}]`;
  return `${state}  ${place}  x${Number(speed.toFixed(3))}${label}  ?: keys  q: leave`;
}

const MAX_LABEL_LENGTH = 30;

/** Printable, and one column a character: the label may hold anything. */
function shortLabel(label: string): string {
  const text = label.replaceAll(/[^\x20-\x7e]+/g, '?');
  return text.length > MAX_LABEL_LENGTH ? `${text.slice(0, MAX_LABEL_LENGTH - 3)}...` : text;
}

/** A sleep, or work, that a key ends. */
class Waking {
  #controller = new AbortController();

  wake(): void {
    this.#controller.abort(WOKEN);
  }

  isReason(error: unknown): boolean {
    return error === WOKEN;
  }

  /** Aborted by the next key. */
  signal(): AbortSignal {
    if (this.#controller.signal.aborted) this.#controller = new AbortController();
    return this.#controller.signal;
  }

  async sleep(ms: number): Promise<void> {
    if (this.#controller.signal.aborted) {
      this.#controller = new AbortController();
      return;
    }
    await delay(ms, undefined, { signal: this.#controller.signal }).catch(() => {});
  }
}

const WOKEN = new Error('a key was pressed');
