/**
 * Texts with placeholders for the server that an agent is to start. `{exe:toml}` is the value in that notation, `{exe}` the text
 * itself. Other braces are text.
 */
import { T4aError, quote } from '../protocol/errors.js';

/** The MCP server as an agent starts it. */
export interface McpServer {
  readonly exe: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface TemplateValues {
  readonly server: McpServer;
  /** Names of the tools that the agent may call without asking. */
  readonly approved: readonly string[];
  readonly approvesAll: boolean;
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Of arguments of a conversation: its id. */
export const CONVERSATION = '{conversation}';

/** Name of the server in the configuration of every agent. */
export const SERVER_NAME = 't4a';

const VALUES: Readonly<Record<string, (values: TemplateValues) => Json>> = {
  exe: ({ server }) => server.exe,
  args: ({ server }) => server.args,
  command: ({ server }) => [server.exe, ...server.args],
  env: ({ server }) => server.env,
  // As Claude Code's --mcp-config takes it.
  servers: ({ server: { exe, args, env } }) => ({
    mcpServers: { [SERVER_NAME]: { type: 'stdio', command: exe, args, env } },
  }),
  // As Claude Code's --allowedTools takes it.
  tools: ({ approved }) => approved.map((tool) => `mcp__${SERVER_NAME}__${tool}`).join(','),
  // As codex has it in a table of its server.
  approvals: ({ approved }) => Object.fromEntries(approved.map((tool) => [tool, { approval_mode: 'approve' }])),
  trust: ({ approvesAll }) => approvesAll,
};

/** Of these a text has no other notation. */
const PLAIN = new Set(['exe', 'tools']);

const PLACEHOLDER = /\{([a-z_]+)(?::([a-z]+))?\}/g;

const NOTATIONS: Readonly<Record<string, (value: Json) => string>> = { json: (value) => JSON.stringify(value), toml };

/** The first placeholder that means nothing; undefined if there is none. */
export function misplaced(text: string): string | undefined {
  for (const [whole, name = '', notation] of text.matchAll(PLACEHOLDER)) {
    const isKnown = Object.hasOwn(VALUES, name);
    if (notation === undefined ? isKnown && !PLAIN.has(name) : !isKnown || !Object.hasOwn(NOTATIONS, notation))
      return whole;
  }
  return undefined;
}

export function filled(text: string, values: TemplateValues): string {
  return text.replaceAll(PLACEHOLDER, (whole: string, name: string, notation: string | undefined) => {
    const value = Object.hasOwn(VALUES, name) ? VALUES[name]?.(values) : undefined;
    if (value === undefined) return whole;
    if (notation !== undefined) return NOTATIONS[notation]?.(value) ?? whole;
    return typeof value === 'string' ? value : whole;
  });
}

/** A text that is one placeholder (`"{env}"`) becomes the value itself, whatever its type. */
export function filledJson(template: Json, values: TemplateValues): Json {
  if (typeof template === 'string') {
    const name = /^\{([a-z_]+)\}$/.exec(template)?.[1];
    const value = name !== undefined && Object.hasOwn(VALUES, name) ? VALUES[name]?.(values) : undefined;
    return value ?? filled(template, values);
  }
  if (typeof template !== 'object' || template === null) return template;
  if (isList(template)) return template.map((one) => filledJson(one, values));
  return Object.fromEntries(Object.entries(template).map(([key, one]) => [key, filledJson(one, values)]));
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** One line of TOML 1.0. https://toml.io/en/v1.0.0#string @throws T4aError `usage`: it is no Unicode text */
export function toml(value: Json): string {
  if (typeof value === 'string') return tomlText(value);
  if (value === null) throw new T4aError('usage', 'TOML has no null.');
  if (typeof value !== 'object') return String(value);
  if (isList(value)) return `[${value.map(toml).join(',')}]`;
  const fields = Object.entries(value).map(
    ([key, one]) => `${/^[\w-]+$/.test(key) ? key : tomlText(key)}=${toml(one)}`,
  );
  return `{${fields.join(',')}}`;
}

/** A basic string. JSON escapes all that TOML wants escaped, but DEL. */
function tomlText(text: string): string {
  if (/\p{Surrogate}/u.test(text))
    throw new T4aError('usage', `${quote(text)} is no Unicode text, and TOML holds no other.`);
  return JSON.stringify(text).replaceAll('\x7f', String.raw`\u007f`);
}
