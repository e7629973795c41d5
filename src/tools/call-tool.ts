/** A model's tool call: one command of the protocol, its reply as what a model reads best. */
import { resolve } from 'node:path';
import { nearestWords } from '../base/nearest.js';
import type { Client } from '../client/client.js';
import type { CallArguments, CallName, CallOptions } from '../client/connection.js';
import { callersPlace, type Environment } from '../client/callers-place.js';
import { callersDirectory, callersEnvironment } from '../client/paths.js';
import { T4aError, isT4aError, quote } from '../protocol/errors.js';
import { catalog, WITHHELD_FIELDS, type Profile } from './catalog.js';
import { contentOf, errorContent, type ToolContent } from './content.js';
import { TOOL_PREFIX } from './formats.js';

type ToolArguments = Readonly<Record<string, unknown>>;

/** Where a model is served by something else than a program. */
const DEFAULTS: Readonly<Record<string, ToolArguments>> = { text: { trim: true } };

export interface ToolResult {
  readonly content: readonly ToolContent[];
  readonly isError: boolean;
}

export interface CallToolOptions extends CallOptions {
  /** Tools outside of it are refused. Default: `full`. */
  readonly profile?: Profile;
}

/** @param name with or without its prefix `t4a_`. An error of the call is a result too: the model is to read it. */
export async function callTool(
  client: Client,
  name: string,
  input: ToolArguments = {},
  { profile = 'full', signal }: CallToolOptions = {},
): Promise<ToolResult> {
  try {
    const command = commandOf(name, profile);
    refuseWithheld(command, input);
    // The daemon checks what the model wrote, and says what is wrong with it.
    const args = [
      { ...DEFAULTS[command], ...withPlace(command, input) },
      { signal },
    ] as unknown as CallArguments<CallName>;
    const { bytes, ...reply } = (await client.call(command, ...args)) as ToolArguments;
    return { content: contentOf(command, reply, bytes as Uint8Array | undefined), isError: false };
  } catch (error) {
    if (!isT4aError(error)) throw error;
    return { content: errorContent(error), isError: true };
  }
}

function commandOf(name: string, profile: Profile): CallName {
  const names = catalog(profile).map((entry) => entry.name);
  const bare = name.startsWith(TOOL_PREFIX) ? name.slice(TOOL_PREFIX.length) : name;
  const known = names.find((candidate) => candidate === bare);
  if (known !== undefined) return known as CallName;
  const closest = nearestWords(bare, names)[0];
  throw new T4aError('unknown_cmd', `There is no tool ${quote(name)}.`, {
    hint: closest === undefined ? `One of: ${names.join(', ')}.` : `Did you mean "${closest}"?`,
  });
}

/** @throws T4aError unknown_field: a schema is only a suggestion to who calls */
function refuseWithheld(command: CallName, input: ToolArguments): void {
  const field = WITHHELD_FIELDS.find((withheld) => Object.hasOwn(input, withheld));
  if (field === undefined) return;
  throw new T4aError('unknown_field', `The tool "${command}" has no field "${field}".`, {
    field,
    hint: 'Ask the person, who may run "t4a type --secret --even-if-shown".',
  });
}

/** Programs start where the harness is, not where the daemon happened to be started. */
function withPlace(command: CallName, input: ToolArguments): ToolArguments {
  if ((command !== 'create' && command !== 'run') || input['inherit_env'] === false) return input;
  // A terminal that is there already has its place.
  if (command === 'run' && input['id'] !== undefined) return input;
  const { cwd = '.', env = {} } = input;
  // What has the wrong type is left for the daemon to refuse.
  if (typeof cwd !== 'string' || typeof env !== 'object' || env === null) return input;
  return { ...input, ...callersPlace(resolve(callersDirectory(), cwd), callersEnvironment(), env as Environment) };
}
