/**
 * Which commands models are offered as tools. Whatever the protocol has is in the full profile, with all of its fields; what
 * stands here is what the specs do not say.
 */
import { COMMANDS, type CommandName } from '../protocol/registry.js';

/** `default`: what nearly every task needs, with the fields it needs, so that the schemas cost few tokens. */
export const PROFILES = ['default', 'full'] as const;

export type Profile = (typeof PROFILES)[number];

/** No tools: a stream has no single answer, and the others are for whoever runs the daemon, not for who works in it. */
const WITHHELD: readonly string[] = ['events', 'schema', 'shutdown', 'config'];

/** Fields of no tool: a person decides that a secret may be shown. */
export const WITHHELD_FIELDS: readonly string[] = ['even_if_shown'];

/** They look and change nothing. A command that is missing here is taken to act. */
const READ_ONLY: readonly string[] = [
  'list',
  'status',
  'screenshot',
  'text',
  'cursor',
  'grep',
  'find',
  'wait',
  'commands',
  'debug',
  'ping',
  'stats',
];

/** What may end a program, or be run by one. */
const DESTRUCTIVE: readonly string[] = ['kill', 'run', 'create', 'send', 'press', 'type', 'paste', 'mouse'];

/** The default profile: its tools, each with the fields that it has. */
const DEFAULT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  run: ['command', 'id', 'cwd', 'timeout_ms', 'max_lines', 'cols', 'rows'],
  create: ['cmd_args', 'name', 'cwd', 'cols', 'rows'],
  type: ['id', 'text', 'submit', 'secret'],
  press: ['id', 'keys'],
  wait: ['id', 'until', 'fail', 'timeout_ms'],
  screenshot: ['id', 'region', 'max_tokens'],
  text: ['id', 'region', 'start', 'end', 'max_bytes'],
  list: [],
  kill: ['id', 'signal'],
};

/** Of fields that are objects, the fields that the default profile keeps. */
export const DEFAULT_NESTED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  until: ['text', 'regex', 'gone', 'settled_ms', 'done', 'exit', 'awaiting_input'],
  fail: ['text', 'regex'],
};

export interface CatalogEntry {
  readonly name: CommandName;
  /** Undefined: all of them. */
  readonly fields: readonly string[] | undefined;
  readonly readOnly: boolean;
  readonly destructive: boolean;
}

export function catalog(profile: Profile): CatalogEntry[] {
  const names = Object.keys(COMMANDS).filter((name) => !WITHHELD.includes(name)) as CommandName[];
  const offered = profile === 'full' ? names : names.filter((name) => Object.hasOwn(DEFAULT_FIELDS, name));
  return offered.map((name) => ({
    name,
    fields: profile === 'full' ? undefined : DEFAULT_FIELDS[name],
    readOnly: READ_ONLY.includes(name),
    destructive: DESTRUCTIVE.includes(name),
  }));
}
