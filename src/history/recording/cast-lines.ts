/** Events as the lines of an asciicast: v2 with times since the start, v3 with intervals. */
import type { RecordingStart, TimedEvent } from './recording-event.js';

export type CastVersion = 2 | 3;

/** Output is text there: a character that is cut between two events goes to the second. */
export class CastLines {
  readonly #version: CastVersion;
  readonly #decoder = new TextDecoder();
  #lastMs = 0;

  constructor(version: CastVersion) {
    this.#version = version;
  }

  header({ cols, rows, title, command, startedAtMs }: RecordingStart): string {
    const size = this.#version === 3 ? { term: { cols, rows } } : { width: cols, height: rows };
    const timestamp = startedAtMs === undefined ? undefined : Math.floor(startedAtMs / 1000);
    return `${JSON.stringify({ version: this.#version, ...size, timestamp, title, command })}\n`;
  }

  /** The line of an event; empty if this version has none for it, or if it is half a character. */
  line(event: TimedEvent): string {
    const entry = this.#entry(event);
    if (entry === undefined || (event.kind === 'output' && entry[1] === '')) return '';
    const atMs = Math.round(event.atMs);
    const time = this.#version === 3 ? atMs - this.#lastMs : atMs;
    this.#lastMs = atMs;
    return `${JSON.stringify([time / 1000, ...entry])}\n`;
  }

  #entry(event: TimedEvent): readonly [code: string, text: string] | undefined {
    switch (event.kind) {
      case 'output':
        return ['o', this.#decoder.decode(event.bytes, { stream: true })];
      case 'input':
        return ['i', event.text];
      case 'resize':
        return ['r', `${event.cols}x${event.rows}`];
      case 'marker':
        return ['m', event.label];
      case 'look':
        return undefined;
      default:
        return this.#version === 3 ? ['x', String(event.status)] : undefined;
    }
  }
}
