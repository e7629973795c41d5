/** Tools for the notes of a project. */
import { z } from 'zod';
import { MAX_SCRATCHPAD_BYTES, Scratchpads } from '../scratchpads.js';
import { AGENTS, defineTool, EVERY_ROLE } from './define-tool.js';
import { ok } from './shapes.js';
import type { ToolCall } from './tool-call.js';

const name = z.string().min(1).max(255);
const content = z.string().max(MAX_SCRATCHPAD_BYTES);
const revision = z
  .string()
  .regex(/^(?:[0-9a-f]{12})?$/, '12 hexadecimal digits, or empty')
  .optional();

export const listedScratchpad = z.object({
  name: z.string(),
  size: z.int(),
  modified_at: z.string(),
  revision: z.string().nullable(),
});

export const scratchpadList = defineTool({
  name: 'scratchpad_list',
  brief: 'List the notes of the project, which agents and people share.',
  role: EVERY_ROLE,
  effect: 'read',
  params: z.strictObject({}),
  result: z.object({ scratchpads: z.array(listedScratchpad) }),
  errors: ['not_permitted'],
  run: (call) => Promise.resolve().then(() => ({ scratchpads: padsOf(call).list() })),
});

export const scratchpadRead = defineTool({
  name: 'scratchpad_read',
  brief: 'Read a note.',
  role: EVERY_ROLE,
  effect: 'read',
  params: z.strictObject({ name }),
  result: listedScratchpad.extend({ content: z.string() }),
  errors: ['bad_name', 'not_permitted', 'limit_reached'],
  run: (call, { name: of }) => Promise.resolve().then(() => padsOf(call).read(of)),
});

const CHANGE_ERRORS = ['bad_name', 'not_permitted', 'limit_reached', 'busy'];

export const scratchpadWrite = defineTool({
  name: 'scratchpad_write',
  brief: 'Write a note, in place of what it held.',
  role: AGENTS,
  effect: 'act',
  params: z.strictObject({
    name,
    content,
    revision: revision.describe('Of what you read: no later change is overwritten. Empty: it must be new.'),
  }),
  result: listedScratchpad,
  errors: ['revision_conflict', ...CHANGE_ERRORS],
  run: (call, { name: of, content: text, revision: before }) => padsOf(call).write(of, text, before, call.signal),
});

export const scratchpadAppend = defineTool({
  name: 'scratchpad_append',
  brief: 'Add text at the end of a note, or begin one.',
  role: AGENTS,
  effect: 'act',
  params: z.strictObject({ name, content: content.min(1) }),
  result: listedScratchpad,
  errors: CHANGE_ERRORS,
  run: (call, { name: of, content: text }) => padsOf(call).append(of, text, call.signal),
});

export const scratchpadDelete = defineTool({
  name: 'scratchpad_delete',
  brief: 'Delete a note.',
  role: AGENTS,
  effect: 'act',
  params: z.strictObject({ name, revision }),
  result: ok,
  errors: ['revision_conflict', ...CHANGE_ERRORS],
  async run(call, { name: of, revision: before }) {
    await padsOf(call).delete(of, before, call.signal);
    return { ok: true as const };
  },
});

function padsOf({ places, project }: ToolCall): Scratchpads {
  return new Scratchpads(places, project);
}
