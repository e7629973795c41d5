/** Real replies of every command, and real events, have the fields of the contract and no others. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { COMMAND_NAMES, type CommandName } from '../../src/protocol/registry.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { RawConnection } from '../support/raw.js';
import { CONTRACT, problems, type Schema } from './contract.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
  const script =
    'printf "\\033[?1000;1004;1006h\\033[1;31mred\\033[m \\033]8;;http://x/\\007link\\033]8;;\\007\\n\\033[?9999h"; exec cat';
  await request(daemon, { cmd: 'create', name: 'a', cmd_args: ['sh', '-c', script] });
  await request(daemon, { cmd: 'wait', id: 'a', until: { text: 'link' } });
});
afterAll(() => daemon.stop());

const WAIT = { until: [{ text: 'never' }, { idle_ms: 1 }], fail: { gone: 'link' }, timeout_ms: 60_000 };
const OBSERVE = { text: true, cursor: true, screenshot: { scale: 66 } };

/** Finds "red". */
const RULES = JSON.stringify({
  version: 1,
  profiles: [{ id: 'mine', rules: [{ id: 'red', start: 'red', emit: { kind: 'color' } }] }],
});

/** Of each command what its replies differ by. */
const REQUESTS: Readonly<Record<CommandName, readonly object[]>> = {
  create: [
    { cmd_args: ['true'] },
    { name: 'b', cmd_args: ['sh', '-c', 'echo up; exec cat'], wait: { until: { text: 'up' } }, observe: OBSERVE },
    { name: 'b', reuse: true },
  ],
  list: [{}, { recordings: true }],
  status: [{ id: 'a' }],
  explain: [{ id: 'a' }, { id: 'a', at: 'end' }],
  report: [
    { id: 'a', state: 'working', msg: 'tests', progress: 40 },
    { id: 'a', state: 'clear' },
  ],
  restart: [{ id: 'b' }],
  ports: [{ id: 'a' }],
  kill: [{ id: 'b', signal: 'WINCH' }, { id: 'b' }],
  send: [
    { id: 'a', input: 'x\r' },
    { id: 'a', input_base64: 'eA==', wait: WAIT, observe: OBSERVE },
  ],
  press: [
    { id: 'a', keys: ['a', 'Enter'] },
    { id: 'a', keys: ['Enter'], wait: WAIT, observe: { cursor: true } },
  ],
  type: [{ id: 'a', text: 'typed', submit: true }],
  paste: [{ id: 'a', text: 'pasted', submit: true }],
  deliver: [{ id: 'a', text: 'delivered' }],
  mouse: [
    { id: 'a', action: 'click', on_text: 'red' },
    { id: 'a', action: 'click', row: 1, col: 1 },
  ],
  focus: [{ id: 'a' }],
  screenshot: [{ id: 'a', inline: true }, { id: 'a' }, { id: 'a', format: 'svg', scrollback: 10, rulers: true }],
  text: [
    { id: 'a', region: 'all', highlights: true, links: true },
    { id: 'a', format: 'cells' },
    { id: 'a', format: 'runs', from_line: 0, max_lines: 3 },
    { id: 'a', format: 'html' },
    { id: 'a', since: 0, join_wrapped: true },
    { id: 'a', max_bytes: 10 },
  ],
  grep: [{ id: 'a', pattern: 'red', context: 1 }],
  find: [{ id: 'a', text: 'red' }],
  export: [{ id: 'a' }, { id: 'a', from: 'start', format: 'asciicast-v2' }],
  film: [{ id: 'a' }, { id: 'a', format: 'text' }, { id: 'a', sheet: false, from: 'start', max_frames: 2 }],
  seek: [
    { id: 'a', text: 'red' },
    { id: 'a', text: 'never' },
  ],
  marker: [{ id: 'a', label: 'one' }],
  forget: [{ id: 'a' }],
  cursor: [{ id: 'a' }],
  entries: [{ id: 'a' }, { id: 'a', since: 0 }],
  rules: [{}, { action: 'check', terminal: 'a', rules: RULES }],
  label: [{ id: 'a', set: { role: 'x' } }],
  publish: [{ name: 'x' }],
  trigger: [{ id: 'a', when: { text: 'never' }, do: [{ press: 'y' }] }],
  triggers: [{}],
  untrigger: [{ trigger: 1 }],
  clear: [{ id: 'a', scrollback: true }],
  resize: [{ id: 'a', cols: 90, rows: 20 }],
  control: [
    { id: 'a', action: 'show' },
    { id: 'a', action: 'take', as: 'ada', person: true, reason: 'password' },
    { id: 'a', action: 'release', as: 'ada' },
  ],
  ask: [
    { question: 'Which?', kind: 'choice', choices: ['a', 'b'], as: 'ci', timeout_ms: 0 },
    { id: 'a', question: 'Sure?', kind: 'confirm', as: 'ci', timeout_ms: 0, observe: OBSERVE },
    { withdraw: 2 },
  ],
  asks: [{}],
  answer: [{ ask: 1, text: 'b', as: 'ada', note: 'why not' }],
  run: [
    { cmd_args: ['echo', 'hi'] },
    { command: 'kill -9 $$', screenshot: true },
    { command: 'sleep 60', timeout_ms: 1 },
  ],
  record: [
    { id: 'a', action: 'start' },
    { id: 'a', action: 'mark', label: 'x' },
    { id: 'a', action: 'flush' },
    { id: 'a', action: 'stop' },
  ],
  recordings: [{}],
  open: [{ path: fileURLToPath(new URL('../history/recording/small.cast', import.meta.url)), at: '1s' }],
  wait: [
    { id: 'a', until: { regex: 'r(e)d' } },
    { id: 'a', until: { settled_ms: 1 } },
    { id: 'a', until: { text: 'never' }, timeout_ms: 1 },
    { id: 'a', until: { text: 'never' }, fail: { text: 'red' }, observe: OBSERVE },
  ],
  commands: [{ id: 'a' }],
  events: [{ ack: true, since: 0 }],
  output: [{ id: 'a' }, { id: 'a', inline: true }],
  debug: [{ id: 'a' }],
  watch: [{ id: 'a' }],
  cancel: [{ of: 1 }],
  config: [{}, { sources: true }],
  ping: [{}],
  restrict: [{ reach: 'admin' }, { reach: 'read', person: false }],
  stats: [{ rules: true }, { terminals: true }],
  schema: [{}],
  replace: [{ check: true }],
  shutdown: [{}],
};

const LAST: readonly CommandName[] = ['kill', 'replace', 'shutdown'];
const inOrder = [...COMMAND_NAMES.filter((name) => !LAST.includes(name)), ...LAST];

describe.each(inOrder)('a reply to %s', (name) => {
  it.each(REQUESTS[name])('matches the contract for %j', async (fields) => {
    // What the other requests have made does not go along.
    const own = name === 'replace' ? await startDaemon() : undefined;
    onTestFinished(() => own?.stop());
    const reply = await request(own ?? daemon, { cmd: name, ...fields });
    expect(reply).toMatchObject({ ok: true });
    expect(problems(strict(CONTRACT.commands[name]?.reply ?? {}), reply)).toEqual([]);
  });
});

it('every published event matches the contract', async () => {
  const own = await startDaemon();
  try {
    const script =
      'printf "\\a\\033]2;t\\007\\033]9;note\\007\\033]9;4;1;50\\007\\033]52;c;eA==\\007\\033[?1049h\\033]7;file:///\\007\\033]133;C\\007\\033]133;D;1\\007"';
    await request(own, { cmd: 'run', command: script });
    const connection = new RawConnection(own.socketPath);
    connection.write('{"cmd":"events","since":0}\n');
    const seen = new Set<string>();
    while (!seen.has('removed')) {
      const event = JSON.parse((await connection.line()).toString()) as { event: string };
      seen.add(event.event);
      expect(problems(strict(CONTRACT.events[event.event] ?? {}), event), event.event).toEqual([]);
    }
    connection.close();
    const expected = ['created', 'bell', 'title', 'notification', 'progress', 'clipboard', 'alt_screen', 'cwd', 'exit'];
    expect([...seen]).toEqual(expect.arrayContaining([...expected, 'command_started', 'command_done']));
  } finally {
    await own.stop();
  }
});

/** What the contract leaves open for later, closed: a field that is not declared is a mistake now. */
function strict(schema: Schema): Schema {
  return {
    ...schema,
    ...(schema.anyOf === undefined ? {} : { anyOf: schema.anyOf.map(strict) }),
    ...(schema.items === undefined ? {} : { items: strict(schema.items) }),
    ...(schema.properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(Object.entries(schema.properties).map(([field, of]) => [field, strict(of)])),
          additionalProperties: false,
        }),
  };
}
