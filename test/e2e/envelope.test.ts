/** The fields that every request may carry, as a client without any library sends them. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommandSpec } from '../../src/protocol/command.js';
import { FEATURES } from '../../src/protocol/features.js';
import { COMMANDS } from '../../src/protocol/registry.js';
import { lockPath } from '../../src/protocol/socket-path.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { RawConnection } from '../support/raw.js';
import { tempDir } from '../support/temp-dir.js';

let daemon: TestDaemon;

beforeAll(async () => {
  daemon = await startDaemon();
});

afterAll(() => daemon.stop());

const ask = (fields: object) => request(daemon, fields);

function connect(): RawConnection {
  return new RawConnection(daemon.socketPath);
}

test('ping and the lock list what the envelope understands', async () => {
  const { features } = await ask({ cmd: 'ping' });
  expect(features).toEqual([
    'scope',
    'as',
    'host',
    'restrict',
    'shared',
    'cancel',
    'stream',
    'watch',
    'control',
    'traceparent',
    'elicited',
    'changed',
    'replace',
    'as_long_as',
  ]);
  expect(FEATURES).toEqual(features);
  expect(JSON.parse(readFileSync(lockPath(daemon.socketPath), 'utf8'))).toMatchObject({ features });
});

test('every command takes scope and as', async () => {
  expect(await ask({ cmd: 'list', req: 7, scope: 'x'.repeat(64), as: 'Zoë-1' })).toMatchObject({ ok: true, req: 7 });
  expect(await ask({ cmd: 'config', scope: ' ', as: '_' })).toMatchObject({ ok: true });
});

test.each([
  ['scope', ''],
  ['scope', 'x'.repeat(65)],
  ['scope', 7],
  ['scope', null],
  ['scope', ['a']],
  ['as', ''],
  ['as', 'x'.repeat(65)],
  ['as', true],
  ['as', null],
  ['as', 'a b'],
  ['as', '-a'],
  ['as', 'a/b'],
  ['as', 'a:b'],
  ['as', 'a@b'],
  ['as', 'a\n'],
  ['as', 'a\u202eb'],
  ['host', ''],
  ['host', 'x'.repeat(192)],
  ['host', {}],
  ['host', 'a b'],
  ['host', 'web1/build'],
])('a wrong envelope is refused before anything happens: %s = %j', async (field, value) => {
  const reply = await ask({ cmd: 'create', req: 'r', name: 'never', [field]: value });
  expect(reply).toMatchObject({ ok: false, req: 'r', code: 'invalid_field', field });
  expect(reply['error']).toMatch(new RegExp(`^"${field}" of the request is not valid: .+\\.$`));
  expect(reply['hint']).toBe(`Correct "${field}", or leave it out.`);
  expect(await ask({ cmd: 'list' })).toEqual({ ok: true, terminals: [] });
});

test('a mistyped field of the envelope is refused with the closest one', async () => {
  expect(await ask({ cmd: 'list', scop: 'a' })).toMatchObject({ code: 'unknown_field', closest: 'scope' });
});

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

test('the entry of a request in the log has its trace, also where it fails, and no other entry has', async () => {
  await ask({ cmd: 'config', log_level: 'debug' });
  await ask({ cmd: 'stats', traceparent: TRACE });
  await ask({ cmd: 'text', id: 'nope', traceparent: TRACE });
  await ask({ cmd: 'asks' });
  await ask({ cmd: 'config', log_level: 'warn' });
  expect(daemon.log()).toMatch(new RegExp(` debug "stats" took [\\d.]+ ms, traceparent ${TRACE}\n`));
  expect(daemon.log()).toMatch(
    new RegExp(` debug "text" failed with terminal_not_found after [\\d.]+ ms, traceparent ${TRACE}\n`),
  );
  expect(daemon.log()).toMatch(/ debug "asks" took [\d.]+ ms\n/);
});

test.each([
  null,
  7,
  '',
  'x'.repeat(100_000),
  TRACE.toUpperCase(),
  `${TRACE}-more`,
  `${TRACE}\n`,
  TRACE.replace('00-', 'ff-'),
  TRACE.replace(/-.*?-/, `-${'0'.repeat(32)}-`),
])('a malformed trace is ignored, and the request is done: %j', async (traceparent) => {
  await ask({ cmd: 'config', log_level: 'debug' });
  const { length } = daemon.log();
  expect(await ask({ cmd: 'grep', id: 'nope', pattern: 'x', traceparent })).toMatchObject({
    code: 'terminal_not_found',
  });
  await ask({ cmd: 'config', log_level: 'warn' });
  expect(daemon.log().slice(length)).toMatch(/ debug "grep" failed with terminal_not_found after [\d.]+ ms\n/);
});

test('of a later version of the trace the log has what is like the first', async () => {
  await ask({ cmd: 'config', log_level: 'debug' });
  await ask({ cmd: 'rules', traceparent: `${TRACE.replace('00-', '42-')}-more` });
  await ask({ cmd: 'config', log_level: 'warn' });
  expect(daemon.log()).toMatch(new RegExp(`, traceparent ${TRACE.replace('00-', '42-')}\n`));
});

test('a host is unknown to a daemon by itself, which then does nothing', async () => {
  for (const host of ['web1', 'gpu-*', 'x'.repeat(191)]) {
    const reply = await ask({ cmd: 'create', req: 1, host, name: 'never' });
    expect(reply).toMatchObject({ ok: false, req: 1, code: 'host_unknown', field: 'host', hint: 'Leave out "host".' });
  }
  expect(await ask({ cmd: 'shutdown', host: 'web1' })).toMatchObject({ code: 'host_unknown' });
  // Also for what only another host knows.
  expect(await ask({ cmd: 'of-later', host: 'web1' })).toMatchObject({ code: 'host_unknown' });
  expect(await ask({ cmd: 'list' })).toEqual({ ok: true, terminals: [] });
});

describe('@', () => {
  const named = async (fields: object) => (await ask({ cmd: 'status', id: '@', ...fields }))['id'];
  const made = (name: string, fields: object) => ask({ cmd: 'create', name, cmd_args: ['cat'], ...fields });

  test('is the terminal of the scope, on any connection, and without one the latest of all', async () => {
    await made('a1', { scope: 'a' });
    await made('b1', { scope: 'b' });
    expect(await Promise.all([{ scope: 'a' }, { scope: 'b' }, { scope: 'new' }, {}].map(named))).toEqual([
      'a1',
      'b1',
      'b1',
      'b1',
    ]);
    await ask({ cmd: 'text', id: 'a1', scope: 'b' });
    expect(await named({ scope: 'b' })).toBe('a1');
    const run = await ask({ cmd: 'run', command: 'true', keep: true, scope: 'c' });
    expect(await named({ scope: 'c' })).toBe(run['id']);
    expect(await named({ scope: 'a' })).toBe('a1');
    await ask({ cmd: 'kill', id: '@', scope: 'c' });
    await ask({ cmd: 'create', name: 'b1', reuse: true, scope: 'a' });
    expect(await named({ scope: 'a' })).toBe('b1');
  });

  test('of a removed terminal is the one before', async () => {
    expect(await ask({ cmd: 'kill', id: '@', scope: 'a' })).toMatchObject({ ok: true });
    expect(await named({ scope: 'a' })).toBe('a1');
    expect(await ask({ cmd: 'kill', id: '@', scope: 'a' })).toMatchObject({ ok: true });
    expect(await ask({ cmd: 'status', id: '@', scope: 'a' })).toMatchObject({ code: 'terminal_not_found' });
  });

  test.each([
    { cmd: 'type', text: 'x' },
    { cmd: 'press', keys: ['x'] },
    { cmd: 'send', input: 'x' },
    { cmd: 'paste', text: 'x' },
    { cmd: 'mouse', action: 'click', row: 0, col: 0 },
    { cmd: 'focus' },
    { cmd: 'resize', cols: 70, rows: 20 },
    { cmd: 'run', command: 'true' },
    { cmd: 'trigger', when: [{ text: 'x' }], do: [{ press: 'x' }] },
    { cmd: 'kill' },
    { cmd: 'kill', signal: 'INT' },
    { cmd: 'restart' },
    { cmd: 'label', set: { a: 'b' } },
    { cmd: 'control', action: 'take', as: 'ada' },
    { cmd: 'ask', question: 'x?', as: 'ada' },
    { cmd: 'record', path: '/nonexistent/x.cast' },
    { cmd: 'marker', label: 'x' },
    { cmd: 'debug', clear: true },
  ])('of a scope that has made and named none is none to an act, and is shown to reads: %j', async (fields) => {
    await made('others', { scope: 'others' });
    const scope = `fresh-${JSON.stringify(fields)}`.slice(0, 64);
    const before = await ask({ cmd: 'status', id: 'others' });
    expect(await ask({ id: '@', scope, ...fields })).toMatchObject({
      code: 'terminal_not_found',
      field: 'scope',
      error: 'No terminal has been made or named here, so "@" names none to act on.',
      hint: 't4a list',
    });
    const { rev, inputs, pid, labels, control } = before;
    expect(await ask({ cmd: 'status', id: '@', scope })).toMatchObject({
      id: 'others',
      rev,
      inputs,
      pid,
      labels,
      control,
    });
    await ask({ cmd: 'kill', id: 'others' });
  });

  test('is led nowhere by a connection that may only read', async () => {
    await made('a3', { scope: 'reading' });
    await made('b3', {});
    const reader = connect();
    await reader.request({ cmd: 'restrict', reach: 'read', person: false });
    for (const scope of ['reading', undefined])
      for (const cmd of ['text', 'status', 'screenshot', 'cursor'])
        await reader.request({ cmd, id: scope === undefined ? 'a3' : 'b3', ...(scope === undefined ? {} : { scope }) });
    reader.close();
    // A use by any scope counts for requests without one.
    expect(await named({})).toBe('b3');
    expect(await named({ scope: 'reading' })).toBe('a3');
    for (const id of ['a3', 'b3']) await ask({ cmd: 'kill', id });
  });

  test('is the subject of an event stream, too', async () => {
    await made('a2', { scope: 'a' });
    await made('b2', { scope: 'b' });
    const stream = connect();
    stream.write(`${JSON.stringify({ cmd: 'events', terminal: '@', types: ['resized'], scope: 'a', ack: true })}\n`);
    await stream.line();
    await ask({ cmd: 'resize', id: 'b2', cols: 90, rows: 20 });
    await ask({ cmd: 'resize', id: 'a2', cols: 90, rows: 20 });
    expect(JSON.parse((await stream.line()).toString())).toMatchObject({ event: 'resized', terminal: 'a2' });
    stream.close();
    await ask({ cmd: 'kill', id: 'a2' });
    await ask({ cmd: 'kill', id: 'b2' });
  });
});

test('the author of each input is kept with command, time and length, and never its content', async () => {
  const before = Date.now();
  await ask({ cmd: 'create', name: 'in', cmd_args: ['sh', '-c', 'stty -echo -isig; printf ready; exec cat'] });
  await ask({ cmd: 'wait', id: 'in', until: { text: 'ready' } });
  await ask({ cmd: 'type', id: 'in', text: 'abc', submit: true, as: 'ada' });
  await ask({ cmd: 'press', id: 'in', keys: ['Ctrl+C', 'x'], as: 'claude-1' });
  await ask({ cmd: 'send', id: 'in', input: 'é', as: 'ada' });
  await ask({ cmd: 'send', id: 'in', input: '\u0003' });
  await ask({ cmd: 'paste', id: 'in', text: '12\r' });
  expect(await ask({ cmd: 'type', id: 'in', text: 'hunter2', secret: true, submit: true, as: 'ada' })).toMatchObject({
    ok: true,
  });
  const { inputs } = (await ask({ cmd: 'debug', id: 'in' })) as {
    inputs: { seen: { as: string; cmd: string; ts: number; bytes: number }[]; dropped: number };
  };
  expect(inputs.dropped).toBe(0);
  expect(inputs.seen.map(({ as, cmd, bytes }) => [as, cmd, bytes])).toEqual([
    ['ada', 'type', 4],
    ['claude-1', 'press', 1],
    ['claude-1', 'press', 1],
    ['ada', 'send', 2],
    [null, 'send', 1],
    [null, 'paste', 3],
    ['ada', 'type', null],
  ]);
  expect(inputs.seen.every(({ ts }) => ts >= before && ts <= Date.now())).toBe(true);
  await ask({ cmd: 'kill', id: 'in' });
});

describe('a restricted connection', () => {
  test('looks, and is refused everything above with what it needs', async () => {
    const client = connect();
    const reply = async (fields: object) => (await client.request(fields)).header;
    expect(await reply({ cmd: 'create', name: 'seen', cmd_args: ['cat'] })).toMatchObject({ ok: true });
    expect(await reply({ cmd: 'restrict', reach: 'read' })).toEqual({ ok: true, reach: 'read', person: true });
    expect(await reply({ cmd: 'text', id: 'seen' })).toMatchObject({ ok: true });
    expect(await reply({ cmd: 'debug', id: 'seen', clear: false })).toMatchObject({ ok: true });
    expect(await reply({ cmd: 'config' })).toMatchObject({ ok: true });
    expect(await reply({ cmd: 'debug', id: 'seen', clear: true })).toMatchObject({
      code: 'not_allowed',
      field: 'clear',
      error: '"clear" of "debug" needs the reach "use", and this connection is restricted to "read".',
    });
    expect(await reply({ cmd: 'config', idle_timeout_ms: 1 })).toMatchObject({ code: 'not_allowed' });
    for (const [fields, reach] of [
      [{ cmd: 'type', id: 'seen', text: 'a' }, 'use'],
      [{ cmd: 'create', name: 'more' }, 'create'],
      [{ cmd: 'run', command: 'true' }, 'create'],
      [{ cmd: 'kill', id: 'seen' }, 'create'],
      [{ cmd: 'shutdown' }, 'admin'],
      [{ cmd: 'replace' }, 'admin'],
    ] as const) {
      expect(await reply(fields)).toMatchObject({
        ok: false,
        code: 'not_allowed',
        error: `"${fields.cmd}" needs the reach "${reach}", and this connection is restricted to "read".`,
      });
    }
    client.close();
    // Others are not restricted, and see what has not happened.
    expect(await ask({ cmd: 'status', id: 'seen' })).toMatchObject({ alive: true });
    expect(await ask({ cmd: 'status', id: 'more' })).toMatchObject({ code: 'terminal_not_found' });
    expect(await ask({ cmd: 'kill', id: 'seen' })).toMatchObject({ ok: true });
  });

  const REACHES = ['read', 'use', 'create', 'admin'];
  const id = 'x';
  /** What a request of the command needs to be valid. */
  const REQUIRED: Readonly<Record<string, object>> = {
    answer: { ask: 1, text: 'x' },
    clear: { id, screen: true },
    control: { id, action: 'take' },
    debug: { id },
    deliver: { id, text: 'x' },
    focus: { id },
    forget: { id },
    label: { id, set: { a: 'b' } },
    marker: { id, label: 'x' },
    mouse: { id, action: 'click', row: 0, col: 0 },
    open: { path: '/x.cast' },
    paste: { id, text: 'x' },
    press: { id, keys: ['x'] },
    publish: { name: 'x' },
    report: { id, state: 'idle' },
    record: { id },
    resize: { id, cols: 80, rows: 24 },
    restart: { id },
    restrict: { reach: 'read' },
    send: { id, input: 'x' },
    trigger: { id, when: [{ text: 'x' }], do: [{ press: 'x' }] },
    type: { id, text: 'x' },
    untrigger: { trigger: 1 },
  };

  test.each(['read', 'use', 'create'])('to %s is refused each command and field above it', async (reach) => {
    const isAbove = (needed = 'admin') => REACHES.indexOf(needed) > REACHES.indexOf(reach);
    const client = connect();
    const reply = async (fields: object) => (await client.request(fields)).header;
    await reply({ cmd: 'restrict', reach });
    const values: Record<string, unknown> = {
      as_long_as: [],
      ...(await reply({ cmd: 'config' })),
      themes: {},
      lc_ctype: 'C.UTF-8',
      path: '/x.cast',
    };
    const passed: string[] = [];
    for (const { name: cmd, traits } of Object.values(COMMANDS) as readonly CommandSpec[]) {
      const required = { cmd, ...REQUIRED[cmd] };
      const fields = Object.entries(traits.fieldReach ?? {}).filter(([, needed]) => isAbove(needed));
      const requests = isAbove(traits.reach)
        ? [required]
        : fields.map(([field]) => ({ ...required, [field]: values[field] ?? true }));
      for (const request of requests) {
        const { code, error } = await reply(request);
        if (code !== 'not_allowed') passed.push(`${JSON.stringify(request)}: ${String(code)} ${String(error)}`);
      }
    }
    expect(passed).toEqual([]);
    client.close();
  });

  test('to programs is refused what only a person may do, of every command', async () => {
    const client = connect();
    const reply = async (fields: object) => (await client.request(fields)).header;
    await reply({ cmd: 'restrict', reach: 'admin', person: false });
    const refused: string[] = [];
    for (const { name: cmd, traits } of Object.values(COMMANDS) as readonly CommandSpec[]) {
      const { person = [] } = traits;
      for (const field of person === true ? [''] : person || []) {
        const request = {
          cmd,
          ...(cmd === 'kill' ? { id } : {}),
          ...REQUIRED[cmd],
          ...(field === '' ? {} : { [field]: true }),
        };
        expect(await reply(request), JSON.stringify(request)).toMatchObject({ ok: false, code: 'not_allowed' });
        refused.push(`${cmd} ${field}`.trim());
      }
    }
    client.close();
    expect(refused).toEqual(
      expect.arrayContaining([
        'answer',
        'control force',
        'control person',
        'kill force',
        'restart force',
        'label force',
      ]),
    );
  });

  test('to use records into the folder of recordings alone', async () => {
    const { path: dir } = tempDir();
    const client = connect();
    const reply = async (fields: object) => (await client.request(fields)).header;
    await reply({ cmd: 'create', name: 'taped', cmd_args: ['cat'] });
    await reply({ cmd: 'restrict', reach: 'use' });
    expect(await reply({ cmd: 'record', id: 'taped', path: `${dir}/mine.cast` })).toMatchObject({
      code: 'not_allowed',
      field: 'path',
    });
    expect(readdirSync(dir)).toEqual([]);
    expect(await reply({ cmd: 'record', id: 'taped' })).toMatchObject({ ok: true, live: true });
    client.close();
    await ask({ cmd: 'kill', id: 'taped' });
  });

  test('may lower itself further, and never raises', async () => {
    const client = connect();
    const reply = async (fields: object) => (await client.request(fields)).header;
    expect(await reply({ cmd: 'restrict', reach: 'admin' })).toMatchObject({ reach: 'admin', person: true });
    expect(await reply({ cmd: 'restrict', reach: 'use', person: false })).toMatchObject({
      reach: 'use',
      person: false,
    });
    expect(await reply({ cmd: 'restrict', reach: 'create' })).toMatchObject({ reach: 'use', person: false });
    expect(await reply({ cmd: 'create' })).toMatchObject({ code: 'not_allowed' });
    expect(await reply({ cmd: 'restrict', reach: 'read' })).toMatchObject({ reach: 'read', person: false });
    expect(await reply({ cmd: 'press', id: 'none', keys: ['a'] })).toMatchObject({ code: 'not_allowed' });
    expect(await reply({ cmd: 'restrict', reach: 'admin' })).toMatchObject({ reach: 'read' });
    client.close();
  });

  test('is restricted from the line of restrict on, although requests with req overtake those in order', async () => {
    const client = connect();
    client.write(
      [
        { cmd: 'wait', id: 'x', until: { text: 'a' } },
        { cmd: 'restrict', reach: 'read' },
        { cmd: 'run', req: 1, command: 'true' },
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
    const replies = [await client.reply(), await client.reply(), await client.reply()].map(({ header }) => header);
    expect(replies.find(({ req }) => req === 1)).toMatchObject({ code: 'not_allowed' });
    expect(replies.filter(({ req }) => req === undefined)).toMatchObject([
      { code: 'terminal_not_found' },
      { ok: true, reach: 'read' },
    ]);
    client.close();
  });

  test.each([
    [{}, 'reach'],
    [{ reach: 'all' }, 'reach'],
    [{ reach: 2 }, 'reach'],
    [{ reach: null }, 'reach'],
    [{ reach: 'read', person: true }, 'person'],
    [{ reach: 'read', person: 'no' }, 'person'],
  ])('is not what a wrong restrict makes: %j', async (fields, field) => {
    const client = connect();
    expect((await client.request({ cmd: 'restrict', ...fields })).header).toMatchObject({
      code: 'invalid_field',
      field,
    });
    expect((await client.request({ cmd: 'config', event_queue: 1024 })).header).toMatchObject({ ok: true });
    client.close();
  });
});
