/**
 * `t4a tools --serve`: calls of tools for harnesses in other languages, one line of JSON each way. Answers come as calls end, with
 * the number of their call; each line has one. It trusts who starts it, as a library would, and never the input of a call.
 */
import { connect } from '../../client/client.js';
import { LineSplitter } from '../../protocol/framing.js';
import { isT4aError, quote, T4aError } from '../../protocol/errors.js';
import { MAX_LINE_BYTES } from '../../protocol/limits.js';
import type { CallPlace, CallToolOptions } from '../../tools/call-tool.js';
import type { AllowedReach, Profile } from '../../tools/catalog.js';
import { askerOf } from '../asker.js';
import { targetOf } from '../target.js';
import type { LocalCommand } from './local-command.js';

/** The environment comes on top of what the daemon takes as a request. */
const MAX_CALL_BYTES = 2 * MAX_LINE_BYTES;

type Fields = Readonly<Record<string, unknown>>;

export const serveCalls: LocalCommand = async (invocation, host, bundles) => {
  const { callTool } = await bundles.tools();
  const { daemon } = await targetOf(invocation, host, bundles);
  const client = await connect({ ...daemon, ...askerOf(invocation.options, host), reach: 'create' });
  const pending = new Map<unknown, AbortController>();

  const answer = async (call: Fields): Promise<void> => {
    const { req, name, input = {} } = call;
    const controller = new AbortController();
    pending.set(req, controller);
    let reply: object;
    try {
      if (typeof name !== 'string') throw new T4aError('usage', 'A call has "name" and "input".');
      const { content, isError } = await callTool(client, name, input, {
        ...optionsOf(call),
        signal: controller.signal,
      });
      reply = { content, is_error: isError };
    } catch (error) {
      // Given up: nothing waits for the answer.
      if (controller.signal.aborted) return;
      reply = refusal(error);
    } finally {
      pending.delete(req);
    }
    host.out(`${JSON.stringify({ req, ...reply })}\n`);
  };

  const refuse = (error: unknown): void => host.out(`${JSON.stringify(refusal(error))}\n`);
  const splitter = new LineSplitter(MAX_CALL_BYTES, {
    line(bytes) {
      try {
        const call = parsed(bytes);
        if ('cancel' in call) pending.get(call['cancel'])?.abort();
        else void answer(call);
      } catch (error) {
        refuse(error);
      }
    },
    tooLong: () => refuse(new T4aError('usage', `A line is longer than ${MAX_CALL_BYTES} bytes.`)),
  });
  try {
    for await (const chunk of host.stdin()) splitter.push(chunk);
  } finally {
    for (const controller of pending.values()) controller.abort();
    await client.close();
  }
  return 0;
};

/** What is none of ours is a defect, which the caller reads, too. */
function refusal(error: unknown): object {
  if (isT4aError(error)) return { error: error.message, code: error.code, ...error.details };
  return { error: String(error), code: 'internal' };
}

const PROFILES: readonly Profile[] = ['default', 'full'];
const REACHES: readonly AllowedReach[] = ['read', 'use', 'create'];

/** @throws T4aError usage */
function optionsOf({ profile, allow, tools, tied, run_deadline_ms: runDeadlineMs, cwd, env }: Fields): CallToolOptions {
  return {
    ...(profile !== undefined && { profile: oneOf(PROFILES, 'profile', profile) }),
    ...(allow !== undefined && { allow: oneOf(REACHES, 'allow', allow) }),
    ...(tools !== undefined && { tools: namesIn(tools) }),
    tied: tied === true,
    ...(typeof runDeadlineMs === 'number' && { runDeadlineMs }),
    ...(typeof cwd === 'string' && isObject(env) && { place: { cwd, env: env as CallPlace['env'] } }),
  };
}

/** @throws T4aError usage */
function namesIn(tools: unknown): readonly string[] {
  if (Array.isArray(tools) && tools.every((name) => typeof name === 'string')) return tools;
  throw new T4aError('usage', '"tools" of a call is no list of names.');
}

function oneOf<Value extends string>(values: readonly Value[], field: string, given: unknown): Value {
  const value = values.find((one) => one === given);
  if (value !== undefined) return value;
  throw new T4aError('usage', `"${field}" of a call is ${quote(String(given))}: one of ${values.join(', ')}.`);
}

/** @throws T4aError usage */
function parsed(bytes: Uint8Array): Fields {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    value = undefined;
  }
  if (!isObject(value)) throw new T4aError('usage', 'A line is no JSON object.');
  return value;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
