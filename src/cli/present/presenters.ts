/** Commands that print more, or less, than their reply. */
import type { CommandName } from '../../protocol/registry.js';
import type { CommandSyntax } from '../argv/syntax.js';
import { presentConfig } from './config.js';
import { presentAsk, presentAsks } from './asks.js';
import { presentControl } from './control.js';
import { presentDebug } from './debug.js';
import { presentEntries } from './entries.js';
import { presentFilm } from './film.js';
import { presentFind, presentGrep } from './grep.js';
import { presentKill } from './kill.js';
import { presentOutput } from './output.js';
import { presentPorts } from './ports.js';
import type { Present } from './presenter.js';
import { presentReply, presentSchema } from './reply.js';
import { presentRules } from './rules.js';
import { presentRun } from './run.js';
import { presentScreenshot } from './screenshot.js';
import { presentCommands, presentList, presentRecordings } from './tables.js';
import { presentText } from './text.js';
import { presentTriggers } from './triggers.js';
import { presentCreate, presentPaste, presentTurn, presentWait } from './turn.js';

const OWN: { readonly [Name in CommandName]?: Present<Name> } = {
  create: presentCreate,
  kill: presentKill,
  list: presentList,
  paste: presentPaste,
  screenshot: presentScreenshot,
  text: presentText,
  grep: presentGrep,
  entries: presentEntries,
  find: presentFind,
  film: presentFilm,
  output: presentOutput,
  ports: presentPorts,
  debug: presentDebug,
  rules: presentRules,
  triggers: presentTriggers,
  run: presentRun,
  wait: presentWait,
  commands: presentCommands,
  recordings: presentRecordings,
  control: presentControl,
  ask: presentAsk,
  asks: presentAsks,
  config: presentConfig,
  schema: presentSchema,
};

/** The presenter of a command: its own, else that of a turn if the command acts, else its reply as it is. */
export function presenterOf({ name, turn, reads }: CommandSyntax): Present<CommandName> {
  // Each is called with the reply of its own command alone.
  const own: Present<CommandName> | undefined = OWN[name as CommandName];
  return own ?? (turn !== undefined && reads !== true ? (presentTurn as Present<CommandName>) : presentReply);
}
