/** Every event of a terminal or of the whole daemon: its fields and its meaning. */
import { z } from 'zod';
import { DOING_STATES, shownDoingShape } from './doing.js';
import { ENTRY_OPS, entryShape } from './entry.js';
import { labels } from './labels.js';
import { STATUS_STATES, statusRecordShape } from './program-status.js';
import {
  awaitingInputShape,
  cellSpan,
  exitCode,
  owner,
  progressShape,
  rev,
  shellLevel,
  signalName,
} from './vocabulary.js';

const afterMs = z.int().describe('Milliseconds without output.');

const commandLine = z.string().nullable().describe('Command line; null if unknown.');

export const CONTROL_CAUSES = ['taken', 'forced', 'released', 'given', 'expired', 'gone', 'denied'] as const;

/** Own fields of each event of a terminal, beside {@link eventEnvelope}, in the order of the docs. */
export const EVENTS = {
  created: { meaning: 'A terminal was created.', fields: { pid: z.int(), owner: owner.optional() } },
  idle: { meaning: 'No output for `after_ms` after activity.', fields: { after_ms: afterMs } },
  activity: { meaning: 'Output began after an idle period.', fields: {} },
  bell: {
    meaning: 'The program rang the bell (BEL).',
    fields: { count: z.int().describe('Number of bells, one after another, that this event reports.') },
  },
  title: { meaning: 'The window title changed.', fields: { title: z.string() } },
  command_done: {
    meaning: 'The shell reported the end of a command (OSC 7777;done, OSC 133;D or OSC 633;D).',
    fields: {
      code: z.int().nullable().describe('Exit code; null if unknown.'),
      command: commandLine,
      duration_ms: z.int().nullable().describe('Null if the shell did not report the start.'),
      shell_level: shellLevel,
    },
  },
  command_started: {
    meaning: 'The shell reported the start of a command (OSC 133;C or OSC 633;C).',
    fields: { command: commandLine, shell_level: shellLevel },
  },
  awaiting_input: {
    meaning: 'The foreground program has begun to wait for input. Linux only.',
    fields: awaitingInputShape,
  },
  settled: {
    meaning: 'The screen has stopped changing; cells that change periodically do not count.',
    fields: {
      after_ms: z.int().describe('Milliseconds without a change.'),
      ignored: z.array(cellSpan).describe('Cells that change periodically (spinner, clock, progress).'),
    },
  },
  cwd: {
    meaning: 'The working directory of the shell changed (OSC 7).',
    fields: { cwd: z.string(), host: z.string().describe('Host name that the shell reported; empty if none.') },
  },
  notification: {
    meaning: 'The program sent a notification for people (OSC 9, 777 or 99).',
    fields: { title: z.string(), body: z.string() },
  },
  progress: { meaning: 'The program reported its progress (OSC 9;4).', fields: progressShape },
  reported: {
    meaning:
      'The program reported what it is doing (OSC 7501), or its records were dropped. A new state or kind is an event at once, other changes of a record are four a second; of a terminal there are at most fifty a second.',
    fields: {
      record: z.object({ ...statusRecordShape, state: z.enum([...STATUS_STATES, 'clear']) }),
      was: z.enum(STATUS_STATES).nullable().describe('State before; null if there was no record.'),
      skipped: z.int().optional().describe('Changes of this record that were left out before this one.'),
    },
  },
  doing: {
    meaning:
      'What the program is doing has changed (see `explain`), or another question stands on its screen, at most ten times a second. The first one comes with the first report, reading of rules, progress or question of the program: what the marks of a shell alone say, `command_started` and `command_done` report.',
    fields: { ...shownDoingShape, was: z.enum(DOING_STATES).nullable().describe('Null with the first one.') },
  },
  clipboard: {
    meaning: 'The program wrote to the clipboard (OSC 52). It can never read one.',
    fields: {
      selection: z.string().describe('Letters of the selections, for example "c".'),
      text: z.string().describe('The first 16 KiB of the text.'),
      bytes: z.int().describe('Size of the whole text; texts above 768 KiB are ignored.'),
    },
  },
  alt_screen: {
    meaning: 'The program switched to the alternate screen, or back.',
    fields: { on: z.boolean() },
  },
  control: {
    meaning: 'Control of the terminal has passed to another name, or to none; or a request for it was denied.',
    fields: {
      holder: z.string().nullable().describe('Name that has it now.'),
      person: z.boolean().describe('Whether the holder is a person.'),
      was: z.string().nullable().describe('Name that had it before.'),
      cause: z.enum(CONTROL_CAUSES).describe('`gone`: the connection of the holder; `denied`: the holder stays.'),
      of: z.string().optional().describe('With `denied`: name whose request it was.'),
      reason: z.string().optional().describe('As the holder gave it.'),
      note: z.string().optional().describe('Note of the former holder, or with `denied` of the holder.'),
    },
  },
  control_requested: {
    meaning: 'A name asks the holder for control of the terminal.',
    fields: { as: z.string(), person: z.boolean(), reason: z.string().optional() },
  },
  resized: { meaning: 'The size of the grid changed.', fields: { cols: z.int(), rows: z.int() } },
  entry: {
    meaning:
      'The rules of the terminal found an entry, changed it (`upsert`), made it final (`finalize`), or took it back (`delete`).',
    fields: { op: z.enum(ENTRY_OPS), entry: z.object(entryShape) },
  },
  triggered: {
    meaning: 'A trigger has fired; its actions follow.',
    fields: {
      trigger: z.int().describe('Number of the trigger.'),
      name: z.string().nullable(),
      text: z.string().nullable().describe('Text of the program that matched, at most 256 characters.'),
      notify: z.string().nullable().describe('Words of the trigger for people.'),
    },
  },
  labelled: { meaning: 'The labels of the terminal changed.', fields: { labels } },
  exit: {
    meaning:
      'The process ended and all output up to then is on the screen. The PTY is closed: later output of processes that it left behind is not read.',
    fields: { code: exitCode, signal: signalName },
  },
  restarted: {
    meaning: 'The program of the terminal was started again (`restart`), on an empty screen.',
    fields: { pid: z.int(), generation: z.int().describe('Starts so far.') },
  },
  marker: {
    meaning: 'A client has named the moment with `marker`.',
    fields: { label: z.string() },
  },
  removed: { meaning: 'The terminal was removed; its last event.', fields: {} },
} as const satisfies Record<string, { meaning: string; fields: z.ZodRawShape }>;

/** Measures of the daemon to stay below `max_memory_bytes`, in their order; `ok`: none is needed any more. */
export const MEMORY_STATES = ['high', 'caches_dropped', 'scrollback_dropped', 'paused', 'ended', 'ok'] as const;

/** Own fields of each event of the whole daemon: these have neither a terminal nor a revision. */
export const DAEMON_EVENTS = {
  memory: {
    meaning:
      'The daemon is short of memory and takes the measure `state`: it drops parts of pictures, then the scrollback of a terminal; then it pauses the output of that terminal until memory is free, or, if the terminal alone holds more than half, removes it. A `warning` names the terminal.',
    fields: {
      state: z.enum(MEMORY_STATES),
      bytes: z.int().describe('Resident set of the daemon.'),
    },
  },
  asked: {
    meaning: 'A client asks persons a question (`ask`). `asks` has its words.',
    fields: {
      ask: z.int().describe('Number of the question.'),
      kind: z.enum(['text', 'choice', 'confirm', 'secret', 'hand']),
      as: z.string().describe('Name of the asker.'),
      terminal: z.string().optional().describe('The terminal concerned, if any.'),
    },
  },
  answered: {
    meaning: 'A question of `ask` has ended. The answer itself is in no event.',
    fields: {
      ask: z.int().describe('Number of the question.'),
      outcome: z.enum(['answered', 'declined', 'withdrawn', 'expired', 'exited']),
      by: z
        .string()
        .nullable()
        .describe('Name of the person; null if unknown or without an answer; "elicitation" with `person` false.'),
      person: z.literal(false).optional().describe('The answer is not known to be that of a person.'),
      terminal: z.string().optional().describe('The terminal concerned, if any.'),
    },
  },
  replaced: {
    meaning: 'Another daemon has taken the place of the one before, with its terminals (`replace`).',
    fields: {
      from: z.int().describe('Pid of the daemon before.'),
      pid: z.int().describe('Pid of the daemon.'),
      pause_ms: z.int().describe('How long no request was answered.'),
    },
  },
  published: {
    meaning: 'A client has published an event of its own.',
    fields: {
      name: z.string(),
      data: z.string(),
      as: z.string().optional().describe('Author of the request, if it named one.'),
    },
  },
  warning: {
    meaning: 'A message for the operator of the daemon.',
    fields: {
      code: z
        .enum(['memory', 'fault', 'recording', 'rules', 'activity', 'trigger', 'client', 'persist'])
        .describe('Subject, for programs.'),
      message: z.string().describe('Sentence for people.'),
      terminal: z.string().optional().describe('The terminal concerned, if any.'),
    },
  },
} as const satisfies Record<string, { meaning: string; fields: z.ZodRawShape }>;

export type EventType = keyof typeof EVENTS;

export type DaemonEventType = keyof typeof DAEMON_EVENTS;

export const EVENT_TYPES = Object.keys(EVENTS) as [EventType, ...EventType[]];

/** Types of both kinds. */
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

/** One event on the wire: its own fields, then the envelope. */
export type TerminalEvent = {
  [Type in EventType]: { event: Type; terminal: string } & OwnFields<Type> & { seq: number; ts: number; rev: number };
}[EventType];

type OwnDaemonFields<Type extends DaemonEventType> = z.infer<z.ZodObject<(typeof DAEMON_EVENTS)[Type]['fields']>>;

/** One event of the whole daemon on the wire. */
export type DaemonEvent = {
  [Type in DaemonEventType]: { event: Type } & OwnDaemonFields<Type> & { seq: number; ts: number };
}[DaemonEventType];

export type PublishedEvent = TerminalEvent | DaemonEvent;

/** A subscriber's queue was full, or the events are no longer kept: this number of events never reached it. */
export interface LaggedEvent {
  readonly event: 'lagged';
  readonly missed: number;
  /** Number of the event before those that are no longer kept. */
  readonly after?: number;
  /** Reason why an event of another host was left out, if it was not the queue. */
  readonly error?: string;
}

export type StreamLine = PublishedEvent | LaggedEvent;

/** An event as published: the bus adds the envelope. */
export type EventBody = {
  [Type in EventType]: { event: Type; terminal: string } & OwnFields<Type>;
}[EventType];

export type DaemonEventBody = {
  [Type in DaemonEventType]: { event: Type } & OwnDaemonFields<Type>;
}[DaemonEventType];
