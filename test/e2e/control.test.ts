/** Two names and one keyboard, through the socket of a real daemon. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { connect, type Client } from '../../src/client/client.js';
import { runCli } from '../support/cli.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { RawConnection } from '../support/raw.js';
import { EventStream } from '../support/wait-for.js';

let daemon: TestDaemon;
const clients: Client[] = [];
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await daemon.stop();
});

const LONG_MS = 60_000;
const ask = (fields: object) => request(daemon, fields);

async function named(as: string): Promise<Client> {
  const client = await connect({ socketPath: daemon.socketPath, as });
  clients.push(client);
  return client;
}

async function start(command = 'stty raw -echo; printf ready; exec cat -v'): Promise<string> {
  const { id } = await ask({ cmd: 'create', cmd_args: ['sh', '-c', command], wait: { until: { text: 'ready' } } });
  return String(id);
}

/** Lines of the screen once the text is on it. */
async function shown(id: string, text: string): Promise<string[]> {
  const reply = await ask({ cmd: 'text', id, trim: true, wait: { until: { text } } });
  expect(reply).toMatchObject({ ok: true, wait: { outcome: 'matched' } });
  return reply['lines'] as string[];
}

test('all may type while no name has control, with or without a name', async () => {
  const id = await start();
  expect(await ask({ cmd: 'control', id, action: 'show' })).toEqual({
    ok: true,
    holder: null,
    hold: null,
    requests: [],
    expires_in_ms: null,
    rev: expect.any(Number) as number,
    inputs: 0,
  });
  expect(await ask({ cmd: 'type', id, text: 'a', as: 'claude' })).toEqual({ ok: true, bytes_sent: 1 });
  expect(await ask({ cmd: 'type', id, text: 'b', if_inputs: 1 })).toMatchObject({ ok: true, inputs: 2 });
  await shown(id, 'readyab');
});

test('input of all other names is refused while one holds, with the holder, the reason, the time and a hint', async () => {
  const id = await start('stty raw -echo; printf "\\033[?1000;1004;1006hready"; exec cat -v');
  const taken = await ask({ cmd: 'control', id, action: 'take', as: 'ada', person: true, reason: 'pass\tword' });
  expect(taken).toMatchObject({
    ok: true,
    holder: { as: 'ada', person: true, reason: 'password' },
    expires_in_ms: null,
  });
  const inputs: object[] = [
    { cmd: 'send', input: 'x' },
    { cmd: 'send', input: '\x03' },
    { cmd: 'press', keys: ['x'] },
    { cmd: 'press', keys: ['Ctrl+C'] },
    { cmd: 'press', keys: ['Ctrl+C', 'x'] },
    { cmd: 'type', text: 'x', submit: true },
    { cmd: 'type', text: 'x', secret: true },
    { cmd: 'paste', text: 'x' },
    { cmd: 'mouse', action: 'click', row: 0, col: 0 },
    { cmd: 'focus' },
    { cmd: 'resize', cols: 90, rows: 20 },
    { cmd: 'run', command: 'true' },
  ];
  for (const input of inputs) {
    for (const author of [{ as: 'claude' }, {}]) {
      const reply = await ask({ id, ...input, ...author });
      expect(reply, JSON.stringify(input)).toMatchObject({
        ok: false,
        code: 'control_held',
        error: expect.stringMatching(
          /^Terminal "\w+" is in the hands of ada, a person \("password"\), for \d+ s: nothing/,
        ) as string,
        hint: `t4a wait ${id} --control free`,
      });
    }
  }
  expect(await ask({ cmd: 'status', id })).toMatchObject({ inputs: 0, control: { as: 'ada' }, cols: 80 });
  expect(await ask({ cmd: 'text', id })).toMatchObject({ ok: true, inputs: 0 });
  // An agent that holds keeps the others out, too.
  const other = await start('stty raw -echo; exec cat -v');
  await ask({ cmd: 'control', id: other, action: 'take', as: 'bob' });
  for (const input of inputs) {
    const reply = await ask({ id: other, ...input, as: 'claude' });
    expect(reply, JSON.stringify(input)).toMatchObject({ ok: false, code: 'control_held' });
  }
  expect(await ask({ cmd: 'status', id: other })).toMatchObject({ inputs: 0, control: { as: 'bob' }, cols: 80 });
  await ask({ cmd: 'control', id: other, action: 'release', as: 'bob' });
  expect(await ask({ cmd: 'type', id, text: 'mine', as: 'ada', if_inputs: 0 })).toMatchObject({
    ok: true,
    inputs: 1,
  });
  expect((await shown(id, 'mine'))[0]).toBe('readymine');
  expect(await ask({ cmd: 'control', id, action: 'release', as: 'ada' })).toMatchObject({ holder: null });
  expect(await ask({ cmd: 'type', id, text: 'x', observe: {} })).toMatchObject({ ok: true, inputs: 2 });
  expect(await ask({ cmd: 'kill', id, as: 'claude' })).toMatchObject({ ok: true });
});

describe('an act that is no input', () => {
  const acts: object[] = [
    { cmd: 'kill' },
    { cmd: 'kill', signal: 'INT' },
    { cmd: 'kill', keep: true },
    { cmd: 'kill', tree: true },
    { cmd: 'restart' },
    { cmd: 'forget' },
    { cmd: 'label', set: { a: 'b' } },
  ];

  test.each(acts)('of another name is refused while one holds, and of the holder is not: %j', async (act) => {
    const id = await start();
    await ask({ cmd: 'control', id, action: 'take', as: 'ada', person: true });
    const before = await ask({ cmd: 'status', id });
    for (const author of [{ as: 'claude' }, {}]) {
      expect(await ask({ id, ...act, ...author })).toMatchObject({
        code: 'control_held',
        error: expect.stringMatching(/is in the hands of ada, a person, for \d+ s: nothing was done\.$/) as string,
        hint: `t4a wait ${id} --control free`,
      });
    }
    const { pid, labels, rev } = before;
    expect(await ask({ cmd: 'status', id })).toMatchObject({ alive: true, pid, labels, rev });
    expect(await ask({ cmd: 'label', id, as: 'claude' })).toMatchObject({ ok: true, labels: {} });
    expect(await ask({ id, ...act, as: 'ada' })).toMatchObject({ ok: true });
    await ask({ cmd: 'kill', id, force: true });
  });

  test('of an agent is refused while another agent holds', async () => {
    const id = await start();
    await ask({ cmd: 'control', id, action: 'take', as: 'gpt' });
    expect(await ask({ cmd: 'kill', id, as: 'claude' })).toMatchObject({ code: 'control_held' });
    expect(await ask({ cmd: 'kill', id, as: 'gpt' })).toMatchObject({ ok: true });
  });

  test('that means several ends none of them if one is held, and leaves ended ones to all', async () => {
    const held = await start();
    const free = await start();
    await ask({ cmd: 'control', id: held, action: 'take', as: 'ada', person: true });
    await ask({ cmd: 'label', id: held, set: { of: 'several' }, as: 'ada' });
    await ask({ cmd: 'label', id: free, set: { of: 'several' } });
    for (const meant of [{ id: [free, held] }, { where: { labels: { of: 'several' } } }, { all: true }])
      expect(await ask({ cmd: 'kill', as: 'claude', ...meant })).toMatchObject({ code: 'control_held' });
    for (const id of [held, free]) expect(await ask({ cmd: 'status', id })).toMatchObject({ alive: true });
    expect(await ask({ cmd: 'kill', id: held, keep: true, as: 'ada' })).toMatchObject({ ok: true });
    expect(await ask({ cmd: 'kill', id: [free, held], as: 'claude' })).toMatchObject({ ok: true });
  });

  test('is done with force, which is for persons', async () => {
    const id = await start();
    await ask({ cmd: 'control', id, action: 'take', as: 'ada', person: true });
    const program = new RawConnection(daemon.socketPath);
    await program.request({ cmd: 'restrict', reach: 'create', person: false });
    for (const act of acts) {
      const { header } = await program.request({ id, ...act, force: true });
      expect(header).toMatchObject({ code: 'not_allowed', field: 'force' });
    }
    program.close();
    for (const act of [{ cmd: 'label', set: { a: 'b' } }, { cmd: 'forget' }, { cmd: 'restart' }, { cmd: 'kill' }])
      expect(await ask({ id, ...act, force: true })).toMatchObject({ ok: true });
  });

  describe('with force', () => {
    /** Of a trigger that ada has made. */
    const removal = async (id: string) => {
      const made = { cmd: 'trigger', id, when: [{ published: 'go' }], do: [{ publish: { name: 'gone' } }], as: 'ada' };
      return { cmd: 'untrigger', trigger: (await ask(made))['trigger'] };
    };
    const take = { cmd: 'control', action: 'take', person: true };
    const forced: [string, (id: string) => object | Promise<object>][] = [
      ...acts.map((act): [string, (id: string) => object] => [JSON.stringify(act), (id) => ({ id, ...act })]),
      ['untrigger', removal],
      ['control', (id) => ({ id, ...take })],
    ];
    /** Of each: whether it is admitted. */
    const who: [string, (otherId: string) => Promise<[author: object, isAdmitted: boolean]>][] = [
      ['a name of which nothing is known', () => Promise.resolve([{ as: 'bob' }, true])],
      [
        'a person with control of another terminal',
        async (otherId) => {
          await ask({ ...take, id: otherId, as: 'bob' });
          return [{ as: 'bob' }, true];
        },
      ],
      [
        'an agent with control of another terminal',
        async (otherId) => {
          await ask({ cmd: 'control', id: otherId, action: 'take', as: 'claude' });
          return [{ as: 'claude' }, false];
        },
      ],
      [
        'an agent in line for another terminal',
        async (otherId) => {
          await ask({ cmd: 'control', id: otherId, action: 'take', as: 'gpt' });
          const waiting = new RawConnection(daemon.socketPath);
          const line = { cmd: 'control', id: otherId, action: 'take', as: 'claude', wait_ms: 60_000 };
          const events = await EventStream.open(daemon.socketPath, { terminal: otherId, types: ['control_requested'] });
          waiting.write(`${JSON.stringify(line)}\n`);
          await events.next();
          events.close();
          onTestFinished(() => waiting.close());
          return [{ as: 'claude' }, false];
        },
      ],
    ];

    test.each(who.flatMap(([asker, of]) => forced.map(([act, made]) => [asker, act, of, made] as const)))(
      'of %s: %s is admitted to persons alone',
      async (_asker, _act, of, made) => {
        const [id, otherId] = [await start(), await start()];
        await ask({ cmd: 'control', id, action: 'take', as: 'ada', person: true });
        const [author, isAdmitted] = await of(otherId);
        const reply = await ask({ ...(await made(id)), ...author, force: true });
        expect(reply).toMatchObject(isAdmitted ? { ok: true } : { code: 'not_allowed', field: 'force' });
        await ask({ cmd: 'kill', id: otherId, force: true });
        if (!isAdmitted) expect(await ask({ cmd: 'status', id })).toMatchObject({ alive: true, labels: {} });
      },
    );

    test('of an agent is refused to a client and on the command line, too', async () => {
      const [id, otherId] = [await start(), await start()];
      await ask({ cmd: 'control', id, action: 'take', as: 'ada', person: true });
      await ask({ cmd: 'control', id: otherId, action: 'take', as: 'claude' });
      const client = await connect({ socketPath: daemon.socketPath, as: 'claude' });
      const refusal = { code: 'not_allowed', details: { field: 'force' } };
      await expect(client.call('kill', { id, force: true })).rejects.toMatchObject(refusal);
      await client.close();
      const said = await runCli(['kill', id, '--force', '--as', 'claude'], { socketPath: daemon.socketPath });
      expect(said.stderr).toContain(
        `"force" of "kill" needs a person, and "claude" is an agent in terminal "${otherId}".`,
      );
      expect(await ask({ cmd: 'status', id })).toMatchObject({ alive: true });
      for (const each of [id, otherId]) await ask({ cmd: 'kill', id: each, force: true });
    });

    test('of an agent that has given control back is as that of any name', async () => {
      const [id, otherId] = [await start(), await start()];
      await ask({ cmd: 'control', id: otherId, action: 'take', as: 'opus' });
      expect(await ask({ cmd: 'kill', id, force: true, as: 'opus' })).toMatchObject({ code: 'not_allowed' });
      await ask({ cmd: 'control', id: otherId, action: 'release', as: 'opus' });
      expect(await ask({ cmd: 'kill', id, force: true, as: 'opus' })).toMatchObject({ ok: true });
    });
  });

  test('of a trigger of another name is refused, and so is the removal of a trigger of the holder', async () => {
    const id = await start();
    const event = { published: 'go' };
    const made = { cmd: 'trigger', id, when: [event], as: 'claude' };
    const { trigger: ends } = await ask({ ...made, do: [{ kill: true }] });
    const { trigger: other } = await ask({ ...made, as: 'ada', do: [{ label: { set: { gone: 'yes' } } }] });
    await ask({ cmd: 'control', id, action: 'take', as: 'ada', person: true });
    expect(await ask({ cmd: 'untrigger', trigger: other, as: 'claude' })).toMatchObject({ code: 'control_held' });
    const events = await EventStream.open(daemon.socketPath, { terminal: id, types: ['labelled'] });
    await ask({ cmd: 'publish', name: 'go' });
    await events.next();
    events.close();
    const { triggers } = (await ask({ cmd: 'triggers', id })) as {
      triggers: { trigger: number; last_error: string }[];
    };
    expect(triggers.find(({ trigger }) => trigger === ends)?.last_error).toMatch(/^control_held: /);
    expect(await ask({ cmd: 'status', id })).toMatchObject({ alive: true, labels: { gone: 'yes' } });
    expect(await ask({ cmd: 'untrigger', trigger: ends, as: 'claude' })).toMatchObject({ ok: true });
    expect(await ask({ cmd: 'untrigger', trigger: other, as: 'ada' })).toMatchObject({ ok: true });
    await ask({ cmd: 'kill', id, as: 'ada' });
  });

  test('of a new trigger is refused if it acts on the terminal, on disconnected too', async () => {
    const id = await start();
    await ask({ cmd: 'control', id, action: 'take', as: 'ada', person: true });
    const make = (action: object, when: object, as: object) => ask({ cmd: 'trigger', id, when, do: [action], ...as });
    const acting = [
      { kill: true },
      { restart: true },
      { press: 'Enter' },
      { type: 'x' },
      { paste: 'x' },
      { label: { set: { a: 'b' } } },
    ];
    for (const action of acting) {
      for (const when of [{ published: 'never' }, { disconnected: true }])
        for (const as of [{ as: 'claude' }, {}])
          expect(await make(action, when, as), JSON.stringify(action)).toMatchObject({ code: 'control_held' });
      expect(await make(action, { published: 'never' }, { as: 'ada' })).toMatchObject({ ok: true });
    }
    for (const action of [{ notify: 'x' }, { publish: { name: 'x' } }, { run: { command: 'true' } }])
      expect(await make(action, { published: 'never' }, { as: 'claude' })).toMatchObject({ ok: true });
    const { triggers } = await ask({ cmd: 'triggers', id });
    expect(triggers).toHaveLength(acting.length + 3);
    await ask({ cmd: 'kill', id, as: 'ada' });
  });

  test('that no request asks for is not held up: tied, disconnected, and the end of a run', async () => {
    const maker = new RawConnection(daemon.socketPath);
    const cat = { cmd: 'create', cmd_args: ['cat'], as: 'claude' };
    const tied = (await maker.request({ ...cat, tied: true })).header['id'];
    const gone = (await maker.request(cat)).header['id'];
    const when = [{ disconnected: true }];
    await maker.request({ cmd: 'trigger', id: gone, when, do: [{ kill: true }], as: 'claude' });
    const created = await EventStream.open(daemon.socketPath, { types: ['created', 'exit'] });
    const run = ask({ cmd: 'run', command: 'cat', timeout_ms: 1000, on_timeout: 'end', keep: true, as: 'claude' });
    const own = (await created.until('created'))['terminal'];
    await ask({ cmd: 'control', id: own, action: 'take', as: 'ada', person: true });
    await created.until('exit');
    created.close();
    expect(await run).toMatchObject({ id: own, outcome: 'timeout' });
    for (const id of [tied, gone]) await ask({ cmd: 'control', id, action: 'take', as: 'ada', person: true });
    const removed = await EventStream.open(daemon.socketPath, { types: ['removed'] });
    maker.close();
    for (let i = 0; i < 2; i++) await removed.next();
    removed.close();
    for (const id of [tied, gone])
      expect(await ask({ cmd: 'status', id })).toMatchObject({ code: 'terminal_not_found' });
  });
});

describe('two who take at once', () => {
  test('one has it, and the other learns who', async () => {
    const id = await start();
    const replies = await Promise.all(
      ['claude', 'gpt'].map((as) => ask({ cmd: 'control', id, action: 'take', as, reason: 'build' })),
    );
    const [winner, loser] = replies.toSorted((a, b) => Number(b['ok']) - Number(a['ok']));
    const { as } = (winner as { holder: { as: string } }).holder;
    expect(loser).toMatchObject({
      ok: false,
      code: 'control_held',
      error: expect.stringContaining(`of ${as},`) as string,
    });
    expect(winner).toMatchObject({ hold: 1, expires_in_ms: expect.any(Number) as number });
  });

  test('of those that wait each has it once, in the order of the line', async () => {
    const id = await start();
    const names = Array.from({ length: 15 }, (_, i) => `agent-${i}`);
    const order: string[] = [];
    await Promise.all(
      names.map(async (as) => {
        const reply = await ask({ cmd: 'control', id, action: 'take', as, wait_ms: LONG_MS });
        expect(reply).toMatchObject({ ok: true, holder: { as } });
        order.push(as);
        expect(await ask({ cmd: 'type', id, text: '.', as })).toMatchObject({ ok: true });
        await ask({ cmd: 'control', id, action: 'release', as });
      }),
    );
    expect(order.toSorted()).toEqual(names.toSorted());
    await shown(id, `ready${'.'.repeat(15)}`);
  });
});

describe('a take falls', () => {
  test('between requests, never between a text and its Enter', async () => {
    const id = await start('printf ready; while read -r line; do printf "[$line]"; done');
    const typing = ask({ cmd: 'type', id, text: 'whole', submit: true, as: 'claude' });
    // By its echo: Enter follows a moment later.
    await shown(id, 'whole');
    const [typed, taken] = await Promise.all([
      typing,
      ask({ cmd: 'control', id, action: 'take', as: 'ada', person: true }),
    ]);
    expect(typed).toMatchObject({ ok: true, bytes_sent: 6 });
    expect(taken).toMatchObject({ ok: true, holder: { as: 'ada' } });
    await shown(id, '[whole]');
    expect(await ask({ cmd: 'type', id, text: 'mine', submit: true, as: 'ada' })).toMatchObject({ ok: true });
    const lines = await shown(id, '[mine]');
    expect(lines.slice(0, 3)).toEqual(['readywhole', '[whole]mine', '[mine]']);
  });

  test('in the middle of it with force, and what waits in line is refused', async () => {
    const id = await start();
    const keys = Array.from({ length: 100 }, () => 'k');
    const pressing = ask({ cmd: 'press', id, keys, gap_ms: 1000, as: 'claude' });
    await shown(id, 'readyk');
    const waiting = ask({ cmd: 'type', id, text: 'later', as: 'claude' });
    expect(await ask({ cmd: 'control', id, action: 'take', as: 'ada', person: true, force: true })).toMatchObject({
      ok: true,
      holder: { as: 'ada' },
    });
    const cut = {
      ok: false,
      code: 'control_held',
      error: expect.stringContaining('the rest was not written') as string,
    };
    expect(await pressing).toMatchObject(cut);
    expect(await waiting).toMatchObject({ ok: false, code: 'control_held' });
    await ask({ cmd: 'type', id, text: '!', as: 'ada' });
    expect((await shown(id, '!'))[0]).toBe('readyk!');
  });

  test('with force after an open paste of raw input, which is closed', async () => {
    const id = await start('stty raw -echo; printf "\\033[?2004hready"; exec cat -v');
    await ask({ cmd: 'control', id, action: 'take', as: 'claude' });
    await ask({ cmd: 'send', id, input: '\x1b[200~half', as: 'claude' });
    await ask({ cmd: 'control', id, action: 'take', as: 'ada', person: true, force: true });
    await ask({ cmd: 'type', id, text: 'mine', as: 'ada' });
    expect((await shown(id, 'mine'))[0]).toBe('ready^[[200~half^[[201~mine');
    // Input of t4a itself is nobody's.
    expect(await ask({ cmd: 'status', id })).toMatchObject({ inputs: 2 });
  });
});

describe('a person and an agent', () => {
  test('hand it over: a request, a give with a note, a deny, the events, and the waits', async () => {
    const id = await start();
    const events = await EventStream.open(daemon.socketPath, { terminal: id, types: ['control', 'control_requested'] });
    const [ada, claude] = [await named('ada'), await named('claude')];
    await ada.call('control', { id, action: 'take', person: true, reason: 'password' });
    await expect(claude.call('control', { id, action: 'take', reason: 'build' })).rejects.toMatchObject({
      code: 'control_held',
      message: expect.stringContaining('the request of claude is in line') as string,
      details: { hint: `t4a wait ${id} --control mine --as claude` },
    });
    const shownNow = await ada.call('control', { id, action: 'show' });
    expect(shownNow.requests).toEqual([
      { as: 'claude', person: false, reason: 'build', since: expect.any(Number) as number },
    ]);
    await ada.call('control', { id, action: 'deny', note: 'not now' });
    await expect(ada.call('control', { id, action: 'deny' })).rejects.toMatchObject({ code: 'invalid_field' });

    const given = claude.call('control', { id, action: 'take', wait_ms: LONG_MS });
    await events.until('control_requested', ({ reason }) => reason === undefined);
    const mine = claude.call('wait', { id, until: { control: 'mine' } });
    const lost = ada.call('wait', { id, until: { control: 'lost' }, observe: { text: true } });
    await ada.call('control', { id, action: 'give', note: 'logged in' });
    expect(await given).toMatchObject({ holder: { as: 'claude', person: false }, hold: 2 });
    expect(await mine).toMatchObject({ outcome: 'matched' });
    expect(await lost).toMatchObject({ outcome: 'matched', inputs: 0, observed: { lines: ['ready'] } });
    await expect(ada.call('control', { id, action: 'release' })).rejects.toMatchObject({
      code: 'not_holder',
      message: `ada does not have control of terminal "${id}": claude has.`,
    });
    const free = ada.call('wait', { id, until: { control: 'free' } });
    await claude.call('control', { id, action: 'release', note: 'done' });
    expect(await free).toMatchObject({ outcome: 'matched' });
    const released = await events.until('control', ({ cause }) => cause === 'released');
    expect(released).toMatchObject({ holder: null, person: false, was: 'claude', note: 'done' });
    events.close();
  });

  test('a person takes at once from an agent, which learns of it by the event and by its next input', async () => {
    const id = await start();
    await ask({ cmd: 'control', id, action: 'take', as: 'claude' });
    const lost = ask({ cmd: 'wait', id, as: 'claude', until: { control: 'lost' } });
    const told = ask({ cmd: 'wait', id, until: { event: 'control' }, fresh: true });
    expect(await ask({ cmd: 'control', id, action: 'take', as: 'ada', person: true, reason: 'look' })).toMatchObject({
      ok: true,
      hold: 2,
    });
    expect(await lost).toMatchObject({ outcome: 'matched' });
    expect(await told).toMatchObject({
      event: { event: 'control', holder: 'ada', person: true, was: 'claude', cause: 'taken', reason: 'look' },
    });
    expect(await ask({ cmd: 'type', id, text: 'x', as: 'claude' })).toMatchObject({ code: 'control_held' });
  });

  test('a person takes from another with force alone, and only a person may force', async () => {
    const id = await start();
    const take = (fields: object) => ask({ cmd: 'control', id, action: 'take', ...fields });
    await take({ as: 'ada', person: true });
    expect(await take({ as: 'bob', person: true })).toMatchObject({ code: 'control_held' });
    expect(await take({ as: 'claude', force: true })).toMatchObject({ code: 'invalid_field', field: 'force' });
    expect(await take({ as: 'bob', person: true, force: true })).toMatchObject({ ok: true, holder: { as: 'bob' } });
  });
});

test('a hold with its connection ends soon after it, and the number of an old hold is refused', async () => {
  const id = await start();
  const connection = new RawConnection(daemon.socketPath);
  connection.write(
    `${JSON.stringify({ cmd: 'control', id, action: 'take', as: 'ada', person: true, connected: true })}\n`,
  );
  const { hold } = (await connection.reply()).header;
  expect(hold).toBe(1);
  const type = (fields: object) => ask({ cmd: 'type', id, text: 'x', ...fields });
  expect(await type({ as: 'ada', if_hold: 1 })).toMatchObject({ ok: true });
  expect(await type({ as: 'ada', if_hold: 2 })).toMatchObject({ code: 'not_holder', field: 'if_hold' });
  connection.close();
  let left: unknown = null;
  while (left === null) ({ expires_in_ms: left } = await ask({ cmd: 'control', id, action: 'show' }));
  expect(left).toBeLessThanOrEqual(10_000);
  // Connected anew.
  expect(await ask({ cmd: 'control', id, action: 'take', as: 'ada', person: true })).toMatchObject({ hold: 1 });
  await ask({ cmd: 'control', id, action: 'release', as: 'ada' });
  // Nobody holds now; the keys that were on their way are refused all the same.
  expect(await type({ as: 'ada', if_hold: 1 })).toMatchObject({ code: 'not_holder' });
  expect(await type({ as: 'ada' })).toMatchObject({ ok: true });
});

describe('a hold of one connection', () => {
  const take = { cmd: 'control', action: 'take', as: 'ada', person: true, exclusive: true };

  /** Requests of one connection. */
  function asker(): { ask: (fields: object) => Promise<Record<string, unknown>>; close: () => void } {
    const connection = new RawConnection(daemon.socketPath);
    return {
      ask: async (fields) => {
        connection.write(`${JSON.stringify(fields)}\n`);
        return (await connection.reply()).header;
      },
      close: () => connection.close(),
    };
  }

  test('refuses input and acts of its own name on other connections, and lets its own through', async () => {
    const id = await start('stty raw -echo; printf "\\033[?1000;1004;1006hready"; exec cat -v');
    const page = asker();
    expect(await page.ask({ ...take, id })).toMatchObject({ ok: true, holder: { as: 'ada', exclusive: true } });
    expect(await page.ask({ cmd: 'type', id, text: 'mine', as: 'ada' })).toMatchObject({ ok: true });
    for (const act of [
      { cmd: 'type', text: 'theirs' },
      { cmd: 'press', keys: ['a'] },
      { cmd: 'press', keys: ['Ctrl+C'] },
      { cmd: 'paste', text: 'theirs' },
      { cmd: 'send', input: 'theirs' },
      { cmd: 'mouse', action: 'click', row: 0, col: 0 },
      { cmd: 'focus', focused: true },
      { cmd: 'resize', cols: 90, rows: 30 },
      { cmd: 'kill' },
    ]) {
      expect(await ask({ ...act, id, as: 'ada' })).toMatchObject({ ok: false, code: 'control_held' });
    }
    expect(await ask({ cmd: 'control', action: 'release', id, as: 'ada' })).toMatchObject({ code: 'not_holder' });
    expect(await shown(id, 'readymine')).toContain('readymine');
    expect(await page.ask({ cmd: 'watch', id })).toMatchObject({ control: { as: 'ada', exclusive: true } });
    expect(await page.ask({ cmd: 'control', action: 'release', id, as: 'ada' })).toMatchObject({ holder: null });
    expect(await ask({ cmd: 'type', id, text: '.', as: 'ada' })).toMatchObject({ ok: true });
    page.close();
  });

  test('is neither free nor its own to a wait of the same name on another connection', async () => {
    const id = await start();
    const page = asker();
    await page.ask({ ...take, id });
    const wait = { cmd: 'wait', id, as: 'ada', timeout_ms: 1 };
    for (const control of ['free', 'mine']) {
      expect(await ask({ ...wait, until: { control } })).toMatchObject({ outcome: 'timeout' });
      expect(await page.ask({ ...wait, until: { control } })).toMatchObject({ outcome: 'matched' });
    }
    expect(await ask({ ...wait, until: { control: 'lost' } })).toMatchObject({ outcome: 'matched' });
    const free = ask({ ...wait, timeout_ms: LONG_MS, until: { control: 'free' } });
    await page.ask({ cmd: 'control', id, action: 'release', as: 'ada' });
    expect(await free).toMatchObject({ outcome: 'matched' });
    page.close();
  });

  test('is taken over with force alone, and then the first connection is refused', async () => {
    const id = await start();
    const [first, second] = [asker(), asker()];
    await first.ask({ ...take, id });
    expect(await second.ask({ ...take, id })).toMatchObject({ code: 'control_held' });
    expect(await second.ask({ ...take, id, force: true })).toMatchObject({ hold: 2 });
    expect(await first.ask({ cmd: 'type', id, text: 'x', as: 'ada' })).toMatchObject({ code: 'control_held' });
    expect(await second.ask({ cmd: 'type', id, text: 'y', as: 'ada' })).toMatchObject({ ok: true });
    first.close();
    second.close();
  });

  test('is that of the whole name once the connection has gone, and ends soon after', async () => {
    const id = await start();
    const page = asker();
    await page.ask({ ...take, id });
    const watcher = asker();
    const { rev, state } = await watcher.ask({ cmd: 'watch', id });
    const later = watcher.ask({ cmd: 'watch', id, since: rev, state });
    page.close();
    const frame = await later;
    watcher.close();
    expect(frame).toMatchObject({ ok: true, rev, control: { as: 'ada' } });
    expect(frame['control']).not.toHaveProperty('exclusive');
    let shownHolder: unknown = { exclusive: true };
    while ((shownHolder as { exclusive?: boolean }).exclusive === true) {
      ({ holder: shownHolder } = await ask({ cmd: 'control', id, action: 'show' }));
    }
    expect(shownHolder).toMatchObject({ as: 'ada' });
    const again = asker();
    expect(await again.ask({ ...take, id })).toMatchObject({ hold: 1, holder: { exclusive: true } });
    again.close();
  });

  test('is upgraded from one of the whole name, and an old client of that name is refused from then on', async () => {
    const id = await start();
    await ask({ cmd: 'control', id, action: 'take', as: 'ada', person: true });
    const page = asker();
    expect(await page.ask({ ...take, id })).toMatchObject({ hold: 1, holder: { exclusive: true } });
    expect(await ask({ cmd: 'type', id, text: 'x', as: 'ada' })).toMatchObject({ code: 'control_held' });
    page.close();
  });

  test('is given by its connection alone, and the one that waits for it has it for itself', async () => {
    const id = await start();
    const [first, second] = [asker(), asker()];
    await first.ask({ ...take, id });
    const waits = second.ask({ ...take, id, as: 'bob', wait_ms: LONG_MS });
    let requests: unknown[] = [];
    while (requests.length === 0) {
      ({ requests } = (await ask({ cmd: 'control', id, action: 'show' })) as unknown as { requests: unknown[] });
    }
    expect(await ask({ cmd: 'control', id, action: 'give', as: 'ada' })).toMatchObject({ code: 'not_holder' });
    await first.ask({ cmd: 'control', id, action: 'give', as: 'ada' });
    expect(await waits).toMatchObject({ ok: true, holder: { as: 'bob', exclusive: true } });
    expect(await ask({ cmd: 'type', id, text: 'x', as: 'bob' })).toMatchObject({ code: 'control_held' });
    first.close();
    second.close();
  });

  test('goes with a take, and is no word', async () => {
    const id = await start();
    const release = { cmd: 'control', id, action: 'release', as: 'ada', exclusive: true };
    expect(await ask(release)).toMatchObject({ code: 'invalid_field', field: 'exclusive' });
    expect(await ask({ ...take, id, exclusive: 'yes' })).toMatchObject({ code: 'invalid_field', field: 'exclusive' });
  });
});

test('a taker that leaves before its turn leaves the line, and takes nothing along', async () => {
  const id = await start();
  await ask({ cmd: 'control', id, action: 'take', as: 'ada', person: true });
  const connection = new RawConnection(daemon.socketPath);
  const take = { cmd: 'control', id, action: 'take', as: 'claude', wait_ms: LONG_MS, req: 1 };
  connection.write(`${JSON.stringify(take)}\n{"cmd":"cancel","of":1,"req":2}\n`);
  const replies = [(await connection.reply()).header, (await connection.reply()).header];
  expect(replies.find(({ req }) => req === 1)).toMatchObject({ code: 'cancelled' });
  connection.close();
  expect(await ask({ cmd: 'control', id, action: 'show' })).toMatchObject({ requests: [] });
});

test('fifty writers that type only if no other has lose no update', async () => {
  const script =
    'stty -echo; n=0; echo count=0; while read -r line; do [ "$line" = $((n + 1)) ] && n=$line || echo lost; echo count=$n; done';
  const id = await start(script.replace('echo count=0', 'echo ready; echo count=0'));
  const writers = await Promise.all(Array.from({ length: 50 }, (_, i) => named(`writer-${i}`)));
  let refused = 0;
  const increment = async (writer: Client): Promise<void> => {
    for (;;) {
      const { lines, inputs, rev } = await writer.call('text', { id, region: 'all', trim: true });
      const count = Number(lines.findLast((line) => line.startsWith('count='))?.slice('count='.length));
      // What was typed last has not been counted yet.
      if (count !== inputs) await writer.call('wait', { id, until: { changed_since: rev } });
      else {
        const typed = await writer
          .call('send', { id, input: `${count + 1}\n`, if_inputs: inputs })
          .catch((error: unknown) => error);
        if (!(typed instanceof Error)) return;
        expect(typed).toMatchObject({ code: 'others_typed', details: { field: 'if_inputs' } });
        refused++;
      }
    }
  };
  await Promise.all(writers.map(increment));
  const { lines } = await writers[0]!.call('text', {
    id,
    region: 'all',
    trim: true,
    wait: { until: { text: 'count=50' } },
  });
  expect(lines.filter((line) => line === 'lost')).toEqual([]);
  expect(refused).toBeGreaterThan(0);
}, 60_000);

describe('bad hands', () => {
  test.each<[object, string]>([
    [{ action: 'take' }, 'as'],
    [{ action: 'release' }, 'as'],
    [{ action: 'grab', as: 'a' }, 'action'],
    [{ action: 'take', as: 'a', to: 'b' }, 'to'],
    [{ action: 'take', as: 'a', note: 'n' }, 'note'],
    [{ action: 'give', as: 'a', to: 'a b' }, 'to'],
    [{ action: 'release', as: 'a', lease_ms: 5000 }, 'lease_ms'],
    [{ action: 'take', as: 'a', lease_ms: 999 }, 'lease_ms'],
    [{ action: 'take', as: 'a', reason: 'x'.repeat(201) }, 'reason'],
    [{ action: 'show', wait_ms: 1 }, 'wait_ms'],
    [{ action: 'show', person: true, as: 'a' }, 'person'],
  ])('%j is refused for its %s', async (fields, field) => {
    const id = await start();
    expect(await ask({ cmd: 'control', id, ...fields })).toMatchObject({ ok: false, code: 'invalid_field', field });
    expect(await ask({ cmd: 'control', id, action: 'show' })).toMatchObject({ holder: null, requests: [] });
  });

  test('a wait for control of no name, an ended terminal, an unknown one', async () => {
    const id = await start();
    expect(await ask({ cmd: 'wait', id, until: { control: 'mine' } })).toMatchObject({ code: 'invalid_field' });
    expect(await ask({ cmd: 'wait', id, until: { control: 'free' } })).toMatchObject({ outcome: 'matched' });
    expect(await ask({ cmd: 'control', id: 'none', action: 'show' })).toMatchObject({ code: 'terminal_not_found' });
    await ask({ cmd: 'control', id, action: 'take', as: 'ada', person: true });
    const requested = ask({ cmd: 'wait', id, until: { event: 'control_requested' }, fresh: true });
    const waiting = ask({ cmd: 'control', id, action: 'take', as: 'claude', wait_ms: LONG_MS });
    await requested;
    await ask({ cmd: 'kill', id, signal: 'KILL', force: true });
    expect(await waiting).toMatchObject({ code: 'terminal_exited' });
    expect(await ask({ cmd: 'control', id, action: 'take', as: 'bob' })).toMatchObject({ code: 'terminal_exited' });
    expect(await ask({ cmd: 'run', command: 'true', if_inputs: 0 })).toMatchObject({ code: 'invalid_field' });
  });

  test('a connection for programs alone takes as an agent, and neither as a person nor with force', async () => {
    const id = await start();
    const connection = new RawConnection(daemon.socketPath);
    const send = async (fields: object) => {
      connection.write(`${JSON.stringify(fields)}\n`);
      return (await connection.reply()).header;
    };
    await send({ cmd: 'restrict', reach: 'use', person: false });
    const take = { cmd: 'control', id, action: 'take', as: 'claude' };
    expect(await send({ ...take, person: true })).toMatchObject({ code: 'not_allowed', field: 'person' });
    expect(await send({ ...take, person: true, force: true })).toMatchObject({ code: 'not_allowed' });
    expect(await send(take)).toMatchObject({ ok: true, holder: { person: false } });
    connection.close();
  });
});
