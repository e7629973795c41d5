/** Each tool of the crew called by a client of MCP on the built server: names, arguments, and the fields of its result. */
import { expect, test } from 'vitest';
import { CREW_TOOLS } from '../../src/crew/tools/tool-set.js';
import { codeOf, type CrewReply, mcpClient, spawned } from '../support/crew-tools.js';
import { agentsOfFile } from '../support/fake-agent.js';

const withAgent = agentsOfFile();

const LISTED = ['process_id', 'name', 'kind', 'status', 'parent_process_id', 'idle_ms'];
const SCREEN = ['active_screen', 'rows', 'cols', 'cursor', 'screen_version'];
const PAD = ['name', 'size', 'modified_at', 'revision'];
const CAT = { process_id: 'cat-1' };
const ADDRESS = 'http://localhost:8123/';
const LISTENS =
  "const s = require('net').createServer().listen(0, '127.0.0.1', () => console.log('http://localhost:' + s.address().port))";

/** In this order. Fields that lie within a field are behind it. */
const CALLS: readonly [tool: string, input: object, fields: readonly string[], within?: readonly [string, string[]]][] =
  [
    ['spawn_agent', { agent: 'fake', agent_instructions: 'go', name: 'Ann' }, ['process_id', 'name', 'delivered']],
    [
      'spawn_process',
      { kind: 'command', argv: ['echo', ADDRESS, ';', 'exec', 'cat'], name: 'cat', shell: true, env: { A: 'b' } },
      ['process_id', 'name'],
    ],
    ['spawn_process', { kind: 'command', preset: 'dev' }, ['process_id', 'name']],
    ['spawn_process', { kind: 'terminal', working_dir: '.' }, ['process_id', 'name']],
    [
      'wait_for_pattern',
      { ...CAT, pattern: 'local.ost', timeout_seconds: 20, scope: 'scrollback' },
      ['matched', 'snippet'],
    ],
    ['wait_for_pattern', { ...CAT, pattern: 'never', timeout_seconds: 1, scope: 'grid' }, ['matched']],
    ['list_processes', { kind: 'command' }, ['processes'], ['processes', LISTED]],
    ['list_processes', {}, ['processes'], ['processes', [...LISTED, 'state']]],
    ['get_process_status', CAT, [...LISTED, ...SCREEN, 'working_dir', 'argv', 'started_at']],
    [
      'get_project_status',
      {},
      ['project', 'caller', 'processes', 'scratchpads'],
      ['caller', ['process_id', 'role', 'name', 'parent_process_id', 'available_tools']],
    ],
    ['get_process_output', { ...CAT, mode: 'grid' }, ['content', 'mode', ...SCREEN, 'idle_ms', 'status']],
    [
      'get_process_output',
      { ...CAT, mode: 'stream', since_offset: 0 },
      ['content', 'mode', ...SCREEN, 'idle_ms', 'status', 'new_offset'],
    ],
    ['get_process_raw_output', { ...CAT, since_offset: 0 }, ['content', 'new_offset', 'status']],
    [
      'search_output',
      { ...CAT, pattern: '8123', kind: 'rendered', limit: 5 },
      ['matches', 'truncated'],
      ['matches', ['line_no', 'text']],
    ],
    ['search_output', { ...CAT, pattern: '8123', kind: 'raw' }, ['matches', 'truncated']],
    ['spawn_process', { kind: 'command', argv: [process.execPath, '-e', LISTENS], name: 'web' }, ['process_id']],
    ['wait_for_pattern', { process_id: 'web-1', pattern: 'http:', timeout_seconds: 20 }, ['matched', 'snippet']],
    ['get_process_ports', { process_id: 'web-1' }, ['ports'], ['ports', ['port', 'url', 'first_seen_at']]],
    [
      'send_input',
      { ...CAT, kind: 'text', text: 'typed', submit: true, wait_ms: 1, tail_mode: 'stream' },
      ['ok', 'tail'],
      ['tail', ['content', 'mode', 'new_offset', 'active_screen', 'idle_ms', 'screen_version']],
    ],
    ['send_input', { ...CAT, kind: 'paste', text: 'pasted' }, ['ok']],
    ['send_input', { ...CAT, kind: 'key', key: 'enter' }, ['ok']],
    ['send_message', { target_process_id: 'fake-2', message: 'look' }, ['ok']],
    ['request_human_attention', { process_id: 'cat-1', reason: 'Look at it.' }, ['ok', 'ask']],
    ['select_process', CAT, ['ok']],
    ['rename_process', { ...CAT, name: 'The cat' }, ['ok']],
    ['timer_wait', { seconds: 3600, label: 'tea' }, ['timer_id']],
    ['timer_fire_when_idle_any', { process_ids: ['terminal-1'], timeout_seconds: 3600 }, ['timer_id']],
    ['timer_fire_when_idle_all', { process_ids: ['fake-2', 'dev-1'], label: 'all' }, ['timer_id']],
    [
      'timer_list',
      {},
      ['timers'],
      ['timers', ['timer_id', 'kind', 'label', 'process_ids', 'due_at', 'state', 'last_error']],
    ],
    ['timer_cancel', { timer_id: 'timer-1' }, ['ok']],
    ['scratchpad_write', { name: 'plan', content: 'a' }, PAD.filter((name) => name !== 'modified_at')],
    ['scratchpad_append', { name: 'plan', content: 'b' }, ['revision']],
    ['scratchpad_list', {}, ['scratchpads'], ['scratchpads', PAD]],
    ['scratchpad_read', { name: 'plan' }, ['content', 'revision']],
    ['scratchpad_delete', { name: 'plan' }, ['ok']],
    ['stop_process', { ...CAT, signal: 'SIGTERM' }, ['process_id', 'status']],
    ['list_processes', { kind: 'command' }, ['processes'], ['processes', [...LISTED, 'exit_code']]],
    ['start_process', CAT, ['process_id', 'status']],
    ['restart_process', { ...CAT, signal: 'SIGTERM' }, ['process_id', 'status']],
    ['close_process', CAT, ['ok']],
    ['whoami', { include_tools: true }, ['process_id', 'role', 'name', 'available_tools']],
    ['help', { topic: 'overview' }, ['topic', 'text']],
  ];

/** Of an object, or of the first of a list. */
function keysOf(value: unknown): string[] {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return Object.keys(one as CrewReply);
}

test('each tool takes its arguments from a client of MCP, and its result has all fields', async () => {
  const fake = await spawned(await withAgent());
  fake.preset('processes', 'dev.json', { name: 'dev', argv: ['sleep', '1000'] });
  await fake.run('crew', 'trust', 'dev');
  const { call, client } = await mcpClient(fake, 'fake-1');
  const { tools } = await client.listTools();
  for (const [tool, input, fields, within] of CALLS) {
    const reply = await call(tool, input);
    expect([tool, codeOf(reply)]).toEqual([tool, undefined]);
    expect([tool, ...Object.keys(reply)]).toEqual(expect.arrayContaining([...fields]));
    if (within !== undefined) {
      const [field, names] = within;
      expect([tool, ...keysOf(reply[field])]).toEqual(expect.arrayContaining(names));
    }
  }
  const called = new Set(CALLS.map(([tool]) => tool));
  expect(tools.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([]);
  expect(called.size).toBe(CREW_TOOLS.length);
});
