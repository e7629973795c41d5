/** Every event that a terminal can publish: its fields, and what it means. */
import { z } from 'zod';
import { exitCode, rev, signalName } from './vocabulary.js';

const afterMs = z.int().describe('Milliseconds without output.');

/** Own fields of each event, beside {@link eventEnvelope}. Order is the order of the docs. */
export const EVENTS = {
  created: { meaning: 'A terminal was created.', fields: { pid: z.int() } },
  idle: { meaning: 'No output for `after_ms` after activity.', fields: { after_ms: afterMs } },
  activity: { meaning: 'Output began after an idle period.', fields: {} },
  bell: {
    meaning: 'The program rang the bell (BEL).',
    fields: { count: z.int().describe('Bells in a row that this event stands for.') },
  },
  title: { meaning: 'The window title changed.', fields: { title: z.string() } },
  command_done: {
    meaning: 'The shell said that a command ended (OSC 7777;done, OSC 133;D or OSC 633;D).',
    fields: { code: z.int().nullable().describe('Exit code; null where the shell did not say.') },
  },
  resized: { meaning: 'The grid has a new size.', fields: { cols: z.int(), rows: z.int() } },
  exit: {
    meaning: 'The process ended and all of its output is on the screen.',
    fields: { code: exitCode, signal: signalName },
  },
  removed: { meaning: 'The terminal is gone; its last event.', fields: {} },
} as const satisfies Record<string, { meaning: string; fields: z.ZodRawShape }>;

export type EventType = keyof typeof EVENTS;

export const EVENT_TYPES = Object.keys(EVENTS) as [EventType, ...EventType[]];

export const eventEnvelope = {
  seq: z.int().describe('Number of the event: one counter for the whole daemon.'),
  ts: z.number().describe('Milliseconds since the Unix epoch.'),
  rev,
};

/** An event without fields adds none: zod's own type for it would forbid the envelope too. */
type OwnFields<Type extends EventType> = keyof (typeof EVENTS)[Type]['fields'] extends never
  ? unknown
  : z.infer<z.ZodObject<(typeof EVENTS)[Type]['fields']>>;

/** One event as it stands on the wire, its own fields before the envelope. */
export type TerminalEvent = {
  [Type in EventType]: { event: Type; terminal: string } & OwnFields<Type> & { seq: number; ts: number; rev: number };
}[EventType];

/** A subscriber's queue was full: so many events never reached it. */
export interface LaggedEvent {
  readonly event: 'lagged';
  readonly missed: number;
}

export type StreamLine = TerminalEvent | LaggedEvent;

/** An event as its publisher knows it: the bus adds the envelope. */
export type EventBody = {
  [Type in EventType]: { event: Type; terminal: string } & OwnFields<Type>;
}[EventType];
