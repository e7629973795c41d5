/** One socket for several daemons: clients that are unchanged, ids that are addresses. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/index.js';
import { streamCli } from '../support/cli.js';
import { fakeDaemon, replyLine } from '../support/fake-daemon.js';
import { testFleet } from '../support/fleet.js';
import { itNeeds } from '../support/programs.js';
import { RawConnection } from '../support/raw.js';
import { toolsOverMcp } from '../support/tool-doors.js';
import { gateway, gatewayOfFile } from './served-gateway.js';

const sharedGateway = gatewayOfFile();

test('requests go to the host of the envelope or of the id, and replies come back with addresses', async () => {
  const { raw } = await sharedGateway();
  const socket = raw();
  const ask = async (fields: object): Promise<Record<string, unknown>> => (await socket.request(fields)).header;
  expect(await ask({ cmd: 'create', host: 'x', name: 'a', cmd_args: ['cat'] })).toMatchObject({ ok: true, id: 'x/a' });
  expect(await ask({ cmd: 'create', host: 'y', name: 'a', cmd_args: ['cat'] })).toMatchObject({ ok: true, id: 'y/a' });
  expect(await ask({ cmd: 'create', name: 'a', cmd_args: ['cat'] })).toMatchObject({ ok: true, id: 'a' });
  await ask({ cmd: 'type', id: 'y/a', text: 'for y' });
  expect(await ask({ cmd: 'wait', id: 'y:a', until: { text: 'for y' } })).toMatchObject({ outcome: 'matched' });
  expect(await ask({ cmd: 'grep', id: 'x/a', pattern: 'for y' })).toMatchObject({ total: 0 });
  expect(await ask({ cmd: 'status', id: 'a', host: 'y' })).toMatchObject({ ok: true, id: 'y/a' });
  expect(await ask({ cmd: 'kill', id: ['x/a'] })).toMatchObject({ ok: true, ended: [{ id: 'x/a' }] });
});

test('"@" is the terminal that the scope has used last, on its host', async () => {
  const { raw } = await sharedGateway();
  const socket = raw();
  await socket.request({ cmd: 'create', host: 'x', name: 'a', cmd_args: ['cat'], scope: 'one' });
  await socket.request({ cmd: 'create', host: 'y', name: 'b', cmd_args: ['cat'], scope: 'two' });
  expect((await socket.request({ cmd: 'status', id: '@', scope: 'one' })).header).toMatchObject({ id: 'x/a' });
  expect((await socket.request({ cmd: 'status', id: '@', scope: 'two' })).header).toMatchObject({ id: 'y/b' });
});

test('the list is of all hosts, and names those that do not answer', async () => {
  const { raw, output } = await sharedGateway();
  await output('hosts', 'add', 'gone', 'unix:/nonexistent/t4a.sock');
  onTestFinished(async () => void (await output('hosts', 'rm', 'gone')));
  const socket = raw();
  await socket.request({ cmd: 'create', host: 'y', name: 'a', cmd_args: ['cat'] });
  await socket.request({ cmd: 'create', name: 'b', cmd_args: ['cat'] });
  const { header } = await socket.request({ cmd: 'list' });
  expect(header).toMatchObject({
    terminals: [
      { id: 'b', host: 'local' },
      { id: 'y/a', host: 'y' },
    ],
    unreachable: [{ host: 'gone', code: 'host_unreachable' }],
  });
  expect((await socket.request({ cmd: 'list', host: 'x' })).header).toMatchObject({ terminals: [] });
});

test('a pattern of hosts is all of them for list and events, one for create and run, and none for the rest', async () => {
  const { raw, output, t4a } = await sharedGateway();
  const socket = raw();
  const ask = async (fields: object): Promise<Record<string, unknown>> => (await socket.request(fields)).header;
  await ask({ cmd: 'create', host: 'x', name: 'a', cmd_args: ['cat'] });
  await ask({ cmd: 'create', name: 'here', cmd_args: ['cat'] });
  // Only "*" is a pattern.
  expect(await ask({ cmd: 'create', host: '[xy]', name: 'b', cmd_args: ['cat'] })).toMatchObject({
    code: 'host_unknown',
  });
  await output('hosts', 'add', 'x2', 'unix:/nonexistent/t4a.sock');
  expect(await ask({ cmd: 'create', host: 'x2*', cmd_args: ['cat'] })).toMatchObject({ code: 'host_unreachable' });
  expect(await ask({ cmd: 'list', host: 'x*' })).toMatchObject({
    terminals: [{ id: 'x/a' }],
    unreachable: [{ host: 'x2' }],
  });
  expect(await ask({ cmd: 'run', host: 'x*', cmd_args: ['true'] })).toMatchObject({ ok: true, exit_code: 0 });
  for (const cmd of ['status', 'ping', 'kill']) {
    const fields = cmd === 'ping' ? {} : { id: cmd === 'kill' ? ['a'] : 'a' };
    expect(await ask({ cmd, host: 'x*', ...fields }), cmd).toMatchObject({ code: 'host_ambiguous' });
  }
  const events = raw();
  expect((await events.request({ cmd: 'events', host: '*x', ack: true })).header).toMatchObject({ ok: true });
  expect(JSON.parse((await events.line()).toString())).toMatchObject({ event: 'host', host: 'x', state: 'up' });

  // By the command line without a gateway, too.
  await output('hosts', 'rm', 'x2');
  expect(JSON.parse(await output('list', '--on', 'x*', '--json'))).toMatchObject({
    terminals: [{ host: 'x', id: 'a' }],
  });
  const made = await t4a(['create', '--on', 'y*', '--name', 'c', '--', 'cat']);
  expect(made).toMatchObject({ status: 0, stderr: 't4a: y\n' });
  expect(await t4a(['text', 'c', '--on', 'y*'])).toMatchObject({ status: 2, stderr: expect.stringContaining('"y*"') });
});

test('the command line and the client library work through it unchanged', async () => {
  const { t4a, socketPath, dir } = await sharedGateway();
  // Without a list of hosts of its own.
  const env = { T4A_SOCKET: socketPath, XDG_CONFIG_HOME: dir.join('none') };
  await using client = await connect({ socketPath, autoStart: false });
  const events = client.events({ types: ['created'] });
  await events.subscribed;
  const { header } = await new RawConnection(socketPath).request({ cmd: 'create', host: 'x', cmd_args: ['cat'] });
  const id = String(header['id']);
  expect(id).toMatch(/^x\/t\d+$/);
  for await (const event of events) {
    if ('state' in event) continue;
    expect(event).toMatchObject({ event: 'created', terminal: id, host: 'x' });
    break;
  }
  await t4a(['type', id, 'hello'], { env });
  expect((await t4a(['wait', id, '--text', 'hello'], { env })).status).toBe(0);
  expect((await t4a(['text', id], { env })).stdout).toContain('hello');
  const { bytes } = await client.call('screenshot', { id });
  expect(Buffer.from(bytes ?? []).toString('latin1', 1, 4)).toBe('PNG');
  expect((await t4a(['list'], { env })).stdout).toContain(id);
  expect((await t4a(['kill', id], { env })).stdout).toContain(id);
});

test('events of all hosts come as one stream, and say when a host goes', async () => {
  const { raw, output, daemon } = await gateway();
  // Starts the daemon of this machine, which a stream of events does not.
  await output('list');
  const socket = raw();
  socket.write('{"cmd":"events","ack":true}\n');
  expect(JSON.parse((await socket.line()).toString())).toMatchObject({ ok: true });
  const up = new Set<unknown>();
  while (up.size < 3) {
    const line = JSON.parse((await socket.line()).toString()) as Record<string, unknown>;
    if (line['event'] === 'host' && line['state'] === 'up') up.add(line['host']);
  }
  expect(up).toEqual(new Set(['local', 'x', 'y']));
  await output('create', '--on', 'y', '--name', 'a', 'cat');
  const until = async (wanted: object): Promise<Record<string, unknown>> => {
    for (;;) {
      const line = JSON.parse((await socket.line()).toString()) as Record<string, unknown>;
      if (Object.entries(wanted).every(([field, value]) => line[field] === value)) return line;
    }
  };
  expect(await until({ event: 'created' })).toMatchObject({ host: 'y', terminal: 'y/a' });
  await output('shutdown', '--on', 'x');
  await until({ event: 'host', host: 'x', state: 'down' });
  await daemon('x/t4a.sock');
  await until({ event: 'host', host: 'x', state: 'restarted' });
  await output('create', '--on', 'x', '--name', 'b', 'cat');
  expect(await until({ event: 'created' })).toMatchObject({ host: 'x', terminal: 'x/b' });
});

test('events of a terminal end with it, and with an error when its host is lost', async () => {
  const { raw, socketPath, dir } = await gateway();
  const socket = raw();
  for (const name of ['a', 'b']) await socket.request({ cmd: 'create', host: 'x', name, cmd_args: ['cat'] });
  await using client = await connect({ socketPath, autoStart: false });
  const [ofA, ofB] = ['x/a', 'x/b'].map((terminal) => client.events({ terminal, types: ['bell'] }));
  if (ofA === undefined || ofB === undefined) throw new Error('two streams');
  await Promise.all([ofA.subscribed, ofB.subscribed]);
  await socket.request({ cmd: 'kill', id: 'x/a' });
  for await (const line of ofA) expect(line).toBe('none');
  expect(ofA.ended).toBe('removed');
  await using far = await connect({ socketPath: dir.join('x', 't4a.sock'), autoStart: false });
  process.kill(far.daemon.pid, 'SIGKILL');
  const lines = ofB[Symbol.asyncIterator]();
  expect(await lines.next()).toMatchObject({ value: { event: 'host', host: 'x', state: 'down' } });
  await expect(lines.next()).rejects.toMatchObject({ code: 'host_unreachable' });
});

test('a tied terminal ends with the client of the gateway, also while another name has control', async () => {
  const { raw, dir } = await gateway();
  const maker = raw();
  await maker.request({ cmd: 'create', host: 'x', name: 'tied', tied: true, cmd_args: ['cat'], as: 'claude' });
  const ada = raw();
  const taken = await ada.request({ cmd: 'control', id: 'x/tied', action: 'take', as: 'ada', person: true });
  expect(taken.header).toMatchObject({ ok: true, holder: { as: 'ada' } });
  expect((await ada.request({ cmd: 'kill', id: 'x/tied', as: 'claude' })).header).toMatchObject({
    code: 'control_held',
  });
  const far = new RawConnection(dir.join('x', 't4a.sock'));
  onTestFinished(() => far.close());
  await far.request({ cmd: 'events', types: ['removed'], ack: true });
  maker.close();
  expect(JSON.parse((await far.line()).toString())).toMatchObject({ event: 'removed', terminal: 'tied' });
});

test('a wait ends on its host when the client goes', async () => {
  const { raw, dir } = await gateway();
  const socket = raw();
  await socket.request({ cmd: 'create', host: 'x', name: 'a', cmd_args: ['cat'] });
  const far = new RawConnection(dir.join('x', 't4a.sock'));
  onTestFinished(() => far.close());
  const inFlight = async (): Promise<unknown> =>
    ((await far.request({ cmd: 'stats' })).header['connections'] as Record<string, unknown>)['in_flight'];
  const before = await inFlight();
  socket.write('{"cmd":"wait","req":1,"id":"x/a","until":{"exit":true},"timeout_ms":600000}\n');
  while ((await inFlight()) === before);
  socket.close();
  while ((await inFlight()) !== before);
});

test('what it refuses: unknown hosts, two hosts at once, and what the connection is restricted from', async () => {
  const { raw } = await sharedGateway();
  const socket = raw();
  const code = async (fields: object): Promise<unknown> => (await socket.request(fields)).header['code'];
  expect(await code({ cmd: 'text', id: 'z/a' })).toBe('host_unknown');
  expect(await code({ cmd: 'kill', id: ['x/a', 'y/a'] })).toBe('invalid_field');
  expect(await code({ cmd: 'text', id: 'x/a', host: 'y' })).toBe('invalid_field');
  expect(await code({ cmd: 'text', id: 'x/a/b' })).toBe('invalid_field');
  expect(await code({ cmd: 'events', since: 1 })).toBe('invalid_field');
  await socket.request({ cmd: 'restrict', reach: 'read' });
  expect(await code({ cmd: 'create', host: 'x', cmd_args: ['cat'] })).toBe('not_allowed');
  expect(await code({ cmd: 'shutdown' })).toBe('not_allowed');
});

test('a host that sends without end is cut off, and holds up neither memory nor other hosts', async () => {
  const fleet = testFleet();
  const endless = await fakeDaemon();
  const sound = await fakeDaemon();
  await fleet.output('hosts', 'add', 'endless', `unix:${endless.socketPath}`);
  await fleet.output('hosts', 'add', 'sound', `unix:${sound.socketPath}`);
  const socketPath = fleet.dir.join('fleet.sock');
  const server = streamCli(['fleet', '--socket', socketPath], { env: fleet.env, cwd: fleet.dir.path });
  onTestFinished(() => void server.process.kill('SIGTERM'));
  await server.line();
  const socket = new RawConnection(socketPath);
  onTestFinished(() => socket.close());
  const ask = async (host: string) => (await socket.request({ cmd: 'screenshot', host, id: 't1' })).header;
  // More than all replies may take, and half of what one line could.
  endless.answers.push((to, req) => void to.write(replyLine(req, { len: 500_000_000 })));
  expect(await ask('endless')).toMatchObject({
    ok: false,
    code: 'connection_lost',
    error: expect.stringContaining('no room') as string,
  });
  const piece = Buffer.alloc(1 << 20, ' ');
  endless.answers.push((to) => {
    const next = (): void => void (to.writable && to.write(piece, next));
    next();
  });
  expect(await ask('endless')).toMatchObject({ ok: false, code: 'connection_lost' });
  sound.answers.push(
    (to, req) => void to.write(Buffer.concat([Buffer.from(replyLine(req, { len: 3 })), Buffer.from('abc')])),
  );
  const picture = await socket.request({ cmd: 'screenshot', host: 'sound', id: 't1' });
  expect([picture.header, picture.bytes.toString()]).toEqual([expect.objectContaining({ ok: true }), 'abc']);
  expect(peakMemory(server.process.pid ?? 0)).toBeLessThan(400 << 20);
});

test('five hosts that announce 60 MiB each are beyond what all may have: one of them is cut off', async () => {
  const fleet = testFleet();
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of names) {
    const daemon = await fakeDaemon();
    daemon.answers.push((to, req) => void to.write(replyLine(req, { len: 60 << 20 })));
    await fleet.output('hosts', 'add', name, `unix:${daemon.socketPath}`);
  }
  const socketPath = fleet.dir.join('fleet.sock');
  const server = streamCli(['fleet', '--socket', socketPath], { env: fleet.env, cwd: fleet.dir.path });
  onTestFinished(() => void server.process.kill('SIGTERM'));
  await server.line();
  const answers = names.map(async (host) => {
    const socket = new RawConnection(socketPath);
    onTestFinished(() => socket.close());
    return (await socket.request({ cmd: 'screenshot', host, id: 't1' })).header;
  });
  // The others wait for the rest of theirs.
  expect(await Promise.race(answers)).toMatchObject({
    code: 'connection_lost',
    error: expect.stringContaining('no room') as string,
  });
});

/** Resident bytes at most, as Linux counts them; elsewhere 0. */
function peakMemory(pid: number): number {
  if (process.platform !== 'linux') return 0;
  return Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

test('a host that was taken out of the list is reached by no connection that was open, however many ask', async () => {
  const { raw, output, dir, env } = await gateway();
  const [asking, bound, following] = [raw(), raw(), raw()];
  await asking.request({ cmd: 'create', host: 'x', name: 'a', cmd_args: ['cat'] });
  // It has a connection to the host of its own.
  await bound.request({ cmd: 'restrict', reach: 'use' });
  expect((await bound.request({ cmd: 'type', id: 'x/a', text: 'b' })).header).toMatchObject({ ok: true });
  // A server of tools keeps its connection, too, and asks no gateway.
  const tools = await toolsOverMcp('2025-06-18', { args: ['--allow', 'use'], env, cwd: dir.path });
  let calls = 0;
  const byTools = async (): Promise<string> =>
    JSON.stringify(await tools('type', { id: 'x/a', text: 's' }, 6000 + ++calls));
  expect(await byTools()).toContain('"isError":false');
  following.write('{"cmd":"events","host":"x","ack":true}\n');
  expect((await following.reply()).header).toMatchObject({ ok: true });
  let isOver = false;
  const flood = (async () => {
    const answers: unknown[] = [];
    const socket = raw();
    while (!isOver) answers.push((await socket.request({ cmd: 'type', id: 'x/a', text: 'f' })).header['code']);
    return answers;
  })();
  await output('hosts', 'rm', '*');
  expect(await byTools()).toMatch(/connection_lost|host_unknown/);
  const type = async (socket: RawConnection): Promise<unknown> =>
    (await socket.request({ cmd: 'type', id: 'x/a', text: 't' })).header['code'];
  for (const socket of [asking, bound, raw()]) expect(await type(socket)).toMatch(/^(connection_lost|host_unknown)$/);
  await using far = await connect({ socketPath: dir.join('x', 't4a.sock'), autoStart: false });
  const { inputs } = await far.call('status', { id: 'a' });
  for (const socket of [asking, bound, asking, bound]) expect(await type(socket)).toBe('host_unknown');
  let line: Record<string, unknown> = {};
  while (line['event'] !== 'host') line = JSON.parse((await following.line()).toString()) as typeof line;
  expect(line).toMatchObject({ host: 'x', state: 'down' });
  isOver = true;
  expect((await flood).slice(-1)).toEqual(['host_unknown']);
  expect(await far.call('status', { id: 'a' })).toMatchObject({ inputs });
  await output('hosts', 'add', '*', `unix:${dir.path}/*/t4a.sock`);
  for (const socket of [asking, bound]) expect(await type(socket)).toBeUndefined();
});

test('a gateway that is stopped while a host is taken out of the list asks it nothing more once it goes on', async () => {
  const { raw, output, dir, server } = await gateway();
  const [bound, other] = [raw(), raw()];
  await bound.request({ cmd: 'create', host: 'x', name: 'a', cmd_args: ['cat'] });
  await bound.request({ cmd: 'restrict', reach: 'use' });
  for (const socket of [bound, other]) await socket.request({ cmd: 'type', id: 'x/a', text: 'b' });
  await using far = await connect({ socketPath: dir.join('x', 't4a.sock'), autoStart: false });
  const { inputs } = await far.call('status', { id: 'a' });
  const type = async (socket: RawConnection): Promise<unknown> =>
    (await socket.request({ cmd: 'type', id: 'x/a', text: 'late' })).header['code'];
  server.process.kill('SIGSTOP');
  let asked: Promise<unknown[]>;
  try {
    asked = Promise.all([bound, other].map(type));
    await output('hosts', 'rm', '*');
  } finally {
    server.process.kill('SIGCONT');
  }
  for (const code of await asked) expect(code).toMatch(/^(connection_lost|host_unknown)$/);
  expect(await far.call('status', { id: 'a' })).toMatchObject({ inputs });
});

test.each(['runs', 'is stopped'])(
  'once a host was taken out of the list no key is typed there that was asked for before, where the gateway %s',
  async (how) => {
    const { raw, output, dir, server } = await gateway();
    const file = dir.join('typed');
    const asking = raw();
    const script = `stty raw -echo; echo on; exec cat > ${file}`;
    const wait = { until: { text: 'on' } };
    await asking.request({ cmd: 'create', host: 'x', name: 'sink', cmd_args: ['sh', '-c', script], wait });
    const keys = Array.from({ length: 200 }, () => 'a');
    asking.write(`${JSON.stringify({ cmd: 'press', id: 'x/sink', keys, gap_ms: 450, req: 1 })}\n`);
    const typed = (): string => readFileSync(file, 'utf8');
    await expect.poll(typed).toContain('aa');
    if (how === 'is stopped') server.process.kill('SIGSTOP');
    try {
      await output('hosts', 'rm', '*');
      await using far = await connect({ socketPath: dir.join('x', 't4a.sock'), autoStart: false });
      await far.call('send', { id: 'sink', input: 'END' });
      await expect.poll(typed).toMatch(/^a{2,199}END$/);
    } finally {
      server.process.kill('SIGCONT');
    }
    const { header } = await asking.reply();
    expect(header['error']).toMatch(/Typed before: \d+ of 200 keys\.|What was done of the request before stays done\./);
  },
);

itNeeds('prlimit')(
  'a gateway without descriptors asks a host that was taken out of the list nothing more',
  async () => {
    const { raw, output, dir, server } = await gateway();
    const bound = raw();
    await bound.request({ cmd: 'create', host: 'x', name: 'a', cmd_args: ['cat'] });
    await bound.request({ cmd: 'restrict', reach: 'use' });
    await bound.request({ cmd: 'type', id: 'x/a', text: 'b' });
    await using far = await connect({ socketPath: dir.join('x', 't4a.sock'), autoStart: false });
    const { inputs } = await far.call('status', { id: 'a' });
    execFileSync('prlimit', ['--pid', String(server.process.pid), '--nofile=3:']);
    await output('hosts', 'rm', '*');
    const { header } = await bound.request({ cmd: 'type', id: 'x/a', text: 'late' });
    expect(header['code']).toMatch(/^(connection_lost|host_unknown)$/);
    expect(await far.call('status', { id: 'a' })).toMatchObject({ inputs });
    execFileSync('prlimit', ['--pid', String(server.process.pid), '--nofile=1024:']);
  },
);

test('it ends with shutdown, and no terminal ends with it; with a host, the daemon of that host does', async () => {
  const { raw, output, server, t4a } = await gateway();
  const socket = raw();
  await socket.request({ cmd: 'create', host: 'x', name: 'a', cmd_args: ['cat'] });
  await socket.request({ cmd: 'shutdown', host: 'y' });
  expect((await t4a(['list', '--on', 'y'])).stderr).toContain('There is no host "y"');
  await socket.request({ cmd: 'shutdown' });
  expect((await server.ended()).status).toBe(0);
  expect(await output('list', '--on', 'x')).toContain('cat');
});
