/**
 * How an agent gets the tools of t4a: arguments, variables and files of its own, out of its preset. Pure: the files are values that the
 * caller writes (generated-files.ts). The configuration of the person is copied and merged into, never written.
 */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { Environment } from '../client/callers-place.js';
import { T4aError, quote } from '../protocol/errors.js';
import { SERVER_NAME, filled, filledJson, type Json, type McpServer, type TemplateValues } from './template.js';
import type { AgentPreset } from './preset.js';

/** Names of the tools of the server, by what they do. */
export interface ServerTools {
  readonly reading: readonly string[];
  readonly all: readonly string[];
}

export interface InjectionInput {
  readonly server: McpServer;
  readonly tools: ServerTools;
  /** That the agent would have without injection. */
  readonly env: Environment;
  /** Folder of the agent's own files; absolute. */
  readonly folder: string;
  /** Text of a file of the system or the person. Undefined if there is none. @throws T4aError if it cannot be read */
  readonly readFile: (path: string) => string | undefined;
}

export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
  /** Command of a person, for a program that reads only files of root. */
  readonly unlessRoots?: string | undefined;
}

export interface Injection {
  readonly argv: readonly string[];
  /** On top of the given environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly files: readonly GeneratedFile[];
}

/** @throws T4aError `usage`: what is to be merged into is no JSON object */
export function inject({ name, argv, approve, mcp, env: own = {} }: AgentPreset, input: InjectionInput): Injection {
  if (mcp === undefined) return { argv, env: own, files: [] };
  const approved = approve === 'none' ? [] : approve === 'all' ? input.tools.all : input.tools.reading;
  const values: TemplateValues = { server: input.server, approved, approvesAll: approve === 'all' };
  const approvals = approved.length === 0 ? [] : (mcp.approve ?? []);
  const words = [...approvals, ...(mcp.args ?? [])].map((template) => filled(template, values));
  const inherited: Environment = { ...input.env, ...own };
  const env: Record<string, string> = { ...own };
  for (const [variable, template] of Object.entries(mcp.env ?? {})) {
    const before = inherited[variable];
    const base = before === undefined || before.trim() === '' ? {} : jsonObject(before, `The variable ${variable}`);
    env[variable] = JSON.stringify(merged(base, filledJson(template, values)));
  }
  const { file } = mcp;
  if (file === undefined) return { argv: [...argv, ...words], env, files: [] };
  const old = inherited[file.env] || file.copy_of;
  const text = old === undefined ? undefined : input.readFile(old);
  const base = text === undefined ? {} : jsonObject(text, `The file ${quote(old)}`);
  const path = posix.join(input.folder, `${fileStem(name)}-${daemonKey(input.server.env['T4A_SOCKET'] ?? '')}.json`);
  env[file.env] = path;
  const content = `${JSON.stringify(merged(base, filledJson(file.json, values)), null, 2)}\n`;
  return { argv: [...argv, ...words], env, files: [{ path, text: content, unlessRoots: file.unless_roots }] };
}

/** A name may hold anything but control characters: what leads elsewhere is left out. */
function fileStem(name: string): string {
  return name.replaceAll(/[^\w-]+/g, '-').replace(/^-+|-+$/g, '') || 'agent';
}

/** In the names of files: two daemons may have terminals of one name. */
export function daemonKey(socketPath: string): string {
  return createHash('sha256').update(socketPath).digest('hex').slice(0, DAEMON_KEY_LENGTH);
}

const DAEMON_KEY_LENGTH = 8;

type JsonObject = { readonly [key: string]: Json };

/** @throws T4aError `usage`: comments are refused as well, since what is copied must keep its meaning */
function jsonObject(text: string, what: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (isObject(value as Json)) return value as JsonObject;
  throw new T4aError(
    'usage',
    `${what} holds no JSON object, so the server ${quote(SERVER_NAME)} cannot be added to it.`,
    {
      hint: 'Write it as JSON without comments, or leave "mcp" of the preset out.',
    },
  );
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Objects are merged; of anything else the second is taken. A key such as __proto__ is a key. */
function merged(base: Json, over: Json): Json {
  if (!isObject(base) || !isObject(over)) return over;
  const fields = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(over)) {
    // An older server of that name is replaced whole: a field that it has and this one lacks would make a mixture.
    const before = key === SERVER_NAME ? undefined : fields.get(key);
    fields.set(key, before === undefined ? value : merged(before, value));
  }
  return Object.fromEntries(fields);
}
