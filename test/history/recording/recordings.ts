/** Recordings of every format with the same output, made by the test. */
import { AsciicastWriter } from '../../../src/history/recording/asciicast-writer.js';
import type { RecordingEvent, RecordingReader, TimedEvent } from '../../../src/history/recording/recording-event.js';

export const GRID = { cols: 40, rows: 10 };

export type Line = readonly [ms: number, code: 'o' | 'r' | 'm' | 'x' | 'i', text: string];

export const LINES: readonly Line[] = [
  [0, 'o', 'one\r\n'],
  [500, 'o', '\u001b[31mtwo \u4e2d\u001b[m\r\n'],
  [1250, 'm', 'half'],
  [2000, 'o', 'three\r\n'],
];

const header = (version: number, more: object): string => `${JSON.stringify({ version, ...more })}\n`;

export function castV3(lines: readonly Line[] = LINES, grid = GRID): string {
  const writer = new AsciicastWriter(0);
  const first = writer.header({ ...grid, startedAtMs: 5000, t4a: { terminal: 't1', rev: 0, version: '1' } });
  return first + lines.map(([ms, code, text]) => writer.event(code as 'o', text, ms)).join('');
}

export function castV2(lines: readonly Line[] = LINES): string {
  const events = lines.map(([ms, code, text]) => `${JSON.stringify([ms / 1000, code, text])}\n`);
  return header(2, { width: GRID.cols, height: GRID.rows, timestamp: 5 }) + events.join('');
}

export function castV1(lines: readonly Line[] = LINES): string {
  let last = 0;
  const stdout = lines
    .filter(([, code]) => code === 'o')
    .map(([ms, , text]) => {
      const since = (ms - last) / 1000;
      last = ms;
      return [since, text];
    });
  return JSON.stringify({ version: 1, width: GRID.cols, height: GRID.rows, duration: 2, stdout }, null, 2);
}

export function ttyrec(lines: readonly Line[] = LINES): Buffer {
  const frames = lines
    .filter(([, code]) => code === 'o')
    .map(([ms, , text]) => {
      const output = Buffer.from(text);
      const head = Buffer.alloc(12);
      head.writeUInt32LE(1000 + Math.floor(ms / 1000), 0);
      head.writeUInt32LE((ms % 1000) * 1000, 4);
      head.writeUInt32LE(output.length, 8);
      return Buffer.concat([head, output]);
    });
  return Buffer.concat(frames);
}

export function typescript(lines: readonly Line[] = LINES): { typescript: string; timing: string } {
  const output = lines.filter(([, code]) => code === 'o');
  let last = 0;
  const timing = output.map(([ms, , text]) => {
    const since = (ms - last) / 1000;
    last = ms;
    return `${since.toFixed(6)} ${Buffer.byteLength(text)}\n`;
  });
  const first = `Script started on 2026-01-01 00:00:00+00:00 [COLUMNS="${GRID.cols}" LINES="${GRID.rows}"]\n`;
  return {
    typescript: `${first}${output.map(([, , text]) => text).join('')}\nScript done on 2026-01-01\n`,
    timing: timing.join(''),
  };
}

/** All events, whatever the sizes of the parts. */
export function readAll(reader: RecordingReader, bytes: Uint8Array, partBytes = bytes.length): RecordingEvent[] {
  const events: RecordingEvent[] = [];
  for (let at = 0; at < bytes.length; at += partBytes) {
    // More than a call takes arguments.
    for (const event of reader.push(bytes.subarray(at, at + partBytes))) events.push(event);
  }
  return [...events, ...reader.end()];
}

/** Events as the lines that they were written from; output that was cut is joined. */
export function linesOf(events: readonly RecordingEvent[]): Line[] {
  const timed = events.filter((event): event is LineEvent => event.kind !== 'start' && event.kind !== 'look');
  const joined: { ms: number; code: Line[1]; bytes: Buffer }[] = [];
  for (const event of timed) {
    const { atMs: ms } = event;
    const last = joined.at(-1);
    if (event.kind !== 'output') joined.push({ ms, code: CODES[event.kind], bytes: Buffer.from(textOf(event)) });
    else if (last?.code === 'o' && last.ms === ms) last.bytes = Buffer.concat([last.bytes, event.bytes]);
    else joined.push({ ms, code: 'o', bytes: Buffer.from(event.bytes) });
  }
  return joined.map(({ ms, code, bytes }) => [ms, code, bytes.toString()]);
}

type LineEvent = Exclude<TimedEvent, { kind: 'look' }>;

const CODES = { output: 'o', input: 'i', resize: 'r', marker: 'm', exit: 'x' } as const;

function textOf(event: LineEvent): string {
  switch (event.kind) {
    case 'resize':
      return `${event.cols}x${event.rows}`;
    case 'marker':
      return event.label;
    case 'exit':
      return String(event.status);
    case 'input':
      return event.text;
    default:
      return Buffer.from(event.bytes).toString();
  }
}
