/**
 * Hooks of Claude Code: which of its events say what it does, and the settings that make it call t4a. The fields are those of version
 * 2.1 (https://code.claude.com/docs/en/hooks). An event that says nothing of it, or that is not known, makes no report.
 */
import { STATUS_LIMITS } from '../../protocol/limits.js';
import type { ParamsInput } from '../../protocol/registry.js';

export type HookReport = Omit<ParamsInput<'report'>, 'id' | 'pid'>;

type Fields = Readonly<Record<string, unknown>>;

const APP = 'claude-code';

/** @param given the JSON of a hook @returns undefined: it says nothing of what the agent does */
export function claudeReport(given: Fields): HookReport | undefined {
  const event = text(given['hook_event_name']) ?? '';
  const meaning = Object.hasOwn(EVENTS, event) ? EVENTS[event]?.(given) : undefined;
  if (meaning === undefined) return undefined;
  const { msg, ...said } = meaning;
  const path = subagent(given);
  const named = { ...(path === undefined ? {} : { path }), ...(said.state === 'clear' ? {} : { app: APP }) };
  const words = msg === undefined ? '' : shortenedWords(msg);
  return { ...said, ...named, ...(words === '' ? {} : { msg: words }) };
}

const EVENTS: Readonly<Record<string, (given: Fields) => HookReport | undefined>> = {
  // After a compaction it goes on with what it did.
  SessionStart: ({ source }) => (source === 'compact' ? undefined : { state: 'idle' }),
  UserPromptSubmit: () => ({ state: 'working' }),
  PreToolUse: (given) => (ASKING.has(toolOf(given)) ? asked(given) : working(given)),
  PermissionRequest: asked,
  PermissionDenied: () => ({ state: 'working' }),
  PostToolUse: () => ({ state: 'working' }),
  PostToolUseFailure: () => ({ state: 'working' }),
  PreCompact: () => ({ state: 'working', msg: 'compacts its context' }),
  SubagentStart: working,
  SubagentStop: (given) => (subagent(given) === undefined ? undefined : { state: 'clear' }),
  Elicitation: ({ message }) => ({ state: 'blocked', kind: 'question', msg: text(message) }),
  ElicitationResult: () => ({ state: 'working' }),
  Notification: notified,
  Stop: () => ({ state: 'done' }),
  StopFailure: ({ error, error_details: details }) => ({ state: 'error', msg: text(details) ?? text(error) }),
  SessionEnd: () => ({ state: 'clear' }),
};

/** Settings to be pasted into a settings.json. */
export function claudeHooks(): object {
  const hooks = [{ hooks: [{ type: 'command', command: 't4a report --hook claude', timeout: 10 }] }];
  return { hooks: Object.fromEntries(Object.keys(EVENTS).map((event) => [event, hooks])) };
}

/** Tools that ask the person themselves. */
const ASKING: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode']);

function asked(given: Fields): HookReport {
  const tool = toolOf(given);
  if (tool === 'AskUserQuestion') return { state: 'blocked', kind: 'question', msg: question(given) };
  return { state: 'blocked', kind: 'permission', msg: `approve ${toolWords(given)}` };
}

function working(given: Fields): HookReport {
  return { state: 'working', msg: toolOf(given) === '' ? undefined : toolWords(given) };
}

/** Report of a notification. If it has no type, as in older versions, the words alone say what it is. */
function notified({ notification_type: type, message }: Fields): HookReport | undefined {
  const msg = text(message);
  const kind = type ?? (/permission/i.test(msg ?? '') ? 'permission_prompt' : undefined);
  if (kind === 'permission_prompt' || kind === 'worker_permission_prompt')
    return { state: 'blocked', kind: 'permission', msg };
  if (kind === 'elicitation_dialog') return { state: 'blocked', kind: 'question', msg };
  const isIdle = kind === 'idle_prompt' || (kind === undefined && /waiting for your input/i.test(msg ?? ''));
  return isIdle ? { state: 'idle' } : undefined;
}

/** Fields of tools that say what they are for, the first that there is. */
const WORDS = ['command', 'file_path', 'notebook_path', 'url', 'query', 'pattern', 'description', 'skill'] as const;

function toolWords(given: Fields): string {
  const input = (given['tool_input'] ?? {}) as Fields;
  const words = WORDS.map((field) => text(input[field])).find((value) => value !== undefined);
  return words === undefined ? toolOf(given) : `${toolOf(given)}: ${words}`;
}

function toolOf({ tool_name: tool }: Fields): string {
  return text(tool) ?? '';
}

function question({ tool_input: input }: Fields): string | undefined {
  const questions = (input as Fields | undefined)?.['questions'];
  const first: unknown = Array.isArray(questions) ? questions[0] : undefined;
  return typeof first === 'object' && first !== null ? text((first as Fields)['question']) : undefined;
}

/** Longest level of a path. */
const MAX_LEVEL = 32;

/** Only events of a subagent name one. */
function subagent({ agent_id: id }: Fields): string | undefined {
  const level = text(id)
    ?.replaceAll(/[^\w.+-]/g, '-')
    .slice(0, MAX_LEVEL);
  return level === undefined || level === '' ? undefined : `agent/${level}`;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Words within the limits of a report: one line, no control characters, no half of a character. */
export function shortenedWords(words: string): string {
  const line = words
    .slice(0, STATUS_LIMITS.msg)
    .replaceAll(/[\p{Cc} ]+/gu, ' ')
    .trim();
  const bytes = Buffer.from(line, 'utf8');
  if (bytes.length <= STATUS_LIMITS.msg) return bytes.toString('utf8');
  let end = STATUS_LIMITS.msg - Buffer.byteLength('…');
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return `${bytes.subarray(0, end).toString('utf8')}…`;
}
