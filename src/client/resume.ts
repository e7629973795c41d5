/**
 * Requests of a client to the daemon that has taken over: a request that was broken off, and the wait behind an act that was done.
 */
import { isT4aError, type ResumeRequest } from '../protocol/errors.js';
import type { Pong } from './handshake.js';

/** Whether it is another daemon, without the terminals of the one before, and not its successor. */
export function isAnother(before: Pong, now: Pong): boolean {
  const isKnown = before.instance !== undefined && now.instance !== undefined;
  return isKnown ? before.instance !== now.instance : before.pid !== now.pid;
}

type Fields = Readonly<Record<string, unknown>>;

/** Most replacements during one request. More of them is what only says so. */
const MOST_REPLACEMENTS = 64;

/** @param again sends a request to the daemon that has taken over @returns the reply to the request, over any number of replacements */
export async function overReplacements<Reply extends object>(
  asked: Promise<Reply>,
  first: ResumeRequest,
  again: (request: ResumeRequest) => Promise<object>,
): Promise<Reply> {
  let request = first;
  let left = MOST_REPLACEMENTS;
  for (let result: Promise<object> = asked; ; result = again(request)) {
    try {
      const reply = (await result) as Fields;
      const { observed } = reply as { readonly observed?: { readonly code?: string; readonly resume?: ResumeRequest } };
      const resume = observed?.code === 'replaced' ? observed.resume : undefined;
      // Security: a reply may be that of another host, which must not choose what is asked here.
      if (resume?.cmd !== 'wait') return reply as Reply;
      const waited = await overReplacements(again(resume), resume, again);
      return wholeReply(reply, waited as Fields) as Reply;
    } catch (error) {
      const next = requestAgain(error, request);
      if (next === undefined || left-- === 0) throw error;
      request = next;
    }
  }
}

/** @returns undefined if it has failed of another reason, or must not be sent again: it has acted */
function requestAgain(error: unknown, request: ResumeRequest): ResumeRequest | undefined {
  if (!isT4aError(error) || error.code !== 'replaced') return undefined;
  const { acted, resume } = error.details;
  // Security: the same command with the rest of its deadline, and no other that a far host has chosen.
  if (resume?.cmd === request.cmd) return resume;
  return acted === false ? request : undefined;
}

/** Fields that stand beside the outcome of a wait in a reply. */
const BESIDE = ['observed', 'inputs', 'bytes', 'len', 'picture_region'] as const;

function wholeReply({ observed: _failed, ...acted }: Fields, waited: Fields): Fields {
  const wait = { ...waited };
  const beside: Record<string, unknown> = {};
  for (const field of BESIDE) {
    if (wait[field] !== undefined) beside[field] = wait[field];
    delete wait[field];
  }
  return { ...acted, wait, ...beside };
}
