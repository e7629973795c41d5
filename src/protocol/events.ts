/** Every event that a terminal or the daemon as a whole can publish: its fields, and what it means. */
import { z } from 'zod';
import { awaitingInputShape, cellSpan, exitCode, progressShape, rev, signalName } from './vocabulary.js';

const afterMs = z.int().describe('Milliseconds without output.');

const commandLine = z.string().nullable().describe('Command line; null where the shell did not say.');

/** Own fields of each event of a terminal, beside {@link eventEnvelope}. Order is the order of the docs. */
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
    fields: {
      code: z.int().nullable().describe('Exit code; null where the shell did not say.'),
      command: commandLine,
      duration_ms: z.int().nullable().describe('Null where the shell did not say that the command started.'),
    },
  },
  command_started: {
    meaning: 'The shell said that a command starts (OSC 133;C or OSC 633;C).',
    fields: { command: commandLine },
  },
  awaiting_input: {
    meaning: 'The foreground program has come to wait for input. Only where the system tells (Linux).',
    fields: awaitingInputShape,
  },
  settled: {
    meaning: 'The screen has stopped changing, but for cells that change periodically.',
    fields: {
      after_ms: z.int().describe('Milliseconds without a change.'),
      ignored: z.array(cellSpan).describe('Cells that change periodically (spinner, clock, progress).'),
    },
  },
  cwd: {
    meaning: 'The working directory of the shell changed (OSC 7).',
    fields: { cwd: z.string(), host: z.string().describe('As the shell gave it; empty where it gave none.') },
  },
  notification: {
    meaning: 'The program wants people to be notified (OSC 9, 777 or 99).',
    fields: { title: z.string(), body: z.string() },
  },
  progress: { meaning: 'The program tells how far it is (OSC 9;4).', fields: progressShape },
  clipboard: {
    meaning: 'The program wrote to the clipboard (OSC 52). It never gets to read one.',
    fields: {
      selection: z.string().describe('Letters of the selections, for example "c".'),
      text: z.string().describe('At most 16 KiB of it.'),
      bytes: z.int().describe('Size of the whole text, at most 768 KiB: larger ones are not taken.'),
    },
  },
  alt_screen: {
    meaning: 'The program switched to the alternate screen, or back.',
    fields: { on: z.boolean() },
  },
  resized: { meaning: 'The grid has a new size.', fields: { cols: z.int(), rows: z.int() } },
  exit: {
    meaning:
      'The process ended and all that was printed by then is on the screen. The PTY is closed: what a process that it left behind prints later is not read.',
    fields: { code: exitCode, signal: signalName },
  },
  removed: { meaning: 'The terminal is gone; its last event.', fields: {} },
} as const satisfies Record<string, { meaning: string; fields: z.ZodRawShape }>;

/** What the daemon does to stay below `max_memory_bytes`, in the order in which it does it; `ok`: no longer needed. */
export const MEMORY_STATES = ['high', 'caches_dropped', 'scrollback_dropped', 'paused', 'ended', 'ok'] as const;

/** Own fields of each event of the daemon as a whole: these have neither a terminal nor a revision of its screen. */
export const DAEMON_EVENTS = {
  memory: {
    meaning:
      "Memory gets short, and what is done about it: parts of pictures are dropped, then a terminal's scrollback; then its output is paused until there is room, or, if it alone holds more than half, the terminal is removed. A `warning` names the terminal.",
    fields: {
      state: z.enum(MEMORY_STATES),
      bytes: z.int().describe('Resident set of the daemon.'),
    },
  },
  warning: {
    meaning: 'Something that whoever runs the daemon should see.',
    fields: {
      code: z.enum(['memory', 'fault']).describe('What it is about, for programs.'),
      message: z.string().describe('What happened, for people.'),
      terminal: z.string().optional().describe('The terminal that it is about, if it is about one.'),
    },
  },
} as const satisfies Record<string, { meaning: string; fields: z.ZodRawShape }>;

export type EventType = keyof typeof EVENTS;

export type DaemonEventType = keyof typeof DAEMON_EVENTS;

export const EVENT_TYPES = Object.keys(EVENTS) as [EventType, ...EventType[]];

/** Of both kinds. */
export type PublishedType = EventType | DaemonEventType;

export const PUBLISHED_TYPES = [...EVENT_TYPES, ...Object.keys(DAEMON_EVENTS)] as [PublishedType, ...PublishedType[]];

export const daemonEventEnvelope = {
  seq: z.int().describe('Number of the event: one counter for the whole daemon.'),
  ts: z.number().describe('Milliseconds since the Unix epoch.'),
};

export const eventEnvelope = { ...daemonEventEnvelope, rev };

/** An event without fields adds none: zod's own type for it would forbid the envelope too. */
type OwnFields<Type extends EventType> = keyof (typeof EVENTS)[Type]['fields'] extends never
  ? unknown
  : z.infer<z.ZodObject<(typeof EVENTS)[Type]['fields']>>;

/** One event as it stands on the wire, its own fields before the envelope. */
export type TerminalEvent = {
  [Type in EventType]: { event: Type; terminal: string } & OwnFields<Type> & { seq: number; ts: number; rev: number };
}[EventType];

type OwnDaemonFields<Type extends DaemonEventType> = z.infer<z.ZodObject<(typeof DAEMON_EVENTS)[Type]['fields']>>;

/** One event of the daemon as a whole as it stands on the wire. */
export type DaemonEvent = {
  [Type in DaemonEventType]: { event: Type } & OwnDaemonFields<Type> & { seq: number; ts: number };
}[DaemonEventType];

export type PublishedEvent = TerminalEvent | DaemonEvent;

/** A subscriber's queue was full: so many events never reached it. */
export interface LaggedEvent {
  readonly event: 'lagged';
  readonly missed: number;
}

export type StreamLine = PublishedEvent | LaggedEvent;

/** An event as its publisher knows it: the bus adds the envelope. */
export type EventBody = {
  [Type in EventType]: { event: Type; terminal: string } & OwnFields<Type>;
}[EventType];

export type DaemonEventBody = {
  [Type in DaemonEventType]: { event: Type } & OwnDaemonFields<Type>;
}[DaemonEventType];
