/** What the events of Claude Code's hooks mean, as its version 2.1 sends them. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claudeHooks, claudeReport, shortenedWords } from '../../src/cli/local/claude-hooks.js';
import { statusReportOf } from '../../src/events/status/report.js';

const COMMON = { session_id: 'abc', transcript_path: '/t.jsonl', cwd: '/p', permission_mode: 'default' };
const BASH = { tool_name: 'Bash', tool_input: { command: 'rm -f build.log\n&& ls', description: 'Clean' } };
const QUESTION = { tool_name: 'AskUserQuestion', tool_input: { questions: [{ question: 'Which branch?' }] } };

const event = (name: string, fields: object = {}): unknown =>
  claudeReport({ ...COMMON, hook_event_name: name, ...fields });

describe('an event of Claude Code', () => {
  it.each([
    ['SessionStart', { source: 'startup' }, { state: 'idle' }],
    ['UserPromptSubmit', { prompt: 'secret words' }, { state: 'working' }],
    ['PreToolUse', BASH, { state: 'working', msg: 'Bash: rm -f build.log && ls' }],
    ['PreToolUse', QUESTION, { state: 'blocked', kind: 'question', msg: 'Which branch?' }],
    [
      'PreToolUse',
      { tool_name: 'ExitPlanMode', tool_input: { plan: '…' } },
      { state: 'blocked', kind: 'permission', msg: 'approve ExitPlanMode' },
    ],
    ['PermissionRequest', BASH, { state: 'blocked', kind: 'permission', msg: 'approve Bash: rm -f build.log && ls' }],
    ['PermissionDenied', { ...BASH, reason: 'no' }, { state: 'working' }],
    ['PostToolUse', { ...BASH, tool_response: {} }, { state: 'working' }],
    ['PostToolUseFailure', { ...BASH, error: 'exit 1' }, { state: 'working' }],
    [
      'Notification',
      { message: 'Claude needs your permission to use Bash', notification_type: 'permission_prompt' },
      { state: 'blocked', kind: 'permission', msg: 'Claude needs your permission to use Bash' },
    ],
    [
      'Notification',
      { message: 'Claude is waiting for your input', notification_type: 'idle_prompt' },
      { state: 'idle' },
    ],
    [
      'Notification',
      { message: 'Claude needs your permission to use Bash' },
      { state: 'blocked', kind: 'permission', msg: 'Claude needs your permission to use Bash' },
    ],
    ['Notification', { message: 'Claude is waiting for your input' }, { state: 'idle' }],
    ['Stop', { stop_hook_active: false, last_assistant_message: 'Ready.' }, { state: 'done' }],
    ['StopFailure', { error: 'rate_limit' }, { state: 'error', msg: 'rate_limit' }],
    ['SessionEnd', { reason: 'logout' }, { state: 'clear' }],
    ['SubagentStart', { agent_id: 'a1', agent_type: 'Explore' }, { state: 'working', path: 'agent/a1' }],
    [
      'PreToolUse',
      { ...BASH, agent_id: 'a/1:é' },
      { state: 'working', path: 'agent/a-1--', msg: 'Bash: rm -f build.log && ls' },
    ],
    ['SubagentStop', { agent_id: 'a1' }, { state: 'clear', path: 'agent/a1' }],
  ])('%s with %j is %j', (name, fields, expected) => {
    const app = expected.state === 'clear' ? {} : { app: 'claude-code' };
    expect(event(name, fields)).toEqual({ ...expected, ...app });
  });

  it.each([
    ['Notification', { message: 'Logged in', notification_type: 'auth_success' }],
    ['Notification', {}],
    ['SessionStart', { source: 'compact' }],
    ['SubagentStop', {}],
    ['ConfigChange', { source: 'user' }],
    ['constructor', {}],
    ['', {}],
  ])('%s with %j says nothing', (name, fields) => {
    expect(event(name, fields)).toBeUndefined();
  });

  it('makes a report within its limits of any fields', () => {
    const value = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary', maxLength: 5000 }));
    const names = fc.constantFrom(...Object.keys((claudeHooks() as { hooks: object }).hooks));
    const fields = [
      'tool_name',
      'tool_input',
      'message',
      'notification_type',
      'agent_id',
      'error',
      'error_details',
      'source',
    ];
    const given = fc.dictionary(fc.constantFrom(...fields), value);
    fc.assert(
      fc.property(names, given, (name, rest) => {
        const made = claudeReport({ ...rest, hook_event_name: name });
        if (made !== undefined) expect(statusReportOf(made)).not.toHaveProperty('refused');
      }),
    );
  });

  it('is named in the settings, each with the command', () => {
    const { hooks } = claudeHooks() as { hooks: Record<string, unknown> };
    for (const name of ['Notification', 'UserPromptSubmit', 'Stop', 'PreToolUse', 'SessionEnd']) {
      expect(hooks[name]).toEqual([{ hooks: [{ type: 'command', command: 't4a report --hook claude', timeout: 10 }] }]);
    }
  });
});

describe('words of a hook', () => {
  it.each([
    ['a\u0000b\u009bc\n\td', 'a b c d'],
    ['x'.repeat(3000), 'x'.repeat(2048)],
    ['é'.repeat(1500), `${'é'.repeat(1022)}…`],
    ['   ', ''],
  ])('are one line of at most 2,048 bytes', (given, expected) => {
    expect(shortenedWords(given)).toBe(expected);
  });
});
