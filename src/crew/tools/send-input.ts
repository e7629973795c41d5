/** Input to a process: text, a paste or a key. Text to an agent is a turn, with the care of one. */
import { z } from 'zod';
import { setTimeout as delay } from 'node:timers/promises';
import { isT4aError, quote } from '../../protocol/errors.js';
import { deliver } from '../deliver.js';
import { DELIVERY_OUTCOMES, type DeliveryOutcome, isSent, MAX_TURN_BYTES, sayDelivery } from '../delivery.js';
import { questionOf, questionOnScreen } from '../question.js';
import { Members, type Member } from '../members.js';
import { systemClock } from '../../base/clock.js';
import type { AgentPreset } from '../preset.js';
import { AGENTS, defineTool } from './define-tool.js';
import { outputOf, outputShape } from './inspection.js';
import { processId, turnText } from './shapes.js';
import type { ToolCall } from './tool-call.js';
import { ToolError } from './tool-error.js';

const params = z.strictObject({
  process_id: processId,
  kind: z.enum(['text', 'paste', 'key']),
  text: turnText.max(MAX_TURN_BYTES).optional().describe('With text and paste.'),
  submit: z.boolean().default(true).describe('With text: press Enter afterwards.'),
  key: z.string().min(1).max(64).optional().describe('With key: enter, escape, up, ctrl-c, f5, or a character.'),
  if_entry: z
    .string()
    .optional()
    .describe('Entry of the question that it answers (get_process_status): sent only while open.'),
  wait_ms: z.int().min(0).max(50_000).default(0).describe('Wait afterwards, then return the tail.'),
  tail_mode: z.enum(['none', 'stream', 'grid']).optional().describe('Default: stream with wait_ms, else none.'),
});

export const sendInput = defineTool({
  name: 'send_input',
  brief:
    'Type text, paste, or press a key. Answer a question of an agent with a key and if_entry. Text to an agent is its next prompt.',
  role: AGENTS,
  effect: 'act',
  params,
  result: z.object({
    ok: z.literal(true),
    delivered: z.enum(DELIVERY_OUTCOMES).optional(),
    warning: z.string().optional(),
    tail: z
      .object(outputShape)
      .pick({ content: true, mode: true, new_offset: true, active_screen: true, idle_ms: true, screen_version: true })
      .optional(),
  }),
  errors: [
    'unknown_key',
    'control_held',
    'entry_changed',
    'terminal_exited',
    'input_blocked',
    'not_delivered',
    'delivery_unknown',
  ],
  async run(call, given) {
    const { process_id: id, kind, text, key } = given;
    const member = call.own(id);
    if ((kind === 'key') !== (key !== undefined) || (kind === 'key') === (text !== undefined)) {
      throw new ToolError('invalid_field', 'The kind "key" takes "key"; the kinds "text" and "paste" take "text".');
    }
    const isTurn = kind === 'text' && member.kind === 'agent' && given.submit;
    if (given.if_entry !== undefined && (isTurn || (kind !== 'key' && member.kind !== 'agent')))
      throw new ToolError(
        'invalid_field',
        '"if_entry" goes with "key", and with text to an agent that is not submitted.',
      );
    const before = member.terminal.output_bytes;
    const delivered = isTurn ? await turn(call, member, text ?? '') : await send(call, member, given);
    const { wait_ms: waitMs, tail_mode: mode = waitMs > 0 ? 'stream' : 'none' } = given;
    if (waitMs > 0) await delay(waitMs, undefined, call.options);
    const sent = { ok: true as const, ...(delivered === undefined ? {} : { delivered }) };
    if (mode === 'none') return sent;
    try {
      return { ...sent, tail: await tailOf(call, id, mode, before) };
    } catch (error) {
      // The input has been sent: without its tail, that is no failure.
      if (!isT4aError(error) && !(error instanceof ToolError)) throw error;
      call.signal?.throwIfAborted();
      return { ...sent, warning: `It was sent, and there is no tail: ${error.message}` };
    }
  },
});

async function send(call: ToolCall, member: Member, given: z.output<typeof params>): Promise<undefined> {
  const { kind, text = '', key = '', submit, if_entry: entry } = given;
  if (kind !== 'key' && member.kind === 'agent') await checkQuestion(call, member, entry);
  const { client, options } = call;
  const { id } = member;
  if (kind === 'key') {
    await client.call(
      'press',
      { id, keys: [keyName(key)], ...(entry === undefined ? {} : { if_entry: entry }) },
      options,
    );
  } else if (kind === 'paste') await client.call('paste', { id, text }, options);
  else await client.call('type', { id, text, submit }, options);
  return undefined;
}

/** Dialogues take characters as answers. The look is right before the text: none of the two is bound to the other, as a key is. @throws ToolError */
async function checkQuestion(call: ToolCall, member: Member, entry: string | undefined): Promise<void> {
  const { client, options } = call;
  const { id, terminal } = member;
  const question = (await questionOnScreen(client, id, options)) ?? (await questionOf(client, terminal, options));
  if (question === undefined ? entry === undefined : question.entry === entry) return;
  if (entry !== undefined) {
    throw new ToolError('entry_changed', `${quote(member.id)} does not ask ${quote(entry)}: nothing was sent.`, LOOK);
  }
  throw new ToolError(
    'not_delivered',
    `${quote(member.id)} asks something, which the text could answer: nothing was sent.`,
    'Answer it first: a key with if_entry, or text with if_entry.',
    { delivered: 'question', pasted: false, question },
  );
}

const LOOK = 'get_process_status has what it asks.';

/** `page-up` and `ctrl-c` of patterm as the keys have them here. */
function keyName(key: string): string {
  if (key.length === 1) return key;
  return key.replace(/^page-(up|down)$/i, 'Page$1').replaceAll(/\b(ctrl|alt|shift|meta)-(?=.)/gi, '$1+');
}

/** @throws ToolError `not_delivered`, `delivery_unknown` */
async function turn(call: ToolCall, member: Member, text: string): Promise<DeliveryOutcome> {
  const of = call.presetOf(member);
  const composer = of?.kind === 'agent' ? (of.preset as AgentPreset).composer : undefined;
  const delivery = await deliver(call.client, member.id, text, { composer, signal: call.signal });
  const { outcome, pasted, question, tail } = delivery;
  if (isSent(outcome)) return outcome;
  const { code, words, look } = sayDelivery(delivery);
  throw new ToolError(
    code,
    `Of ${quote(member.id)}: ${words}.`,
    question === undefined ? look : 'Answer the question first: a key with if_entry.',
    { delivered: outcome, pasted, ...(question === undefined ? {} : { question }), tail },
  );
}

async function tailOf(
  call: ToolCall,
  id: string,
  mode: 'stream' | 'grid',
  since: number,
): Promise<z.output<z.ZodObject<typeof outputShape>>> {
  const { terminals } = await call.client.call('list', { where: { id: [id] } }, call.options);
  const member = new Members(terminals, systemClock.wallNow()).member(id);
  if (member === undefined) throw new ToolError('not_found', `The process ${quote(id)} has gone.`);
  return outputOf(call, member, mode, since);
}
