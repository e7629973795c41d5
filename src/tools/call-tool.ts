/** A model's tool call: one command of the protocol, its reply as what a model reads best. */
import { resolve } from 'node:path';
import { nearestWords } from '../base/nearest.js';
import type { Client } from '../client/client.js';
import type { CallArguments, CallName, CallOptions } from '../client/connection.js';
import { hasFeature } from '../client/envelope.js';
import { callersPlace, type Environment } from '../client/callers-place.js';
import { callersDirectory, callersEnvironment } from '../client/paths.js';
import { T4aError, isT4aError, quote } from '../protocol/errors.js';
import type { Traits } from '../protocol/command.js';
import { COMMANDS } from '../protocol/registry.js';
import { bareName, catalog, type CatalogEntry, type Profile, type ToolOffer } from './catalog.js';
import { contentOf, errorContent, type ToolContent } from './content.js';
import { acts, runOrTurn, withTurn } from './model-turn.js';
import { wrongFieldsWords } from './wrong-fields.js';

type ToolArguments = Readonly<Record<string, unknown>>;

export interface ToolResult {
  readonly content: readonly ToolContent[];
  readonly isError: boolean;
}

export interface CallPlace {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Environment;
}

/** Tools and fields that are not offered are refused. `profile` is `full` by default. */
export interface CallToolOptions extends CallOptions, ToolOffer {
  /** Longest `timeout_ms` of `run`, and its default; what has not ended by then goes on in its terminal. Default: none. */
  readonly runDeadlineMs?: number;
  /** Terminals of `create` end with the client's connection. Default: false. */
  readonly tied?: boolean;
  /** Directory and environment that programs start with. Default: those of this process. */
  readonly place?: CallPlace | undefined;
  /** Another host, which the call is for: hints name it. */
  readonly host?: string | undefined;
  /** Sends the request. Default: `client.call`. */
  readonly send?: (command: CallName, fields: ToolArguments, options: CallOptions) => Promise<ToolArguments>;
  /** Names the terminals of a reply as the model has them. Default: as the daemon does. */
  readonly named?: (reply: ToolArguments) => ToolArguments;
}

/** @param name with or without its prefix `t4a_`. An error of the call is a result too: the model reads it. */
export async function callTool(
  client: Client,
  name: string,
  input: ToolArguments = {},
  {
    profile = 'full',
    allow = 'create',
    tools,
    signal,
    traceparent,
    runDeadlineMs,
    tied = false,
    place,
    host,
    send = (command, ...args) => client.call(command, ...(args as unknown as CallArguments<CallName>)),
    named = (reply) => reply,
  }: CallToolOptions = {},
): Promise<ToolResult> {
  const offer = { profile, allow, tools };
  const offered = catalog(offer);
  try {
    const tool = toolOf(name, offered, offer);
    refuseWithheld(tool, input);
    const { command, fields } = requestOf(tool.name as CallName, input, profile);
    const { traits } = COMMANDS[command];
    // The daemon checks what the model wrote.
    const request = {
      ...traits.clientDefaults,
      ...limited(traits, traits.startsProgram === true && !client.isFar ? withPlace(fields, place) : fields),
      ...(tied && command === 'create' ? { tied } : {}),
      ...(command === 'run' && hasFeature(client.daemon, 'stream') ? withDeadline(input, runDeadlineMs) : {}),
    };
    const { bytes, ...reply } = await send(command, request, { signal, traceparent });
    return {
      content: contentOf(command, named(reply), bytes as Uint8Array | undefined, {
        own: client.as,
        has: (other) => offered.some((each) => each.name === other),
      }),
      isError: false,
    };
  } catch (error) {
    if (!isT4aError(error)) throw error;
    return {
      content: errorContent(explained(error, offered, name, input), {
        ...offer,
        host,
        tool: bareName(name),
        id: input['id'],
      }),
      isError: true,
    };
  }
}

const OF_FIELDS: readonly string[] = ['invalid_field', 'unknown_field'];

/** All wrong fields at once, and the tool's own name where another command is its request. */
function explained(error: T4aError, offered: readonly CatalogEntry[], name: string, input: ToolArguments): T4aError {
  const tool = offered.find((one) => one.name === bareName(name));
  if (tool === undefined || !OF_FIELDS.includes(error.code)) return error;
  const words = wrongFieldsWords(tool, input);
  if (words !== undefined) return new T4aError(error.code, words);
  const message = error.message.replace(/(?<= of ")(?:create|type)(?=")/, tool.name);
  return tool.name === 'run' ? new T4aError(error.code, message, error.details) : error;
}

function toolOf(
  name: string,
  tools: readonly CatalogEntry[],
  { profile, allow, tools: named }: ToolOffer,
): CatalogEntry {
  const bare = bareName(name);
  const known = tools.find((tool) => tool.name === bare);
  if (known !== undefined) return known;
  const above = named === undefined ? catalog({ profile }).find((tool) => tool.name === bare) : undefined;
  if (above !== undefined) {
    const { reach } = COMMANDS[above.name].traits;
    throw new T4aError(
      'not_allowed',
      `The tool "${bare}" needs the reach "${reach}", and only "${allow}" is allowed.`,
      {
        hint: 'The person who has set up these tools may allow more.',
      },
    );
  }
  const names = tools.map((tool) => tool.name);
  const closest = nearestWords(bare, names)[0];
  throw new T4aError('unknown_cmd', `There is no tool ${quote(name)}.`, {
    hint: closest === undefined ? `One of: ${names.join(', ')}.` : `Did you mean "${closest}"?`,
  });
}

/** @throws T4aError unknown_field: a model may ignore the schema */
function refuseWithheld({ name, withheldFields }: CatalogEntry, input: ToolArguments): void {
  const field = withheldFields.find((withheld) => Object.hasOwn(input, withheld));
  if (field === undefined) return;
  throw new T4aError('unknown_field', `The tool "${name}" has no field "${field}".`, {
    field,
    hint: 'Ask the person, who alone may decide that, on the command line.',
  });
}

function requestOf(
  command: CallName,
  input: ToolArguments,
  profile: Profile,
): { readonly command: CallName; readonly fields: ToolArguments } {
  if (command === 'run') return runOrTurn(input);
  return { command, fields: acts(command) ? withTurn(input, profile === 'default') : input };
}

/** The daemon refuses a wrong type. */
function withDeadline({ timeout_ms: wanted, on_timeout = 'keep' }: ToolArguments, deadlineMs: number | undefined) {
  if (deadlineMs === undefined) return {};
  return { timeout_ms: typeof wanted === 'number' ? Math.min(wanted, deadlineMs) : (wanted ?? deadlineMs), on_timeout };
}

/** No more than the tool's limits, which are its defaults. */
function limited({ tool }: Traits, input: ToolArguments): ToolArguments {
  const { limits = {} } = tool === false || tool === undefined ? {} : tool;
  const least = Object.entries(limits).map(([field, most = Infinity]) => {
    const given = input[field] ?? most;
    // The daemon refuses a wrong type.
    return [field, typeof given === 'number' ? Math.min(given, most) : given];
  });
  return { ...input, ...Object.fromEntries(least) };
}

/** Programs start in the harness's place, not in the daemon's; a terminal that exists already has its own. */
function withPlace(input: ToolArguments, place: CallPlace | undefined): ToolArguments {
  if (input['inherit_env'] === false || input['id'] !== undefined) return input;
  const { cwd = '.', env = {} } = input;
  // The daemon refuses a wrong type.
  if (typeof cwd !== 'string' || typeof env !== 'object' || env === null) return input;
  const { cwd: directory, env: inherited } = place ?? { cwd: callersDirectory(), env: callersEnvironment() };
  return {
    ...input,
    ...callersPlace(resolve(directory, cwd), inherited, env as Environment, input['keep_agent_env'] === true),
  };
}
