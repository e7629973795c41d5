/** Tools for timers of an agent. */
import { z } from 'zod';
import { quote } from '../../protocol/errors.js';
import { MAX_TIMERS, type NewTimer } from '../timers.js';
import { composerOf } from './coordination.js';
import { AGENTS, type CrewTool, defineTool } from './define-tool.js';
import { displayName, ok } from './shapes.js';
import type { ToolCall } from './tool-call.js';
import { ToolError } from './tool-error.js';

const DAY_S = 86_400;
const MAX_PROCESSES = 16;

const label = displayName.optional();
const timerId = z.string();
const made = z.object({ timer_id: z.string(), warning: z.string() });
const ERRORS = ['limit_reached', 'no_terminal'];

/** In each result: an agent that relies on a timer must have read it. */
const WARNING = 'It lives in this server: if that ends before, the timer is lost, and no prompt comes.';

export const timerWait = defineTool({
  name: 'timer_wait',
  brief: 'Get a prompt "[system] Your timer …" after some seconds. It returns at once: end your turn.',
  role: AGENTS,
  effect: 'act',
  params: z.strictObject({ seconds: z.number().min(0.1).max(DAY_S), label }),
  result: made,
  errors: ERRORS,
  run: (call, { seconds, label: of }) => Promise.resolve().then(() => added(call, 'time', [], seconds, of)),
});

export const timerFireWhenIdleAny = whenIdle(
  'timer_fire_when_idle_any',
  'idle_any',
  'Get a prompt once one of these processes has stopped working, asks something or has ended.',
);

export const timerFireWhenIdleAll = whenIdle(
  'timer_fire_when_idle_all',
  'idle_all',
  'Get a prompt once none of these processes works any more.',
);

function whenIdle(name: string, kind: 'idle_any' | 'idle_all', brief: string): CrewTool {
  return defineTool({
    name,
    brief,
    role: AGENTS,
    effect: 'act',
    params: z.strictObject({
      process_ids: z.array(z.string()).min(1).max(MAX_PROCESSES),
      label,
      timeout_seconds: z.number().min(0.1).max(DAY_S).default(DAY_S).describe('Then it is due anyway.'),
    }),
    result: made,
    errors: ERRORS,
    async run(call, { process_ids: given, label: of, timeout_seconds: seconds }) {
      const ids = [...new Set(given)];
      for (const id of ids) call.seen(id);
      if (ids.includes(call.view.member?.id ?? '')) {
        throw new ToolError('invalid_field', 'You yourself work until your turn ends: name others.');
      }
      return Promise.resolve(added(call, kind, ids, seconds, of));
    },
  });
}

export const timerCancel = defineTool({
  name: 'timer_cancel',
  brief: 'Cancel a timer.',
  role: AGENTS,
  effect: 'act',
  params: z.strictObject({ timer_id: timerId }),
  result: ok,
  errors: [],
  async run({ background }, { timer_id: id }) {
    if (background.timers.cancel(id)) return Promise.resolve({ ok: true as const });
    throw new ToolError('not_found', `There is no timer ${quote(id)}.`, 'timer_list has those that are left.');
  },
});

export const timerList = defineTool({
  name: 'timer_list',
  brief: 'List your timers, with those whose prompt could not be given.',
  role: AGENTS,
  effect: 'read',
  params: z.strictObject({}),
  result: z.object({
    timers: z.array(
      z.object({
        timer_id: z.string(),
        kind: z.enum(['time', 'idle_any', 'idle_all']),
        label: z.string().nullable(),
        process_ids: z.array(z.string()).readonly(),
        due_at: z.string(),
        state: z.enum(['armed', 'due', 'failed']),
        last_error: z.string().nullable(),
      }),
    ),
  }),
  errors: [],
  run: ({ background }) => Promise.resolve({ timers: background.timers.list() }),
});

/** @throws ToolError `no_terminal`, `limit_reached` */
function added(
  call: ToolCall,
  kind: NewTimer['kind'],
  ids: readonly string[],
  seconds: number,
  of: string | undefined,
): z.output<typeof made> {
  const { member } = call.view;
  if (member === null) {
    throw new ToolError(
      'no_terminal',
      'You are in no terminal of t4a, so that no prompt can come to you.',
      'Use wait_for_pattern, or list_processes from time to time.',
    );
  }
  const { background } = call;
  const composer = composerOf(call, member);
  const id = background.timers.add({
    kind,
    label: of ?? null,
    process_ids: ids,
    ms: seconds * 1000,
    send: (text, signal) => background.sendWhenReady(member.id, composer, text, signal),
  });
  if (id !== undefined) return { timer_id: id, warning: WARNING };
  throw new ToolError('limit_reached', `You have ${MAX_TIMERS} timers already.`, 'Cancel some.');
}
