/** Tools between agents and with people: messages, calls for a person, who one is. */
import { z } from 'zod';
import { isT4aError, quote } from '../../protocol/errors.js';
import { MAX_QUESTION_LENGTH } from '../../protocol/commands/ask.js';
import { deliver } from '../deliver.js';
import { DELIVERY_OUTCOMES, isSent, sayDelivery } from '../delivery.js';
import type { Member } from '../members.js';
import type { AskEnd } from '../open-asks.js';
import type { AgentPreset } from '../preset.js';
import { taggedTurn } from '../tagged-turn.js';
import { AGENTS, defineTool, EVERY_ROLE } from './define-tool.js';
import { HELP, HELP_TOPICS } from './help-topics.js';
import { callerOf, callerShape } from './inspection.js';
import { ok, processId, turnText } from './shapes.js';
import type { ToolCall } from './tool-call.js';
import { ToolError } from './tool-error.js';

const MAX_MESSAGE_LENGTH = 8 * 1024;
/** The question has words around it. */
const MAX_REASON_LENGTH = MAX_QUESTION_LENGTH / 2;

export const sendMessage = defineTool({
  name: 'send_message',
  brief:
    'Give a text to the agent that started you, or to one that you started, as its next prompt. Answers come as prompts to you.',
  role: AGENTS,
  effect: 'act',
  params: z.strictObject({
    target_process_id: processId,
    message: turnText.max(MAX_MESSAGE_LENGTH),
  }),
  result: ok.extend({ while_working: z.boolean(), delivered: z.enum(DELIVERY_OUTCOMES) }),
  errors: ['not_related', 'not_delivered', 'delivery_unknown'],
  async run(call, { target_process_id: id, message }) {
    const target = call.seen(id);
    const from = senderFor(call, target);
    const delivery = await deliver(call.client, id, taggedTurn(from, message), {
      composer: composerOf(call, target),
      signal: call.signal,
    });
    const { outcome, pasted, whileWorking, question, tail } = delivery;
    if (isSent(outcome)) return { ok: true as const, while_working: whileWorking, delivered: outcome };
    const { code, words, look } = sayDelivery(delivery);
    throw new ToolError(
      code,
      `Of ${quote(id)}: ${words}${pasted ? ': the text stands in its box' : ''}.`,
      question === undefined ? look : 'It asks something, which has to be answered first.',
      { delivered: outcome, pasted, ...(question === undefined ? {} : { question }), tail },
    );
  },
});

/** The name before a message. @throws ToolError `not_related` */
function senderFor({ view: { member } }: ToolCall, target: Member): string {
  if (target.kind === 'agent' && target.id !== member?.id) {
    if (target.parent === (member?.id ?? null)) return 'orchestrator';
    if (member !== null && target.id === member.parent) return `sub-agent:${member.name}`;
  }
  throw new ToolError(
    'not_related',
    `${quote(target.id)} is neither the agent that started you nor one that you started.`,
    'Siblings go through the agent above you. Programs take send_input.',
  );
}

export function composerOf(call: ToolCall, member: Member): string | undefined {
  const of = call.presetOf(member);
  return of?.kind === 'agent' ? (of.preset as AgentPreset).composer : undefined;
}

export const requestHumanAttention = defineTool({
  name: 'request_human_attention',
  brief: 'Ask a person to look at a process, when you cannot safely decide. The answer comes to you as a prompt.',
  role: AGENTS,
  effect: 'act',
  params: z.strictObject({
    process_id: processId,
    reason: z
      .string()
      .min(1)
      .max(MAX_REASON_LENGTH)
      .regex(/^(?:[^\p{Cc}\p{Cs}]|[\n\t])*$/u, 'Unicode text without control characters'),
  }),
  result: ok.extend({ ask: z.int(), warning: z.string().optional() }),
  errors: ['limit_reached'],
  async run(call, { process_id: id, reason }) {
    const { name } = call.seen(id);
    const caller = call.view.member;
    const onEnd = (ask: number, { outcome, answer, note }: AskEnd): void => {
      if (caller === null) return;
      const said = answer === undefined ? outcome : `${outcome}: ${String(answer)}`;
      const more = note === undefined ? '' : `\nnote: ${note}`;
      const text = taggedTurn('system', `Your question ${ask} (${quote(id)}) was ${said}${more}`);
      call.background.sendLater(caller.id, composerOf(call, caller), text);
    };
    const ask = await askAbout(call, id, name, reason, onEnd);
    const warning = caller === null ? 'You are in no terminal, so that the answer does not come to you.' : undefined;
    return { ok: true as const, ask, ...(warning === undefined ? {} : { warning }) };
  },
});

/** About a process that has ended the question is in no terminal, and names it. */
async function askAbout(
  { client, background }: ToolCall,
  id: string,
  name: string,
  reason: string,
  onEnd: (ask: number, end: AskEnd) => void,
): Promise<number> {
  try {
    return await background.asks.open(client, { kind: 'text', question: reason, id }, onEnd);
  } catch (error) {
    if (!isT4aError(error) || !HAS_ENDED.has(error.code)) throw error;
  }
  const question = `${id}${name === id ? '' : ` (${name})`}, which has ended: ${reason}`;
  return background.asks.open(client, { kind: 'text', question }, onEnd);
}

const HAS_ENDED: ReadonlySet<string> = new Set(['terminal_exited', 'terminal_not_found']);

export const selectProcess = defineTool({
  name: 'select_process',
  brief: 'Propose to people that they look at a process. It is an event; programs that show terminals may follow it.',
  role: AGENTS,
  effect: 'act',
  params: z.strictObject({ process_id: processId }),
  result: ok,
  errors: [],
  async run(call, { process_id: id }) {
    const { session } = call.seen(id);
    const by = call.view.member?.id ?? null;
    const data = JSON.stringify({ process_id: id, session, by });
    await call.client.call('publish', { name: 'crew.select', data }, call.options);
    return { ok: true as const };
  },
});

export const whoami = defineTool({
  name: 'whoami',
  brief: 'Show your role, your process and the agent above you.',
  role: EVERY_ROLE,
  effect: 'read',
  params: z.strictObject({ include_tools: z.boolean().default(false) }),
  result: z.object(callerShape),
  errors: [],
  run: (call, { include_tools: withTools }) => Promise.resolve(callerOf(call, withTools)),
});

export const help = defineTool({
  name: 'help',
  brief: 'Explain how these tools work together.',
  role: EVERY_ROLE,
  effect: 'read',
  params: z.strictObject({ topic: z.enum(HELP_TOPICS).default('overview') }),
  result: z.object({ topic: z.enum(HELP_TOPICS), text: z.string() }),
  errors: [],
  run: (_call, { topic }) => Promise.resolve({ topic, text: HELP[topic] }),
});
