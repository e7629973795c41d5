/** Commands whose request or reply is not on the command line as it is on the wire: for all others the table says enough. */
import type { Client } from '../client/client.js';
import type { Invocation } from './argv/parse.js';
import { presentCommands } from './present/commands.js';
import { presentConfig } from './present/config.js';
import { presentCreate } from './present/create.js';
import { presentDebug } from './present/debug.js';
import { presentFields } from './present/fields.js';
import { presentFind, presentGrep } from './present/grep.js';
import { presentList } from './present/list.js';
import { presentRun } from './present/run.js';
import { presentSchema } from './present/schema.js';
import { presentScreenshot } from './present/screenshot.js';
import { noteSurvivors } from './present/survivors.js';
import { presentText } from './present/text.js';
import { presentPaste, presentTurn } from './present/turn.js';
import { presentWait } from './present/wait.js';
import { prepareScreenshot } from './prepare/screenshot.js';
import { prepareSend } from './prepare/send.js';
import { prepareRun, prepareSpawn } from './prepare/spawn.js';
import { prepareText } from './prepare/text.js';
import { withTurn } from './prepare/turn.js';
import { preparePaste, prepareType } from './prepare/type.js';
import { prepareWait } from './prepare/wait.js';
import type { Surroundings } from './host.js';

export type Fields = Readonly<Record<string, unknown>>;

/** The fields of the request, from those of the command line. Connects only where it has to ask something first. */
export type Prepare = (
  invocation: Invocation,
  surroundings: Surroundings,
  client: () => Promise<Client>,
) => Fields | Promise<Fields>;

export interface Answer {
  readonly invocation: Invocation;
  /** As sent. */
  readonly params: Fields;
  readonly reply: Fields;
  /** Raw bytes that came with the reply. */
  readonly bytes: Uint8Array | undefined;
}

/** Prints the reply. */
export type Present = (answer: Answer, surroundings: Surroundings) => void | Promise<void>;

export const PREPARE: Readonly<Record<string, Prepare>> = {
  create: withTurn(prepareSpawn),
  run: prepareRun,
  send: withTurn(prepareSend),
  press: withTurn(),
  type: withTurn(prepareType),
  paste: withTurn(preparePaste),
  mouse: withTurn(),
  focus: withTurn(),
  resize: withTurn(),
  config: ({ params, options }, { stdoutIsTerminal }) =>
    stdoutIsTerminal && options['json'] !== true ? { sources: true, ...params } : params,
  text: prepareText,
  screenshot: prepareScreenshot,
  wait: prepareWait,
};

/** A command that is missing here prints nothing: its exit status says it all. */
export const PRESENT: Readonly<Record<string, Present>> = {
  create: presentCreate,
  kill: ({ reply }, surroundings) => noteSurvivors(reply, surroundings),
  list: presentList,
  send: presentTurn,
  press: presentTurn,
  type: presentTurn,
  paste: presentPaste,
  mouse: presentTurn,
  focus: presentTurn,
  resize: presentTurn,
  status: presentFields,
  screenshot: presentScreenshot,
  text: presentText,
  grep: presentGrep,
  find: presentFind,
  debug: presentDebug,
  cursor: presentFields,
  run: presentRun,
  wait: presentWait,
  commands: presentCommands,
  config: presentConfig,
  ping: presentFields,
  stats: presentFields,
  schema: presentSchema,
};
