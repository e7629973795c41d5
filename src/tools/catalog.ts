/**
 * Which commands models are offered as tools, from the traits of the commands. Every command is in the full profile, with
 * all of its fields, except streams and commands that change the daemon itself; the default profile has those that name it.
 */
import { isWithin, type Reach, type Traits } from '../protocol/command.js';
import { COMMANDS, type CommandName } from '../protocol/registry.js';

/** `default`: the tools that nearly every task needs, with the fields it needs, so that the schemas cost few tokens. */
export const PROFILES = ['default', 'full'] as const;

export type Profile = (typeof PROFILES)[number];

/** The reaches of tools: no tool changes the daemon itself. */
export const ALLOWED_REACHES = ['read', 'use', 'create'] as const satisfies readonly Reach[];

export type AllowedReach = (typeof ALLOWED_REACHES)[number];

/** The inner fields that the default profile keeps, by the object's field. */
export const DEFAULT_NESTED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  until: ['text', 'regex', 'gone', 'settled_ms', 'done', 'exit', 'awaiting_input', 'control'],
  fail: ['text', 'regex'],
};

export interface CatalogEntry {
  readonly name: CommandName;
  /** Undefined: all of them. */
  readonly fields: readonly string[] | undefined;
  /** Fields that the tool does not have: what is above the allowed reach, and what a person decides, as whether a secret may be shown. */
  readonly withheldFields: readonly string[];
  /** What the model needs to choose this tool among the few of the default profile. */
  readonly brief: string | undefined;
  readonly readOnly: boolean;
  readonly destructive: boolean;
}

/** @param allow tools and fields that need more are left out */
export function catalog(profile: Profile, allow: AllowedReach = 'create'): CatalogEntry[] {
  return (Object.keys(COMMANDS) as CommandName[]).flatMap((name) => {
    const { kind, traits } = COMMANDS[name];
    const { tool, reach } = traits;
    if (kind === 'stream' || !isWithin(reach, allow) || tool === false || traits.person === true) return [];
    if (profile === 'full') return [entry(name, traits, allow, {})];
    return tool === undefined ? [] : [entry(name, traits, allow, tool)];
  });
}

function entry(
  name: CommandName,
  { effect, fieldReach = {}, person }: Traits,
  allow: AllowedReach,
  { fields, brief }: { readonly fields?: readonly string[]; readonly brief?: string },
): CatalogEntry {
  const raised: Readonly<Record<string, Reach | undefined>> = fieldReach;
  const ofPersons = Array.isArray(person) ? (person as readonly string[]) : [];
  const isAbove = (field: string): boolean => !isWithin(raised[field] ?? 'read', allow);
  const withheldFields = [...Object.keys(raised).filter(isAbove), ...ofPersons];
  const offered = Object.keys(raised).filter(
    (field) => !withheldFields.includes(field) && fields?.includes(field) !== false,
  );
  return {
    name,
    fields: fields?.filter((field) => !withheldFields.includes(field)),
    withheldFields,
    brief,
    readOnly: effect === 'read' && offered.length === 0,
    destructive: effect === 'end',
  };
}
