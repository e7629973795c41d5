/** Requests to the daemon that has taken over, in place of one that was broken off. Input is never among them. */
import { type ResumeRequest, T4aError } from '../protocol/errors.js';
import { COMMANDS } from '../protocol/registry.js';
import type { CheckedRequest } from '../protocol/request.js';

/** The error of a request that has not begun: it is sent again as it was. */
export function notBegun(error: T4aError): T4aError {
  return new T4aError(error.code, error.message, { ...error.details, acted: false });
}

/** The error of a request that was under way, with what goes on where it was. A handler may have said it better. */
export function brokenOff(error: T4aError, request: CheckedRequest, elapsedMs: number): T4aError {
  if (error.details.acted !== undefined) return error;
  const acted = COMMANDS[request.cmd].traits.effect !== 'read';
  const resume = acted ? undefined : readAgain(request, elapsedMs);
  return new T4aError(error.code, error.message, {
    ...error.details,
    ...(acted ? { hint: 'It had begun, and what it did stays done: look before you ask again.' } : {}),
    acted,
    ...(resume === undefined ? {} : { resume }),
  });
}

/** The reply of an act that was done, and whose wait was broken off: the wait goes on. */
export function withResume<Answer>(answer: Answer, { params }: CheckedRequest, elapsedMs: number): Answer {
  const { reply } = answer as {
    readonly reply?: { readonly id?: string; readonly observed?: { readonly code?: string } };
  };
  const { id, wait, observe } = params as { readonly id?: string; readonly wait?: Timed; readonly observe?: object };
  if (reply?.observed?.code !== 'replaced' || wait === undefined) return answer;
  const resume = { cmd: 'wait', id: reply.id ?? id, ...shortened(wait, elapsedMs), ...(observe && { observe }) };
  return { ...answer, reply: { ...reply, observed: { ...reply.observed, resume } } };
}

/** Fields with the deadline of a request. */
const DEADLINES = ['timeout_ms', 'wait_ms'] as const;

type Timed = { readonly [Field in (typeof DEADLINES)[number]]?: number | undefined };

function shortened<Fields extends Timed>(fields: Fields, elapsedMs: number): Fields {
  const left = DEADLINES.flatMap((field) => {
    const ms = fields[field];
    return ms === undefined ? [] : [[field, Math.max(1, Math.round(ms - elapsedMs))]];
  });
  return { ...fields, ...Object.fromEntries(left) };
}

/** @returns undefined if the request itself does */
function readAgain({ cmd, params }: CheckedRequest, elapsedMs: number): ResumeRequest | undefined {
  const { wait, ...fields } = params as Timed & { readonly wait?: Timed };
  if (wait === undefined && DEADLINES.every((field) => fields[field] === undefined)) return undefined;
  return {
    cmd,
    ...shortened(fields, elapsedMs),
    ...(wait === undefined ? {} : { wait: shortened(wait, elapsedMs) }),
  };
}
