/** A model's tool call: one command of the protocol, its reply as what a model reads best. */
import { resolve } from 'node:path';
import type { Client } from '../client/client.js';
import type { CallArguments, CallName, CallOptions } from '../client/connection.js';
import { hasFeature } from '../client/envelope.js';
import { callersPlace, type Environment } from '../client/callers-place.js';
import { callersDirectory, callersEnvironment } from '../client/paths.js';
import { T4aError, isT4aError, quote } from '../protocol/errors.js';
import type { Traits } from '../protocol/command.js';
import { COMMANDS, type Reply } from '../protocol/registry.js';
import {
  assertNoOthers,
  bareName,
  catalog,
  type CatalogEntry,
  DEFAULT_TOOL_PROFILE,
  type ToolProfile,
  type ToolOffer,
} from './catalog.js';
import { checkedInput, type ToolInput } from './checked-input.js';
import { contentOf, errorContent, MAX_TEXT_LENGTH, type ToolContent } from './content.js';
import { meantWord } from './other-words.js';
import { acts, runOrTurn, withCondition, withTurn } from './model-turn.js';

export interface ToolResult {
  readonly content: readonly ToolContent[];
  readonly isError: boolean;
}

export interface CallPlace {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Environment;
}

/** Tools and fields that are not offered are refused. Default: the offer of `toolSchemas`. */
export interface CallToolOptions extends CallOptions, ToolOffer {
  /** Longest `timeout_ms` of waits, and the default of `run`; what has not ended by then goes on in its terminal. Default: none. */
  readonly runDeadlineMs?: number;
  /** Terminals of `create` end with the client's connection. Default: false. */
  readonly tied?: boolean;
  /** Directory and environment that programs start with. Default: those of this process. */
  readonly place?: CallPlace | undefined;
  /** Another host, which the call is for: hints name it. */
  readonly host?: string | undefined;
  /** Sends the request. Default: `client.call`. */
  readonly send?: (command: CallName, fields: ToolInput, options: CallOptions) => Promise<ToolInput>;
  /** Names the terminals of a reply as the model has them. Default: as the daemon does. */
  readonly named?: (reply: ToolInput) => ToolInput;
}

/**
 * The request is made of the tool that is named and of its checked input alone, and goes over a connection that may do no more
 * than `allow`.
 * @param name with or without its prefix `t4a_`
 * @param input of the model, as it is. An error of the call is a result too: the model reads it.
 */
export async function callTool(
  client: Client,
  name: string,
  input: unknown = {},
  {
    profile = DEFAULT_TOOL_PROFILE,
    allow = 'create',
    tools,
    signal,
    traceparent,
    runDeadlineMs,
    tied = false,
    place,
    host,
    send = async (command, ...args) =>
      (await client.within(allow)).call(command, ...(args as unknown as CallArguments<CallName>)),
    named = (reply) => reply,
    ...others
  }: CallToolOptions = {},
): Promise<ToolResult> {
  const offer = { profile, allow, tools };
  assertNoOthers('callTool', others);
  const offered = catalog(offer);
  try {
    const tool = toolOf(name, offered, offer);
    const given = checkedInput(tool, input);
    const { command, fields: asked } = requestOf(tool.name as CallName, given, profile);
    const fields = hasFeature(client.daemon, 'changed') ? asked : wholeLook(asked);
    const { traits } = COMMANDS[command];
    const request = {
      ...traits.clientDefaults,
      ...limited(traits, traits.startsProgram === true && !client.isFar ? withPlace(fields, place) : fields),
      ...(tied && command === 'create' ? { tied } : {}),
      ...(command === 'run' && hasFeature(client.daemon, 'stream') ? withDeadline(fields, runDeadlineMs) : {}),
      ...(command === 'run' && profile === 'default' ? withoutLoss(fields, hasFeature(client.daemon, 'changed')) : {}),
    };
    const { request: within, words } = cutWait(command, request, fields, runDeadlineMs);
    const { bytes, ...reply } = await send(command, within, { signal, traceparent });
    const troubles = command === 'run' ? await troublesIn(reply, (of) => send('grep', of, { signal })) : [];
    return {
      content: [
        ...contentOf(command, named(reply), bytes as Uint8Array | undefined, {
          troubles,
          own: client.as,
          has: (other) => offered.some((each) => each.name === other),
          asked: fields,
        }),
        ...words.map((text) => ({ type: 'text' as const, text })),
      ],
      isError: false,
    };
  } catch (error) {
    if (!isT4aError(error)) throw error;
    return {
      content: errorContent(explained(error, name), { ...offer, host, tool: bareName(name), id: idOf(input) }),
      isError: true,
    };
  }
}

function idOf(input: unknown): unknown {
  return typeof input === 'object' && input !== null && 'id' in input ? input.id : undefined;
}

const OF_FIELDS: readonly string[] = ['invalid_field', 'unknown_field'];

/** The tool's own name where another command is its request. */
function explained(error: T4aError, name: string): T4aError {
  if (bareName(name) !== 'run' || !OF_FIELDS.includes(error.code)) return error;
  return new T4aError(error.code, error.message.replace(/(?<= of ")(?:create|type)(?=")/, 'run'), error.details);
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
  const closest = meantWord(bare, names);
  throw new T4aError('unknown_cmd', `There is no tool ${quote(name)}.`, {
    hint: closest === undefined ? `One of: ${names.join(', ')}.` : `Did you mean "${closest}"?`,
  });
}

function requestOf(
  command: CallName,
  input: ToolInput,
  profile: ToolProfile,
): { readonly command: CallName; readonly fields: ToolInput } {
  if (command === 'run') return runOrTurn(input);
  if (command === 'wait') return { command, fields: withCondition(input) };
  if (command === 'text' && profile === 'default') return { command, fields: { selection: true, ...input } };
  return { command, fields: acts(command) ? withTurn(input, profile === 'default') : input };
}

/** Look for a daemon that shows all rows only. */
function wholeLook({ changed: _changed, selection: _selection, observe, ...fields }: ToolInput): ToolInput {
  const { text } = (observe ?? {}) as { readonly text?: unknown };
  const isOfText = typeof text === 'object' && text !== null && 'selection' in text;
  return { ...fields, ...(observe === undefined ? {} : { observe: isOfText ? { ...observe, text: true } : observe }) };
}

/** Lines of output that a model reads of a run, if it names no number. */
const RUN_LINES = 60;

/** Beside them a result has room for what is said of them. */
const RUN_LENGTH = MAX_TEXT_LENGTH - 1000;

/** Input without loss: what is left out stays in the terminal, which is dropped as every ended one is. */
function withoutLoss({ max_lines: wanted = RUN_LINES, keep }: ToolInput, keeps: boolean): ToolInput {
  return {
    max_lines: wanted,
    ...(keeps ? { max_length: RUN_LENGTH } : {}),
    ...(keeps && keep === undefined ? { keep_omitted: true } : {}),
  };
}

/** Words of compilers, tests and shells. */
const TROUBLE = String.raw`\b(error|errors|warning|fatal|failed|failure|panic|exception|traceback)\b`;

/** The most that `grep` returns. */
const MAX_TROUBLES = 10_000;

/** @returns lasting numbers of rows among those that were left out of the output */
async function troublesIn(reply: ToolInput, grep: (of: ToolInput) => Promise<ToolInput>): Promise<number[]> {
  const { id, omitted } = reply as Partial<Pick<Reply<'run'>, 'id' | 'omitted'>>;
  if (omitted === undefined) return [];
  const { from_line: from, rows } = omitted;
  // The last ones of a terminal that may have had more before.
  const found = await grep({ id, pattern: TROUBLE, ignore_case: true, max: MAX_TROUBLES, region: 'all' }).catch(
    () => undefined,
  );
  const { matches = [] } = (found ?? {}) as Partial<Reply<'grep'>>;
  return matches.map(({ number }) => number).filter((number) => number >= from && number < from + rows);
}

const seconds = (ms: number): string => String(Math.round(ms / 100) / 10);

/** No longer than the client waits for a result. @returns also what was cut, in words */
function cutWait(
  command: CallName,
  request: ToolInput,
  asked: ToolInput,
  mostMs = Infinity,
): { readonly request: ToolInput; readonly words: readonly string[] } {
  const { wait } = request as { readonly wait?: ToolInput };
  const own = command === 'wait' || command === 'run' ? asked['timeout_ms'] : wait?.['timeout_ms'];
  if (typeof own !== 'number' || own <= mostMs) return { request, words: [] };
  return {
    request:
      command === 'wait' || command === 'run'
        ? { ...request, timeout_ms: mostMs }
        : { ...request, wait: { ...wait, timeout_ms: mostMs } },
    words: [`Your ${seconds(own)} s were cut to ${seconds(mostMs)}: call again to wait on.`],
  };
}

function withDeadline({ timeout_ms: wanted, on_timeout = 'keep' }: ToolInput, deadlineMs: number | undefined) {
  if (deadlineMs === undefined) return {};
  return { timeout_ms: Math.min((wanted as number | undefined) ?? deadlineMs, deadlineMs), on_timeout };
}

/** No more than the tool's limits, which are its defaults. */
function limited({ tool }: Traits, input: ToolInput): ToolInput {
  const { limits = {} } = tool === false || tool === undefined ? {} : tool;
  const least = Object.entries(limits).map(([field, most = Infinity]) => [
    field,
    Math.min((input[field] as number | undefined) ?? most, most),
  ]);
  return { ...input, ...Object.fromEntries(least) };
}

/** Programs start in the harness's place, not in the daemon's; a terminal that exists already has its own. */
function withPlace(input: ToolInput, place: CallPlace | undefined): ToolInput {
  if (input['inherit_env'] === false || input['id'] !== undefined) return input;
  const { cwd = '.', env = {} } = input as { readonly cwd?: string; readonly env?: Environment };
  const { cwd: directory, env: inherited } = place ?? { cwd: callersDirectory(), env: callersEnvironment() };
  return {
    ...input,
    ...callersPlace(resolve(directory, cwd), inherited, env, input['keep_agent_env'] === true),
  };
}
