/**
 * `t4a tools --serve`: calls of tools for harnesses in other languages, one line of JSON each way. Answers come as calls end, with
 * the number of their call; each line has one. It trusts who starts it, as a library would, and never the input of a call.
 */
import { setTimeout } from 'node:timers/promises';
import { connect } from '../../client/client.js';
import { LineSplitter } from '../../protocol/framing.js';
import { isT4aError, quote, T4aError } from '../../protocol/errors.js';
import { MAX_LINE_BYTES } from '../../protocol/limits.js';
import { requestFields } from '../../protocol/request-line.js';
import type { CallPlace, CallToolOptions } from '../../tools/call-tool.js';
import type { AllowedReach, ToolProfile, ToolOffer } from '../../tools/catalog.js';
import { askerOf } from '../asker.js';
import { targetOf } from '../target.js';
import type { LocalCommand } from './local-command.js';

/** The environment comes on top of what the daemon takes as a request. */
const MAX_CALL_BYTES = 2 * MAX_LINE_BYTES;

/** Once the input has ended: for the answers to calls that are under way. */
const LAST_ANSWERS_MS = 5000;

type Fields = Readonly<Record<string, unknown>>;

export const serveCalls: LocalCommand = async (invocation, host, bundles) => {
  const { callTool } = await bundles.tools();
  const { daemon } = await targetOf(invocation, host, bundles);
  const most = invocation.options as ToolOffer;
  const reach = most.allow ?? 'create';
  const client = await connect({ ...daemon, ...askerOf(invocation.options, host), reach });
  const pending = new Map<unknown, AbortController>();

  const answer = async (call: Fields): Promise<void> => {
    const { req, name, input = {} } = call;
    const controller = new AbortController();
    pending.set(req, controller);
    let reply: object;
    try {
      if (typeof name !== 'string') throw new T4aError('usage', 'A call has "name" and "input".');
      const { content, isError } = await callTool(client, name, input, {
        ...optionsOf(call, most),
        signal: controller.signal,
      });
      reply = { content, is_error: isError };
    } catch (error) {
      // Given up by its caller, who waits for no answer.
      if (controller.signal.aborted && !isT4aError(controller.signal.reason)) return;
      reply = refusal(error);
    } finally {
      pending.delete(req);
    }
    host.out(`${JSON.stringify({ req, ...reply })}\n`);
  };

  const answers = new Set<Promise<void>>();
  const follow = (answered: Promise<void>): void => {
    answers.add(answered);
    void answered.finally(() => answers.delete(answered));
  };
  const refuse = (error: unknown): void => host.out(`${JSON.stringify(refusal(error))}\n`);
  const splitter = new LineSplitter(MAX_CALL_BYTES, {
    line(bytes) {
      try {
        const call = parsed(bytes);
        if ('cancel' in call) pending.get(call['cancel'])?.abort();
        else follow(answer(call));
      } catch (error) {
        refuse(error);
      }
    },
    tooLong() {
      refuse(new T4aError('usage', `A line is longer than ${MAX_CALL_BYTES} bytes: nothing more is read.`));
      isCut = true;
    },
  });
  let isCut = false;
  try {
    for await (const chunk of host.stdin()) {
      splitter.push(chunk);
      if (isCut) break;
    }
    await Promise.race([Promise.all(answers), setTimeout(LAST_ANSWERS_MS, undefined, { ref: false })]);
  } finally {
    for (const controller of pending.values()) controller.abort(new T4aError('cancelled', 'The input has ended.'));
    await Promise.all(answers);
    await client.close();
  }
  return isCut ? 2 : 0;
};

/** Refusal as the caller reads it. An error that is none of ours is a defect, and is read, too. */
function refusal(error: unknown): object {
  if (isT4aError(error)) return { error: error.message, code: error.code, ...error.details };
  return { error: String(error), code: 'internal' };
}

const PROFILES: readonly ToolProfile[] = ['default', 'full'];
const REACHES: readonly AllowedReach[] = ['read', 'use', 'create'];

/** @param most what the command line allows: a call has that, or less @throws T4aError usage */
function optionsOf(call: Fields, most: ToolOffer): CallToolOptions {
  const { profile, allow, tools, tied, run_deadline_ms: runDeadlineMs, cwd, env, ...others } = call;
  const other = Object.keys(others).find((field) => !['req', 'name', 'input'].includes(field));
  if (other !== undefined) throw new T4aError('usage', `A call has no field ${quote(other)}.`);
  return {
    profile: within(PROFILES, 'profile', profile, most.profile),
    allow: within(REACHES, 'allow', allow, most.allow),
    tools: namesWithin(tools, most.tools),
    tied: tied === true,
    ...(typeof runDeadlineMs === 'number' && { runDeadlineMs }),
    ...(typeof cwd === 'string' && isObject(env) && { place: { cwd, env: env as CallPlace['env'] } }),
  };
}

const bare = (name: string): string => name.replace(/^t4a_/, '');

/** @throws T4aError usage */
function namesWithin(tools: unknown, most: ToolOffer['tools']): ToolOffer['tools'] {
  if (tools === undefined) return most;
  if (!Array.isArray(tools) || !tools.every((name): name is string => typeof name === 'string')) {
    throw new T4aError('usage', '"tools" of a call is no list of names.');
  }
  const above = most && tools.find((name) => !most.map(bare).includes(bare(name)));
  if (above === undefined) return tools;
  throw new T4aError('usage', `"tools" of a call has ${quote(above)}, which "--tools" does not have.`);
}

/** @param values from the least to the most @throws T4aError usage */
function within<Value extends string>(
  values: readonly Value[],
  field: string,
  given: unknown,
  most: Value | undefined,
): Value | undefined {
  if (given === undefined) return most;
  const value = values.find((one) => one === given);
  const allowed = most === undefined ? values : values.slice(0, values.indexOf(most) + 1);
  if (value !== undefined && allowed.includes(value)) return value;
  const shown = typeof given === 'string' || typeof given === 'number' ? quote(`${given}`) : 'no text';
  throw new T4aError('usage', `"${field}" of a call is ${shown}: one of ${allowed.join(', ')}.`);
}

/** @throws T4aError usage */
function parsed(bytes: Uint8Array): Fields {
  const fields = requestFields(bytes);
  if (!(fields instanceof T4aError)) return fields;
  throw new T4aError('usage', `A line is no call. ${fields.message}`);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
