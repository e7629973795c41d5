/** Headers of asciicasts of all versions: what they say of a recording, but for the size of its screen. */
import type { RecordingStart } from './recording-event.js';

export type HeaderFields = Readonly<Record<string, unknown>>;

/** Bound of a title, and of a command line: longer ones are cut. */
const MAX_TEXT_LENGTH = 4096;

/** The year 10,000. */
const MAX_TIMESTAMP = 253_402_300_800;

export function headerStart(header: HeaderFields): Omit<RecordingStart, 'cols' | 'rows'> {
  const { title, command, timestamp, idle_time_limit: idle } = header;
  return {
    kind: 'start',
    ...(typeof title === 'string' ? { title: title.slice(0, MAX_TEXT_LENGTH) } : {}),
    ...(typeof command === 'string' ? { command: command.slice(0, MAX_TEXT_LENGTH) } : {}),
    ...(isTimestamp(timestamp) ? { startedAtMs: timestamp * 1000 } : {}),
    ...(typeof idle === 'number' && idle > 0 ? { idleLimitMs: idle * 1000 } : {}),
  };
}

function isTimestamp(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < MAX_TIMESTAMP;
}

export function isFields(value: unknown): value is HeaderFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
