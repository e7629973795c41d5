/** Commands that print more, or less, than their reply. Presenters of the less usual ones are loaded when they are needed. */
import type { CommandName } from '../../protocol/registry.js';
import type { CommandSyntax } from '../argv/syntax.js';
import { presentKill } from './kill.js';
import type { Present } from './presenter.js';
import { presentReply, presentSchema } from './reply.js';
import { presentScreenshot } from './screenshot.js';
import { presentCommands, presentList, presentRecordings } from './tables.js';
import { presentText } from './text.js';
import { presentCreate, presentPaste, presentTurn, presentWait } from './turn.js';

const OWN: { readonly [Name in CommandName]?: Present<Name> } = {
  create: presentCreate,
  kill: presentKill,
  list: presentList,
  paste: presentPaste,
  screenshot: presentScreenshot,
  text: presentText,
  grep: async (...given) => (await import('./grep.js')).presentGrep(...given),
  report: async (...given) => (await import('./explain.js')).presentReport(...given),
  explain: async (...given) => (await import('./explain.js')).presentExplain(...given),
  entries: async (...given) => (await import('./entries.js')).presentEntries(...given),
  find: async (...given) => (await import('./grep.js')).presentFind(...given),
  film: async (...given) => (await import('./film.js')).presentFilm(...given),
  output: async (...given) => (await import('./output.js')).presentOutput(...given),
  ports: async (...given) => (await import('./ports.js')).presentPorts(...given),
  debug: async (...given) => (await import('./debug.js')).presentDebug(...given),
  rules: async (...given) => (await import('./rules.js')).presentRules(...given),
  run: async (...given) => (await import('./run.js')).presentRun(...given),
  trigger: async (...given) => (await import('./triggers.js')).presentTrigger(...given),
  triggers: async (...given) => (await import('./triggers.js')).presentTriggers(...given),
  wait: presentWait,
  commands: presentCommands,
  recordings: presentRecordings,
  control: async (...given) => (await import('./control.js')).presentControl(...given),
  ask: async (...given) => (await import('./asks.js')).presentAsk(...given),
  asks: async (...given) => (await import('./asks.js')).presentAsks(...given),
  config: async (...given) => (await import('./config.js')).presentConfig(...given),
  schema: presentSchema,
};

/** The presenter of a command: its own, else that of a turn if the command acts, else its reply as it is. */
export function presenterOf({ name, turn, reads }: CommandSyntax): Present<CommandName> {
  // Each is called with the reply of its own command alone.
  const own: Present<CommandName> | undefined = OWN[name as CommandName];
  return own ?? (turn !== undefined && reads !== true ? (presentTurn as Present<CommandName>) : presentReply);
}
