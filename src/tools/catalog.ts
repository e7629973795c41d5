/**
 * Which commands models are offered as tools, from the traits of the commands. Every command is in the full profile, with
 * all of its fields, except streams and commands that change the daemon itself; the default profile has those that name it.
 */
import type { Traits } from '../protocol/command.js';
import { COMMANDS, type CommandName } from '../protocol/registry.js';

/** `default`: the tools that nearly every task needs, with the fields it needs, so that the schemas cost few tokens. */
export const PROFILES = ['default', 'full'] as const;

export type Profile = (typeof PROFILES)[number];

/** The inner fields that the default profile keeps, by the object's field. */
export const DEFAULT_NESTED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  until: ['text', 'regex', 'gone', 'settled_ms', 'done', 'exit', 'awaiting_input'],
  fail: ['text', 'regex'],
};

export interface CatalogEntry {
  readonly name: CommandName;
  /** Undefined: all of them. */
  readonly fields: readonly string[] | undefined;
  /** Fields that no tool has: a person decides whether a secret may be shown, and who is a person. */
  readonly withheldFields: readonly string[];
  /** What the model needs to choose this tool among the few of the default profile. */
  readonly brief: string | undefined;
  readonly readOnly: boolean;
  readonly destructive: boolean;
}

export function catalog(profile: Profile): CatalogEntry[] {
  return (Object.keys(COMMANDS) as CommandName[]).flatMap((name) => {
    const { kind, traits } = COMMANDS[name];
    const { tool, reach } = traits;
    if (kind === 'stream' || reach === 'admin' || tool === false || traits.person === true) return [];
    if (profile === 'full') return [entry(name, traits, undefined, undefined)];
    return tool === undefined ? [] : [entry(name, traits, tool.fields, tool.brief)];
  });
}

function entry(
  name: CommandName,
  { effect, fieldReach = {}, person }: Traits,
  fields: CatalogEntry['fields'],
  brief: string | undefined,
): CatalogEntry {
  const raised = Object.keys(fieldReach);
  const ofPersons = Array.isArray(person) ? (person as readonly string[]) : [];
  const withheldFields = [...raised.filter((field) => fieldReach[field] === 'admin'), ...ofPersons];
  const offered = raised.filter((field) => !withheldFields.includes(field) && fields?.includes(field) !== false);
  return {
    name,
    fields,
    withheldFields,
    brief,
    readOnly: effect === 'read' && offered.length === 0,
    destructive: effect === 'end',
  };
}
