/**
 * Replies without their secrets, for connections of programs (`restrict` without a person), which the tools of models are: texts and raw
 * output here, pictures where they are drawn. What cannot be masked is refused.
 */
import { type Core, isMasked } from '../features/core.js';
import { isT4aError, refusal, type T4aError } from '../protocol/errors.js';
import type { CommandName } from '../protocol/registry.js';
import { later } from './later.js';
import type { Terminal } from '../terminal/terminal.js';
import type { MatchesOfMasked, ReplyFields } from './masked-answer.js';
import type { Call, Handler, Handlers } from '../rpc/service.js';

/** Put together, parts of less would be a secret of which none was known. */
const MIN_OUTPUT_BYTES = 64;

/** The most that `grep` returns. */
const MAX_MATCHES = 10_000;

/** Streams, and pictures and parts of lines in which a secret may be cut. */
const REFUSED: ReadonlySet<CommandName> = new Set(['watch', 'events', 'film', 'debug']);
const REFUSED_FORMATS: ReadonlySet<unknown> = new Set(['cells', 'runs', 'html']);

export function maskReplies(core: Core, handlers: Handlers): Handlers {
  const masked = Object.entries(handlers).map(([name, handler]) => [name, maskReply(core, handler as AnyHandler)]);
  return Object.fromEntries(masked) as Handlers;
}

type AnyHandler = Handler<CommandName> & ((params: object, call: Call) => unknown);

function maskReply(core: Core, handler: AnyHandler): AnyHandler {
  const masking = (params: ReplyFields, call: Call): unknown => {
    if (!isMasked(core, call)) return handler(params, call);
    if (REFUSED.has(call.cmd)) throw notMasked(`"${call.cmd}"`);
    if (REFUSED_FORMATS.has(params['format'])) throw notMasked(`"format" of "${call.cmd}"`, 'format');
    const isShort = call.cmd === 'output' && (params['max_bytes'] as number) < MIN_OUTPUT_BYTES;
    if (isShort) throw notMasked(`"output" of less than ${MIN_OUTPUT_BYTES} bytes`, 'max_bytes');
    const { asked, only } = call.cmd === 'grep' ? ofAllMatches(params) : { asked: params, only: undefined };
    return masked(core, () => handler(asked, call), params, call, only);
  };
  return Object.assign(masking, { load: handler.load }) as AnyHandler;
}

/** Fields that ask for all matches: their count is known only once each of them has been masked. */
function ofAllMatches(params: ReplyFields): { readonly asked: ReplyFields; readonly only: MatchesOfMasked } {
  return { asked: { ...params, max: MAX_MATCHES }, only: params as unknown as MatchesOfMasked };
}

/** The handler is called at once, in the order of the requests. */
async function masked(
  core: Core,
  ask: () => unknown,
  params: ReplyFields,
  call: Call,
  matches: MatchesOfMasked | undefined,
): Promise<unknown> {
  const asked = { cmd: call.cmd, params, terminal: terminalOf(core, params, call), matches };
  try {
    const answer = await ask();
    return (await later.maskedAnswer()).maskedAnswer(core, answer, asked);
  } catch (error) {
    if (!isT4aError(error)) throw error;
    throw (await later.maskedAnswer()).maskedError(core, error, asked);
  }
}

/** Terminal that the request names, by an id or a handle; else that of its scope. */
function terminalOf({ terminals }: Core, { id }: ReplyFields, call: Call): Terminal | undefined {
  const names = typeof id === 'string' ? [id, id.replace(/@\d+$/, '')] : ['@'];
  for (const name of names) {
    try {
      return terminals.find(name, call);
    } catch (error) {
      if (!isT4aError(error)) throw error;
    }
  }
  return undefined;
}

function notMasked(what: string, field?: string): T4aError {
  return refusal('not_allowed', `${what} is not masked, and the replies of this connection are ("redact").`, {
    hint: 'Ask for "text" or "screenshot".',
    ...(field === undefined ? {} : { field }),
  });
}
