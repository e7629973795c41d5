/** Fields that several tools share, and how they are filled. */
import { z } from 'zod';
import { DOING_STATES, NEEDS } from '../../protocol/doing.js';
import { MEMBER_KINDS, type Member } from '../members.js';
import { listPresets } from '../presets.js';
import { isTrusted, readTrust } from '../trust.js';
import type { ToolCall } from './tool-call.js';

export const STATUSES = ['starting', 'running', 'stopped', 'exited', 'errored'] as const;

export const processId = z.string().describe('As of list_processes.');
export const kind = z.enum(MEMBER_KINDS);
export const status = z.enum(STATUSES);
export const pattern = z.string().min(1).max(1000).describe('Regular expression (RE2 syntax).');
export const signalNameOrNumber = z
  .union([z.string().min(1).max(16), z.int().min(1).max(64)])
  .optional()
  .describe('Sent first, as "SIGINT". Default: SIGHUP, SIGTERM, then SIGKILL.');
/** For people. */
export const displayName = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'Unicode text without control characters');
/** Text for a program. */
export const turnText = z
  .string()
  .min(1)
  .refine((text) => !/\p{Surrogate}/u.test(text), { error: 'Unicode text' });
export const ok = z.object({ ok: z.literal(true) });
export const cursor = z.object({ x: z.int(), y: z.int() });
export const screen = z.enum(['main', 'alternate']);
export const question = z
  .object({ entry: z.string().nullable().describe('Null: no rule has found it.'), text: z.string() })
  .optional();

export const listedShape = {
  process_id: z.string(),
  name: z.string(),
  kind,
  status,
  state: z.enum(DOING_STATES).describe('`waiting`: it asks something. `idle`, `done`: it takes its next task.'),
  needs_you: z.enum(NEEDS).nullable().describe('Why a person should look at it.'),
  parent_process_id: z.string().nullable(),
  exit_code: z.int().nullable().optional(),
  idle_ms: z.int(),
  trusted: z.boolean().optional(),
};

export const listed = z.object(listedShape);

export function listedOf(call: ToolCall, members: readonly Member[]): z.output<typeof listed>[] {
  const presets = members.some(({ preset }) => preset !== undefined) ? listPresets(call.places) : [];
  const trust = presets.length === 0 ? undefined : readTrust(call.places, call.project);
  return members.map((member) => {
    const of = member.kind === 'agent' ? 'agent' : 'process';
    const { preset } = presets.find((one) => one.kind === of && one.name === member.preset) ?? {};
    const { exit_code: code, idle_ms: idleMs, alive } = member.terminal;
    return {
      process_id: member.id,
      name: member.name,
      kind: member.kind,
      status: member.status,
      state: member.state,
      needs_you: member.need,
      parent_process_id: member.parent,
      ...(alive ? {} : { exit_code: code }),
      idle_ms: idleMs,
      ...(member.preset === undefined
        ? {}
        : { trusted: preset !== undefined && trust !== undefined && isTrusted(trust, of, preset) }),
    };
  });
}
