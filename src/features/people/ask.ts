import { isT4aError, T4aError } from '../../protocol/errors.js';
import type { Params, Reply } from '../../protocol/registry.js';
import type { Call, Handler } from '../../rpc/service.js';
import type { ActingCore } from '../acting/acting-core.js';
import { foregroundName } from '../../terminal/system/processes.js';
import { presenceOf } from '../../terminal/presence.js';
import type { Terminal } from '../../terminal/terminal.js';
import { until } from '../../terminal/until.js';
import { readAnswer } from './answers.js';
import type { Ask, Asks } from './asks.js';
import { answerOf, checkObserve, observeScreen, type TurnAnswer } from '../reading/turn.js';

export const ask =
  (core: ActingCore, asks: Asks): Handler<'ask'> =>
  async (params, call) => {
    checkFields(params, call);
    checkObserve(core, params.observe);
    const { resume, withdraw } = params;
    const isNew = resume === undefined && withdraw === undefined;
    const terminal = isNew && params.id !== undefined ? core.terminals.use(params.id, call) : undefined;
    if (terminal !== undefined && !terminal.alive) throw terminal.exitedError();
    if (withdraw !== undefined) {
      const dropped = asks.findOpen(withdraw);
      checkAsker(dropped, 'withdraw', call);
      asks.end(dropped, { outcome: 'withdrawn', by: null });
      return { reply: replyOf(core, dropped) };
    }
    const asked = resume === undefined ? newAsk(asks, terminal, params, call) : asks.find(resume);
    if (params.elicited !== undefined) elicit(asks, asked, params.elicited, call);
    else if (resume !== undefined) checkAsker(asked, 'resume', call);
    const seen = await ended(core, asks, asked, params, call, isNew);
    return { ...seen, reply: { ...replyOf(core, asked), ...seen.reply } };
  };

export const asks =
  (core: ActingCore, all: Asks): Handler<'asks'> =>
  () => {
    return {
      asks: all.open.map((one) => {
        const { number, kind, question, choices, as, since, terminal: id, acceptedBy } = one;
        const terminal = id === undefined ? undefined : core.terminals.peek(id);
        return {
          ask: number,
          kind,
          question,
          ...(choices === undefined ? {} : { choices: [...choices] }),
          as,
          since: since.wallMs,
          expires_in_ms: all.leftMs(one),
          id: id ?? null,
          foreground: terminal?.alive === true ? (foregroundName(terminal.pid) ?? null) : null,
          ...(acceptedBy === undefined ? {} : { accepted_by: acceptedBy }),
        };
      }),
    };
  };

/** @throws T4aError invalid_field */
function checkFields(params: Params<'ask'>, { as }: Call): void {
  const { id, question, kind, choices, resume, withdraw, elicited } = params;
  if (elicited !== undefined && resume === undefined) throw wrong('elicited', '"elicited" goes with "resume".');
  if (resume !== undefined || withdraw !== undefined) {
    if (resume !== undefined && withdraw !== undefined)
      throw wrong('withdraw', 'Give "resume" or "withdraw", not both.');
    if (question !== undefined)
      throw wrong('question', '"resume" and "withdraw" name a question that was asked before.');
    return;
  }
  if (as === undefined) {
    throw wrong('as', '"ask" needs a name: "as" of the request.', 'On the command line: --as NAME, or T4A_AS.');
  }
  if (question === undefined) throw wrong('question', 'The "question" is missing.');
  if (id === undefined && (kind === 'secret' || kind === 'hand'))
    throw wrong('id', `A question of the kind "${kind}" needs "id".`);
  if ((choices !== undefined) !== (kind === 'choice')) {
    throw wrong('choices', '"choices" go with the kind "choice", and with no other.');
  }
}

/**
 * One of another name neither waits for the answer nor drops the question. A caller without a name is taken for the user.
 * @throws T4aError invalid_field
 */
function checkAsker({ number, as: asker }: Ask, field: 'resume' | 'withdraw', { as }: Call): void {
  if (as === undefined || as === asker) return;
  throw wrong(field, `Question ${number} is that of ${asker}, and you are ${as}.`, 't4a asks');
}

/**
 * What the interface of the asker was answered. An answer that came before counts. Names are cooperative: this keeps an
 * asker from answering the questions of others by mistake, and what persons alone decide from being answered so at all.
 * @throws T4aError invalid_field
 */
function elicit(asks: Asks, asked: Ask, text: string, { as }: Call): void {
  const { number, kind } = asked;
  if (asked.as !== as) throw wrong('elicited', `Question ${number} is that of ${asked.as}, who alone may elicit it.`);
  if (kind !== 'text' && kind !== 'choice') {
    throw wrong('elicited', `Question ${number} is a ${kind}: a person answers it, with "answer".`);
  }
  const answer = readAnswer(asked, text, 'elicited');
  asks.end(asked, { outcome: 'answered', by: ELICITATION, person: false, answer });
}

/** In place of a person's name. */
const ELICITATION = 'elicitation';

function wrong(field: string, message: string, hint = 't4a ask --help'): T4aError {
  return new T4aError('invalid_field', message, { field, hint });
}

function newAsk(asks: Asks, terminal: Terminal | undefined, params: Params<'ask'>, { as = '', connection }: Call): Ask {
  const asked = asks.ask({
    as,
    connection,
    kind: params.kind,
    question: plainLines(params.question ?? ''),
    choices: params.choices?.map(plainLines),
    submit: params.submit,
    expiresMs: params.expires_ms,
    terminal: terminal?.id,
    rev: terminal?.screen.rev,
    foregroundGroup: params.kind === 'secret' ? terminal?.foregroundGroup : undefined,
  });
  if (terminal !== undefined) follow(asks, asked, terminal);
  return asked;
}

/** Control passes, and the terminal ends. */
export function follow(asks: Asks, asked: Ask, terminal: Terminal): void {
  const { claimant } = terminal.input.gate ?? { claimant: null };
  if (asked.kind === 'hand' && claimant?.person === true) asked.acceptedBy = claimant.as;
  const exited = (): void => asks.end(asked, { outcome: 'exited', by: null });
  const following = terminal.feed.add({
    onExit: exited,
    onEvent: (event) => {
      if (event.event === 'removed') exited();
      if (event.event !== 'control' || asked.kind !== 'hand' || event.cause === 'denied') return;
      // From one person to the next: the hand goes on.
      if (event.person && event.holder !== null) asked.acceptedBy = event.holder;
      else if (asked.acceptedBy !== undefined && asked.acceptedBy === event.was) {
        asks.end(asked, { outcome: 'answered', by: event.was, note: event.note });
      }
    },
  });
  asks.onEnd(asked, () => following.dispose());
}

/** Waits, then looks. @throws the signal's reason */
async function ended(
  core: ActingCore,
  asks: Asks,
  asked: Ask,
  { timeout_ms: timeoutMs, observe }: Params<'ask'>,
  call: Call,
  isNew: boolean,
): Promise<TurnAnswer> {
  const terminal = asked.terminal === undefined ? undefined : core.terminals.peek(asked.terminal);
  const look = () => (terminal === undefined ? undefined : observeScreen(core, terminal, observe, undefined, call));
  const startedMs = core.clock.now();
  const now = (): boolean => asked.ending !== undefined || timeoutMs === 0;
  try {
    const seen = now()
      ? look()
      : await until<ReturnType<typeof look>>(call.signal, ({ resolve }, scope) => {
          scope.add(asks.wait(asked, () => resolve(look())));
          scope.add(core.clock.after(timeoutMs, () => resolve(look())));
        });
    if (terminal === undefined || seen === undefined) return { reply: {} };
    return await answerOf(core, terminal, seen, call);
  } catch (error) {
    // The question goes along, and the asker waits for it there.
    if (isT4aError(error) && error.code === 'replaced') {
      const timeout_ms = Math.max(1, Math.round(startedMs + timeoutMs - core.clock.now()));
      const resume = { cmd: 'ask', resume: asked.number, timeout_ms, ...(observe === undefined ? {} : { observe }) };
      throw new T4aError(error.code, error.message, { ...error.details, acted: true, resume });
    }
    // The asker never learns the number, so it cannot resume.
    if (isNew) asks.end(asked, { outcome: 'withdrawn', by: null });
    throw error;
  }
}

function replyOf(core: ActingCore, asked: Ask): Omit<Reply<'ask'>, 'len'> {
  const { number, ending, terminal: id, rev } = asked;
  asked.isRead ||= ending !== undefined;
  const { outcome = 'open', by = null, person, answer, note } = ending ?? {};
  const terminal = id === undefined ? undefined : core.terminals.peek(id);
  return {
    ask: number,
    outcome,
    ...(answer === undefined ? {} : { answer }),
    ...(note === undefined ? {} : { note }),
    by,
    ...(person === undefined ? {} : { person }),
    ...(terminal === undefined
      ? {}
      : {
          watchers: presenceOf(terminal).watchers,
          changed: terminal.screen.rev !== rev,
          rev: terminal.screen.rev,
        }),
  };
}

/** Persons are shown it: no controls, no marks of direction; its line breaks stay. */
function plainLines(text: string): string {
  return text.replaceAll(/(?!\n)[\p{Cc}\p{Cs}\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '');
}
