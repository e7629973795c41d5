/**
 * Which commands models are offered as tools, from the traits of the commands. Every command is in the full profile, with
 * all of its fields, except streams and commands that change the daemon itself; the default profile has those that name it.
 */
import { nearestWords } from '../base/nearest.js';
import type { Traits } from '../protocol/command.js';
import { isWithin, type Reach } from '../protocol/reach.js';
import { T4aError, quote } from '../protocol/errors.js';
import { COMMANDS, type CommandName } from '../protocol/registry.js';
import { acts } from './model-turn.js';
import type { Offered } from './offered-words.js';

/** `default`: the tools that nearly every task needs, with the fields it needs, so that the schemas cost few tokens. */
export const TOOL_PROFILES = ['default', 'full'] as const;

export type ToolProfile = (typeof TOOL_PROFILES)[number];

/** Profile of schemas and of calls alike, in every language. */
export const DEFAULT_TOOL_PROFILE: ToolProfile = 'default';

/** The reaches of tools: no tool changes the daemon itself. */
export const ALLOWED_REACHES = ['read', 'use', 'create'] as const satisfies readonly Reach[];

export type AllowedReach = (typeof ALLOWED_REACHES)[number];

/** Names the product beside a harness's other tools; MCP clients prefix the server's name themselves. */
export const TOOL_PREFIX = 't4a_';

export function bareName(name: string): string {
  return name.startsWith(TOOL_PREFIX) ? name.slice(TOOL_PREFIX.length) : name;
}

/** Tools that a model has. */
export interface ToolOffer {
  /** Default: `default`. */
  readonly profile?: ToolProfile | undefined;
  /** Tools and fields that need more are left out. Default: `create`. */
  readonly allow?: AllowedReach | undefined;
  /** Exactly these tools, also those that the profile does not have. Default: those of the profile. */
  readonly tools?: readonly string[] | undefined;
}

export interface CatalogEntry {
  readonly name: CommandName;
  /** Undefined: all of them. */
  readonly fields: readonly string[] | undefined;
  /** Fields that the tool does not have: what is above the allowed reach, what a person decides, as whether a secret may be shown, and what the client says by itself. */
  readonly withheldFields: readonly string[];
  /** The tools that are offered together. */
  readonly offered: Offered;
  /** Text that the model needs to choose this tool among the few of the default profile. */
  readonly brief: string | undefined;
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly openWorld: boolean;
}

/** @throws T4aError `usage`: a name in `tools` is that of no tool, or of one that `allow` forbids */
export function catalog({ profile = DEFAULT_TOOL_PROFILE, allow = 'create', tools }: ToolOffer): CatalogEntry[] {
  assertOffer({ profile, allow, tools });
  const named = tools === undefined ? undefined : new Set(tools.map((name) => toolNamed(name, allow)));
  const offered = new Map<CommandName, ReadonlySet<string> | undefined>();
  const entries = TOOL_NAMES.flatMap((name) => {
    const traits: Traits = COMMANDS[name].traits;
    const { tool, reach } = traits;
    if (named?.has(name) === false || !isWithin(reach, allow)) return [];
    if (profile === 'full' || tool === false) return [entry(name, traits, allow, {})];
    if (tool !== undefined) return [entry(name, traits, allow, tool)];
    return named === undefined ? [] : [entry(name, traits, allow, { fields: fieldsBeyond(name) })];
  });
  for (const { name, fields } of entries) offered.set(name, fields === undefined ? undefined : new Set(fields));
  return entries.map((each) => ({ ...each, offered }));
}

/** A misspelt option would offer more than is meant. @throws T4aError usage */
export function assertNoOthers(of: string, others: object): void {
  const [other] = Object.keys(others);
  if (other !== undefined) throw new T4aError('usage', `${quote(other)} is no option of "${of}".`);
}

/** Programs in JavaScript are not checked by types. @throws T4aError usage */
function assertOffer({ profile, allow, tools }: { readonly [Option in keyof ToolOffer]: unknown }): void {
  const isNames = tools === undefined || (Array.isArray(tools) && tools.every((name) => typeof name === 'string'));
  if (!isNames) throw new T4aError('usage', '"tools" is no list of names.');
  for (const [option, value, values] of [
    ['profile', profile, TOOL_PROFILES],
    ['allow', allow, ALLOWED_REACHES],
  ] as const) {
    if (values.some((one) => one === value)) continue;
    throw new T4aError('usage', `"${option}" is ${quote(String(value))}: one of ${values.join(', ')}.`);
  }
}

/** Commands that a profile, or a list of names, may have. */
const TOOL_NAMES: readonly CommandName[] = (Object.keys(COMMANDS) as CommandName[]).filter((name) => {
  const { kind, traits } = COMMANDS[name];
  const { tool, person, reach }: Traits = traits;
  return kind !== 'stream' && tool !== false && person !== true && isWithin(reach, 'create');
});

/** Fields of a tool that the default profile does not have: a turn belongs to those that act. */
function fieldsBeyond(name: CommandName): string[] {
  const fields = Object.keys(COMMANDS[name].params.shape);
  return acts(name) ? fields : fields.filter((field) => field !== 'wait' && field !== 'observe');
}

function toolNamed(given: string, allow: AllowedReach): CommandName {
  const bare = bareName(given);
  const name = TOOL_NAMES.find((known) => known === bare);
  if (name === undefined) {
    const isCommand = Object.hasOwn(COMMANDS, bare);
    const closest = isCommand ? undefined : nearestWords(bare, TOOL_NAMES)[0];
    throw new T4aError(
      'usage',
      isCommand ? `The command ${quote(bare)} is no tool of a model.` : `There is no tool ${quote(given)}.`,
      closest === undefined
        ? { hint: `The tools are ${TOOL_NAMES.join(', ')}.` }
        : { hint: `Did you mean "${closest}"?`, closest },
    );
  }
  const { reach } = COMMANDS[name].traits;
  if (isWithin(reach, allow)) return name;
  throw new T4aError('usage', `The tool "${name}" needs the reach "${reach}", and only "${allow}" is allowed.`, {
    hint: `Allow "${reach}", or leave the tool out.`,
  });
}

function entry(
  name: CommandName,
  { effect, fieldReach = {}, idempotent, person, tool }: Traits,
  allow: AllowedReach,
  { fields, brief }: { readonly fields?: readonly string[]; readonly brief?: string },
): Omit<CatalogEntry, 'offered'> {
  const raised: Readonly<Record<string, Reach | undefined>> = fieldReach;
  const ofPersons = Array.isArray(person) ? (person as readonly string[]) : [];
  const isAbove = (field: string): boolean => !isWithin(raised[field] ?? 'read', allow);
  const ofClients: readonly string[] = tool === false || tool === undefined ? [] : (tool.withheld ?? []);
  const withheldFields = [...Object.keys(raised).filter(isAbove), ...ofPersons, ...ofClients];
  const offered = Object.keys(raised).filter(
    (field) => !withheldFields.includes(field) && fields?.includes(field) !== false,
  );
  const readOnly = effect === 'read' && offered.length === 0;
  return {
    name,
    fields: fields?.filter((field) => !withheldFields.includes(field)),
    withheldFields,
    brief,
    readOnly,
    // What a tool that looks can change is what t4a keeps, as by `clear` of `debug`.
    destructive: effect === 'end' || (effect === 'read' && !readOnly),
    idempotent: readOnly || idempotent === true,
    // A program may reach anything, and so may a person; a look at the screen reaches nothing.
    openWorld: effect !== 'read',
  };
}
