/** Tools that look: lists, states, output. */
import { z } from 'zod';
import { projectFolder } from '../places.js';
import { listPresets } from '../presets.js';
import type { Member } from '../members.js';
import type { AgentPreset } from '../preset.js';
import { ROLES } from '../roles.js';
import { type ListedScratchpad, Scratchpads } from '../scratchpads.js';
import { questionOf } from '../question.js';
import { basename } from 'node:path';
import { defineTool, EVERY_ROLE } from './define-tool.js';
import { listedScratchpad } from './scratchpads.js';
import { searchRaw } from './raw-search.js';
import { cursor, kind, listed, listedOf, listedShape, pattern, processId, question, screen, status } from './shapes.js';
import { joinedBlanks, wholeLength, withoutEscapes } from './terminal-text.js';
import type { ToolCall } from './tool-call.js';
import { quote } from '../../protocol/errors.js';
import { NEWLINE } from '../../protocol/framing.js';
import { ToolError } from './tool-error.js';

export const listProcesses = defineTool({
  name: 'list_processes',
  brief: 'List agents, shells and commands of your session, with what they are doing.',
  role: EVERY_ROLE,
  effect: 'read',
  params: z.strictObject({ kind: kind.optional() }),
  result: z.object({ processes: z.array(listed) }),
  errors: [],
  run(call, { kind: only }) {
    const members = call.session.filter((one) => only === undefined || one.kind === only);
    return Promise.resolve({ processes: listedOf(call, members) });
  },
});

export const getProcessStatus = defineTool({
  name: 'get_process_status',
  brief:
    'Show the state of one process: its program, screen, and an open question with the id by which it is answered.',
  role: EVERY_ROLE,
  effect: 'read',
  params: z.strictObject({ process_id: processId }),
  result: z.object({
    ...listedShape,
    working_dir: z.string(),
    argv: z.array(z.string()),
    started_at: z.string(),
    active_screen: screen,
    rows: z.int(),
    cols: z.int(),
    cursor,
    screen_version: z.int(),
    question,
  }),
  errors: [],
  async run(call, { process_id: id }) {
    const member = call.seen(id);
    const [state] = listedOf(call, [member]);
    const { terminal } = member;
    const asked = await questionOf(call.client, terminal, call.options);
    return {
      ...(state as NonNullable<typeof state>),
      working_dir: terminal.cwd,
      argv: terminal.cmd,
      started_at: new Date(terminal.created_at).toISOString(),
      active_screen: screenOf(member),
      rows: terminal.rows,
      cols: terminal.cols,
      cursor: { x: terminal.cursor.col, y: terminal.cursor.row },
      screen_version: terminal.rev,
      ...(asked === undefined ? {} : { question: { entry: asked.entry, text: asked.text } }),
    };
  },
});

export const callerShape = {
  process_id: z.string().nullable(),
  role: z.enum(ROLES),
  name: z.string().nullable(),
  parent_process_id: z.string().nullable(),
  available_tools: z.array(z.string()).optional(),
};

export function callerOf({ view, available }: ToolCall, withTools: boolean): z.output<z.ZodObject<typeof callerShape>> {
  const { member, role } = view;
  return {
    process_id: member?.id ?? null,
    role,
    name: member?.name ?? null,
    parent_process_id: member?.parent ?? null,
    ...(withTools ? { available_tools: [...available] } : {}),
  };
}

export const getProjectStatus = defineTool({
  name: 'get_project_status',
  brief: 'Show where you are: the project, your role, your processes, presets and notes.',
  role: EVERY_ROLE,
  effect: 'read',
  params: z.strictObject({ include_tools: z.boolean().default(true) }),
  result: z.object({
    project: z.object({ path: z.string(), key: z.string() }),
    caller: z.object(callerShape),
    processes: z.array(listed),
    presets: z.array(z.object({ kind: z.enum(['agent', 'process']), name: z.string(), trusted: z.boolean() })),
    scratchpads: z.array(listedScratchpad),
    warning: z.string().optional(),
  }),
  errors: [],
  run(call, { include_tools: withTools }) {
    return Promise.resolve({
      project: { path: call.project, key: basename(projectFolder(call.places, call.project)) },
      caller: callerOf(call, withTools),
      processes: listedOf(call, call.session),
      presets: listPresets(call.places).flatMap(({ kind: of, name, preset }) =>
        preset === undefined ? [] : [{ kind: of, name, trusted: call.trusts(of, preset) }],
      ),
      ...scratchpadsOf(call),
    });
  },
});

/** A folder that is not used is no reason to show nothing. */
function scratchpadsOf({ places, project }: ToolCall): { scratchpads: ListedScratchpad[]; warning?: string } {
  try {
    return { scratchpads: new Scratchpads(places, project).list() };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { scratchpads: [], warning: error.message };
  }
}

export const outputShape = {
  content: z.string(),
  mode: z.enum(['grid', 'stream']),
  new_offset: z.int().optional(),
  more: z.boolean().optional(),
  active_screen: screen,
  rows: z.int(),
  cols: z.int(),
  cursor,
  idle_ms: z.int(),
  status,
  screen_version: z.int(),
};

export const getProcessOutput = defineTool({
  name: 'get_process_output',
  brief:
    'Read what a process shows (grid: the whole visible screen, in which you find the answer to your last prompt), or what it printed (stream): the newest 64 KiB, or on from an offset.',
  role: EVERY_ROLE,
  effect: 'read',
  params: z.strictObject({
    process_id: processId,
    mode: z.enum(['grid', 'stream']).default('grid'),
    since_offset: z.int().min(0).optional().describe('With stream: new_offset of a result.'),
  }),
  result: z.object(outputShape),
  errors: ['offset_gone'],
  run(call, { process_id: id, mode, since_offset: since }) {
    if (mode === 'grid' && since !== undefined)
      throw new ToolError('invalid_field', '"since_offset" goes with the mode "stream".');
    return outputOf(call, call.seen(id), mode, since);
  },
});

export async function outputOf(
  call: ToolCall,
  member: Member,
  mode: 'grid' | 'stream',
  since?: number,
): Promise<z.output<z.ZodObject<typeof outputShape>>> {
  const { id, terminal, status: now } = member;
  const text = await call.client.call('text', { id, trim: true }, call.options);
  const common = {
    mode,
    active_screen: screenOf(member),
    rows: terminal.rows,
    cols: terminal.cols,
    cursor: { x: text.cursor.col, y: text.cursor.row },
    idle_ms: terminal.idle_ms,
    status: now,
    screen_version: text.rev,
  };
  if (mode === 'grid') return { ...common, content: joinedBlanks(trimmed(call, member, text.lines)) };
  const { bytes, next, more } = await outputSince(call, member, since, true);
  return { ...common, content: withoutEscapes(bytes.toString('utf8')), new_offset: next, more };
}

function screenOf({ terminal }: Member): 'main' | 'alternate' {
  return terminal.alt_screen ? 'alternate' : 'main';
}

/** Lines that a preset says are no answer. A pattern that is none trims nothing. */
function trimmed(call: ToolCall, member: Member, lines: readonly string[]): readonly string[] {
  const of = call.presetOf(member);
  const { top, bottom } = of?.kind === 'agent' ? ((of.preset as AgentPreset).trim ?? {}) : {};
  const first = top === undefined ? -1 : lines.findIndex((line) => isMatch(top, line));
  const last = bottom === undefined ? -1 : lines.findLastIndex((line) => isMatch(bottom, line));
  return lines.slice(first === -1 ? 0 : first, last === -1 ? lines.length : last);
}

function isMatch(source: string, line: string): boolean {
  try {
    return new RegExp(source, 'u').test(line);
  } catch {
    return false;
  }
}

const MAX_STREAM_BYTES = 64 * 1024;

/**
 * Up to what is whole, if more may follow. Without an offset the newest output, from the begin of a line.
 * `more`: the program had printed more when its terminal was listed.
 */
export async function outputSince(
  { client, options }: ToolCall,
  { id, terminal: { output_bytes: size } }: Member,
  since: number | undefined,
  escapes: boolean,
): Promise<{ bytes: Buffer; next: number; more: boolean }> {
  if (since !== undefined && since > size) {
    throw new ToolError(
      'offset_gone',
      `${quote(id)} has printed ${size} bytes: there is no offset ${since}.`,
      'Use new_offset of a result about this process, or none.',
    );
  }
  const newest = size - MAX_STREAM_BYTES;
  const from = since ?? (newest > 0 ? newest : undefined);
  const {
    first,
    next,
    ended,
    data = '',
  } = await client.call(
    'output',
    { id, ...(from === undefined ? {} : { since: from }), max_bytes: MAX_STREAM_BYTES, inline: true },
    options,
  );
  const all = Buffer.from(data, 'base64');
  const isCut = since === undefined && first > 0;
  const bytes = isCut ? all.subarray(all.indexOf(NEWLINE) + 1) : all;
  const more = next < size;
  if (ended) return { bytes, next, more };
  const length = wholeLength(bytes, escapes);
  return { bytes: bytes.subarray(0, length), next: next - bytes.length + length, more };
}

export const getProcessRawOutput = defineTool({
  name: 'get_process_raw_output',
  brief: 'Read what a process printed, with its escape sequences. Rarely needed.',
  role: EVERY_ROLE,
  effect: 'read',
  params: z.strictObject({ process_id: processId, since_offset: z.int().min(0).optional() }),
  result: z.object({ content: z.string(), new_offset: z.int(), more: z.boolean(), status }),
  errors: ['offset_gone'],
  async run(call, { process_id: id, since_offset: since }) {
    const member = call.seen(id);
    const { bytes, next, more } = await outputSince(call, member, since, false);
    return { content: bytes.toString('utf8'), new_offset: next, more, status: member.status };
  },
});

export const searchOutput = defineTool({
  name: 'search_output',
  brief:
    'Search the screen and the scrollback of a process (rendered), or its last output with escape sequences (raw).',
  role: EVERY_ROLE,
  effect: 'read',
  params: z.strictObject({
    process_id: processId,
    pattern,
    kind: z.enum(['rendered', 'raw']).default('rendered'),
    limit: z.int().min(1).max(1000).default(20),
  }),
  result: z.object({ matches: z.array(z.object({ line_no: z.int(), text: z.string() })), truncated: z.boolean() }),
  errors: ['bad_regex'],
  async run(call, { process_id: id, pattern: source, kind: of, limit }) {
    call.seen(id);
    const { matches, total } = await call.client.call('grep', { id, pattern: source, max: limit }, call.options);
    if (of === 'raw') return searchRaw(call, id, source, limit);
    return {
      matches: matches.map(({ number, text }) => ({ line_no: number, text })),
      truncated: total > matches.length,
    };
  },
});

/** Clients give a call up after a minute. */
const MAX_WAIT_MS = 50_000;
const PROGRESS_MS = 10_000;

export const waitForPattern = defineTool({
  name: 'wait_for_pattern',
  brief:
    'Wait until a line of a process matches. Not for answers of your agents. After 50 s it returns with pending: then call again.',
  role: EVERY_ROLE,
  effect: 'read',
  params: z.strictObject({
    process_id: processId,
    pattern,
    timeout_seconds: z.number().min(0.1).max(86_400),
    scope: z.enum(['grid', 'scrollback']).default('grid'),
  }),
  result: z.object({
    matched: z.boolean(),
    snippet: z.string().optional(),
    pending: z.boolean().optional(),
    status: status.optional(),
    warning: z.string().optional(),
  }),
  errors: ['bad_regex'],
  async run(call, { process_id: id, pattern: source, timeout_seconds: seconds, scope }) {
    call.seen(id);
    if (scope === 'scrollback') {
      const { matches } = await call.client.call('grep', { id, pattern: source, max: 1, last: true }, call.options);
      if (matches[0] !== undefined) return { matched: true, snippet: matches[0].text };
    }
    const wantedMs = Math.ceil(seconds * 1000);
    const { outcome, match, warning } = await withProgress(call, () =>
      call.client.call(
        'wait',
        { id, until: { regex: source }, timeout_ms: Math.min(wantedMs, MAX_WAIT_MS), tail: 0 },
        call.options,
      ),
    );
    const said = warning === undefined ? {} : { warning };
    if (outcome === 'matched')
      return { matched: true, ...(match === undefined ? {} : { snippet: match.text }), ...said };
    if (outcome === 'exited') return { matched: false, status: 'exited' as const, ...said };
    return { matched: false, ...(wantedMs > MAX_WAIT_MS ? { pending: true } : {}), ...said };
  },
});

async function withProgress<T>({ progress }: ToolCall, work: () => Promise<T>): Promise<T> {
  let seconds = 0;
  const timer = setInterval(() => progress?.((seconds += PROGRESS_MS / 1000)), PROGRESS_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

export const getProcessPorts = defineTool({
  name: 'get_process_ports',
  brief: 'List TCP ports on which a process listens, with the URLs that it printed.',
  role: EVERY_ROLE,
  effect: 'read',
  params: z.strictObject({ process_id: processId }),
  result: z.object({
    ports: z.array(
      z.object({
        port: z.int(),
        url: z.string().optional(),
        first_seen_at: z.string().nullable().describe('Null: unknown.'),
      }),
    ),
  }),
  errors: ['not_permitted'],
  async run(call, { process_id: id }) {
    call.seen(id);
    const { listeners, urls } = await call.client.call('ports', { id }, call.options);
    const byPort = new Map<number, string | undefined>(listeners.map(({ port }) => [port, undefined]));
    for (const url of urls) {
      const port = portOf(url);
      // What was printed is a claim: it names a port that is open, and opens none.
      if (port !== undefined && byPort.has(port)) byPort.set(port, url);
    }
    return {
      ports: [...byPort].map(([port, url]) => ({ port, ...(url === undefined ? {} : { url }), first_seen_at: null })),
    };
  },
});

function portOf(text: string): number | undefined {
  try {
    const { port, protocol } = new URL(text);
    return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  } catch {
    return undefined;
  }
}
