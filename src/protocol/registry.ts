/** All commands, by name. A new command is added here; the compiler then requires its handler. */
import type { z } from 'zod';
import { answer, ask, asks } from './commands/ask.js';
import { cancel } from './commands/cancel.js';
import { commands } from './commands/commands.js';
import { config } from './commands/config.js';
import { control } from './commands/control.js';
import { create } from './commands/create.js';
import { cursor } from './commands/cursor.js';
import { debug } from './commands/debug.js';
import { deliver } from './commands/deliver.js';
import { entries } from './commands/entries.js';
import { events } from './commands/events.js';
import { explain } from './commands/explain.js';
import { exportPast } from './commands/export.js';
import { film } from './commands/film.js';
import { find } from './commands/find.js';
import { forget } from './commands/forget.js';
import { marker } from './commands/marker.js';
import { seek } from './commands/seek.js';
import { focus } from './commands/focus.js';
import { grep } from './commands/grep.js';
import { mouse } from './commands/mouse.js';
import { open } from './commands/open.js';
import { output } from './commands/output.js';
import { paste } from './commands/paste.js';
import { ports } from './commands/ports.js';
import { press } from './commands/press.js';
import { trigger, triggers, untrigger } from './commands/trigger.js';
import { type } from './commands/type.js';
import { kill } from './commands/kill.js';
import { label } from './commands/label.js';
import { list, status } from './commands/list.js';
import { ping } from './commands/ping.js';
import { publish } from './commands/publish.js';
import { record, recordings } from './commands/record.js';
import { report } from './commands/report.js';
import { clear } from './commands/clear.js';
import { resize } from './commands/resize.js';
import { restart } from './commands/restart.js';
import { restrict } from './commands/restrict.js';
import { rules } from './commands/rules.js';
import { run } from './commands/run.js';
import { schema } from './commands/schema.js';
import { screenshot } from './commands/screenshot.js';
import { send } from './commands/send.js';
import { replace } from './commands/replace.js';
import { shutdown } from './commands/shutdown.js';
import { stats } from './commands/stats.js';
import { text } from './commands/text.js';
import { wait } from './commands/wait.js';
import { watch } from './commands/watch.js';

/** Commands in the order of help and docs. */
export const COMMANDS = {
  create,
  run,
  kill,
  replace,
  shutdown,
  list,
  status,
  explain,
  screenshot,
  text,
  grep,
  find,
  film,
  seek,
  marker,
  export: exportPast,
  forget,
  cursor,
  commands,
  ports,
  output,
  entries,
  debug,
  type,
  deliver,
  press,
  restart,
  send,
  paste,
  mouse,
  focus,
  resize,
  clear,
  control,
  ask,
  asks,
  answer,
  record,
  recordings,
  open,
  wait,
  publish,
  report,
  trigger,
  triggers,
  untrigger,
  events,
  watch,
  cancel,
  config,
  rules,
  label,
  ping,
  restrict,
  stats,
  schema,
} as const;

export type Commands = typeof COMMANDS;
export type CommandName = keyof Commands;

/** Fields as a caller writes them (defaults may be left out). */
export type ParamsInput<Name extends CommandName> = z.input<Commands[Name]['params']>;
/** Fields as a handler gets them (defaults filled in). */
export type Params<Name extends CommandName> = z.output<Commands[Name]['params']>;
export type Reply<Name extends CommandName> = z.output<Commands[Name]['reply']>;

export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[];
