/** Doors other than the library go on over a real `replace`: each is used before it, across it and after it. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { browserOfFile, DESK, openedAt, rowWith } from '../page/browser.js';
import { CLI, streamCli } from '../support/cli.js';
import { testFleet, type TestFleet } from '../support/fleet.js';
import { type Message, vtr } from '../support/grpc.js';
import { interminai } from '../support/interminai.js';
import { endHost, endOf, itHasNative, runWay, startHost, startWay } from '../support/native.js';
import { joined, natsServer } from '../support/nats.js';
import { itNeeds } from '../support/programs.js';
import { RawConnection } from '../support/raw.js';
import { replaceable, type Replaceable, underWay } from '../support/replaceable.js';
import { REVISIONS } from '../support/rights.js';
import { tmuxOf } from '../support/tmux.js';
import { linesOf, toolsOverMcp } from '../support/tool-doors.js';
import { servedFor } from '../web/served.js';

/** Prints each line that it reads, with its number: what is typed twice, or not at all, is seen. */
const NUMBERED = 'stty -echo; n=0; echo begun; while read -r x; do n=$((n+1)); echo "$n <$x>"; done';

async function numbering(): Promise<Replaceable> {
  const over = await replaceable();
  await over.ask({ cmd: 'create', name: 'n', cmd_args: ['sh', '-c', NUMBERED] });
  await over.ask({ cmd: 'wait', id: 'n', until: { text: 'begun' } });
  return over;
}

/** All that the program has printed, once that is there. */
async function printed({ ask }: Replaceable, last: string): Promise<readonly string[]> {
  expect(await ask({ cmd: 'wait', id: 'n', until: { text: last } })).toMatchObject({ outcome: 'matched' });
  const { lines } = await ask({ cmd: 'text', id: 'n', trim: true });
  return (lines as string[]).filter((line) => line !== '');
}

describe('the page in a browser', () => {
  browserOfFile();

  itNeeds('chromium')('shows the same screen, and what is typed arrives once', async () => {
    const over = await numbering();
    const { link } = await servedFor(['--socket', over.daemon.socketPath]);
    const { page } = await openedAt(link, DESK);
    await rowWith(page, 'begun').waitFor();
    // The live view asks for the next frame.
    await underWay(over, 1);
    for (let count = 1; count <= 3; count++) {
      await page.keyboard.type('a\n');
      await rowWith(page, `${count} <a>`).waitFor();
      await over.replace();
      await underWay(over, 1);
    }
    expect(await printed(over, '3 <a>')).toEqual(['begun', '1 <a>', '2 <a>', '3 <a>']);
    expect(await rowWith(page, 'begun').isVisible()).toBe(true);
  });
});

it('the MCP server ends a wait that was under way, and the next call is of the same terminals', async () => {
  const over = await numbering();
  for (const [at, revision] of [REVISIONS[0], REVISIONS.at(-1) ?? ''].entries()) {
    const call = await toolsOverMcp(revision, { args: ['--socket', over.daemon.socketPath] });
    expect(JSON.stringify(await call('text', { id: 'n' }, 1))).toContain('begun');
    const waited = call('wait', { id: 'n', for: `<${revision}>` }, 2);
    await underWay(over, 1);
    await over.replace();
    await underWay(over, 1);
    const typed = JSON.stringify(await call('type', { id: 'n', text: revision, submit: true }, 3));
    expect(typed).not.toContain('are gone');
    const answer = JSON.stringify(await waited);
    expect(answer).toContain('matched');
    expect(answer).not.toContain('"isError":true');
    expect(await printed(over, `<${revision}>`)).toHaveLength(at + 2);
  }
});

it('the server of tools does, too', async () => {
  const over = await numbering();
  const args = [CLI, 'tools', '--serve', '--json', '--socket', over.daemon.socketPath];
  const ask = linesOf({ args });
  const call = (name: string, input: object, req: number): Promise<unknown> =>
    ask(req, JSON.stringify({ name, input, req }));
  expect(JSON.stringify(await call('text', { id: 'n' }, 1))).toContain('begun');
  const waited = call('wait', { id: 'n', for: '<it>' }, 2);
  await underWay(over, 1);
  await over.replace();
  await underWay(over, 1);
  await call('type', { id: 'n', text: 'it', submit: true }, 3);
  expect(JSON.stringify(await waited)).toContain('matched');
  expect(await printed(over, '<it>')).toEqual(['begun', '1 <it>']);
});

it('the gRPC server: calls, a wait and a stream of raw output without a gap', async () => {
  const over = await replaceable();
  const { call, subscribe } = await vtr(over.daemon.socketPath);
  await call('Spawn', { name: 'n', command: `${NUMBERED}; exit 3` });
  await over.ask({ cmd: 'wait', id: 'n', until: { text: 'begun' } });
  const waited = call('WaitFor', { name: 'n', pattern: '<three>', timeout: { seconds: 30 } });
  const events: Message[] = [];
  const stream = (async () => {
    for await (const event of subscribe({ name: 'n', include_raw_output: true })) events.push(event);
  })();
  await expect.poll(() => events.length).toBe(1);
  for (const text of ['one', 'two', 'three']) {
    await over.replace();
    await call('SendText', { name: 'n', text: `${text}\n` });
  }
  expect(await waited).toMatchObject({ matched: true });
  await call('SendKey', { name: 'n', key: 'ctrl+d' });
  await stream;
  const raw = Buffer.concat(events.slice(1, -1).map((event) => event['raw_output'] as Buffer)).toString();
  expect(raw).toBe('1 <one>\r\n2 <two>\r\n3 <three>\r\n');
  expect(events.at(-1)).toMatchObject({ event: 'session_exited', session_exited: { exit_code: 3 } });
});

it('the socket of interminai: requests, and one that waits', async () => {
  const over = await replaceable();
  const { ask, askUntil, server } = await interminai(over.daemon.socketPath, '--', 'sh', '-c', NUMBERED);
  await askUntil({ type: 'OUTPUT' }, (reply) => reply.includes('begun'));
  for (const text of ['one', 'two']) {
    await over.replace();
    expect(await ask({ type: 'INPUT', data: `${text}\n` })).toContain('"ok"');
  }
  const reply = await askUntil({ type: 'OUTPUT' }, (each) => each.includes('<two>'));
  expect(reply).toContain('1 <one>');
  // A WAIT holds up all later requests.
  const waited = ask({ type: 'WAIT' });
  const { terminals } = await over.ask({ cmd: 'list' });
  const [id] = (terminals as { id: string }[]).map((each) => each.id);
  await over.replace();
  await over.ask({ cmd: 'press', id, keys: ['ctrl+d'] });
  expect(await waited).toContain('"exit_code":0');
  expect(server.process.exitCode).toBe(null);
});

/** A host behind a program that stands for ssh. */
async function farHost(over: Replaceable): Promise<TestFleet> {
  const fleet = testFleet();
  fleet.standIn('ssh', over.daemon.socketPath);
  await fleet.output('hosts', 'add', 'far', 'ssh://far');
  return fleet;
}

it('a command of another host: a wait and a stream of events', async () => {
  const over = await numbering();
  const { env, dir, t4a, output } = await farHost(over);
  const waiting = t4a(['--on', 'far', 'wait', 'n', '--text', '<two>']);
  const events = streamCli(['--on', 'far', 'events', '--types', 'published'], { env, cwd: dir.path });
  await underWay(over, 1);
  await expect
    .poll(async () => ((await over.ask({ cmd: 'stats' }))['events'] as { subscriptions: number }).subscriptions)
    .toBe(1);
  for (const text of ['one', 'two']) {
    await over.replace();
    await over.ask({ cmd: 'publish', name: text });
    await output('--on', 'far', 'type', '--submit', 'n', text);
    let line = await events.line();
    while (!line.includes('published')) line = await events.line();
    expect(JSON.parse(line)).toMatchObject({ name: text });
  }
  expect(await waiting).toMatchObject({ status: 0 });
  expect(await printed(over, '<two>')).toEqual(['begun', '1 <one>', '2 <two>']);
});

it('a gateway: a wait on its socket, requests, and the events of its hosts', async () => {
  const over = await numbering();
  const { env, dir } = await farHost(over);
  const socketPath = dir.join('fleet.sock');
  const server = streamCli(['fleet', '--socket', socketPath], { env, cwd: dir.path });
  onTestFinished(() => void server.process.kill('SIGTERM'));
  await server.line();
  const raw = (): RawConnection => {
    const connection = new RawConnection(socketPath);
    onTestFinished(() => connection.close());
    return connection;
  };
  const events = raw();
  await events.request({ cmd: 'events', ack: true, types: ['published'], host: 'far' });
  const waited = raw().request({ cmd: 'wait', id: 'far/n', until: { text: '<two>' } });
  const requests = raw();
  await underWay(over, 1);
  const seen: Message[] = [];
  for (const text of ['one', 'two']) {
    await over.replace();
    await over.ask({ cmd: 'publish', name: text });
    const typed = await requests.request({ cmd: 'type', id: 'far/n', text, submit: true });
    expect(typed.header).toMatchObject({ ok: true });
    while (seen.at(-1)?.['name'] !== text) seen.push((await events.reply()).header);
  }
  expect((await waited).header).toMatchObject({ ok: true, outcome: 'matched' });
  expect(seen.filter(({ state }) => state === 'down' || state === 'restarted')).toEqual([]);
  expect(await printed(over, '<two>')).toEqual(['begun', '1 <one>', '2 <two>']);
});

itNeeds('nats-server')('the agent of a fleet over NATS stays in it', async () => {
  const over = await numbering();
  const fleet = testFleet();
  const nats = await natsServer();
  const agent = await joined(fleet, over.daemon.socketPath, [`${nats.url}/farm`, '--name', 'far', '--allow', 'create']);
  await fleet.output('hosts', 'add', `${nats.url}/farm/far`);
  const waiting = fleet.t4a(['--on', 'far', 'wait', 'n', '--text', '<two>']);
  await underWay(over, 1);
  for (const text of ['one', 'two']) {
    await over.replace();
    await fleet.output('--on', 'far', 'type', '--submit', 'n', text);
  }
  expect(await waiting).toMatchObject({ status: 0 });
  expect(await printed(over, '<two>')).toEqual(['begun', '1 <one>', '2 <two>']);
  expect(agent.process.exitCode).toBe(null);
});

itHasNative('the native client and the host beside it: a wait under way, and the next calls', async () => {
  const over = await numbering();
  const env = { T4A_SOCKET: over.daemon.socketPath };
  const host = await startHost(over.daemon.socketPath, env);
  onTestFinished(() => endHost(host));
  expect(await runWay('native', ['text', 'n'], { env })).toMatchObject({ status: 0, stdout: Buffer.from('begun\n') });
  const waiting = endOf(startWay('native', ['wait', 'n', '--text', '<two>'], { env }));
  await underWay(over, 1);
  for (const text of ['one', 'two']) {
    await over.replace();
    expect(await runWay('native', ['type', '--submit', 'n', text], { env })).toMatchObject({ status: 0 });
  }
  expect(await waiting).toMatchObject({ status: 0 });
  expect(await printed(over, '<two>')).toEqual(['begun', '1 <one>', '2 <two>']);
});

it('the tmux door: sessions, panes and what is waited for', async () => {
  const over = await replaceable();
  const tmux = tmuxOf(undefined, { T4A_SOCKET: over.daemon.socketPath });
  expect(await tmux('new-session', '-d', '-s', 'work', NUMBERED)).toMatchObject({ status: 0 });
  const waited = tmux('wait-for', 'end');
  for (const text of ['one', 'two']) {
    await over.replace();
    expect(await tmux('send-keys', '-t', 'work', text, 'Enter')).toMatchObject({ status: 0, stderr: '' });
  }
  await expect
    .poll(async () => (await tmux('capture-pane', '-p', '-t', 'work')).stdout.trim())
    .toBe('begun\n1 <one>\n2 <two>');
  expect(await tmux('list-sessions')).toMatchObject({ stdout: expect.stringMatching(/^work: 1 windows/) });
  expect(await tmux('wait-for', '-S', 'end')).toMatchObject({ status: 0 });
  expect(await waited).toMatchObject({ status: 0, stderr: '' });
});

it('the wire over standard streams answers what it has begun, and ends, so that the far side comes again', async () => {
  const over = await numbering();
  const ask = linesOf({ args: [CLI, 'stdio', '--socket', over.daemon.socketPath] });
  const waited = ask(1, JSON.stringify({ cmd: 'wait', id: 'n', until: { text: 'never' }, req: 1 }));
  await underWay(over, 1);
  await over.replace();
  expect(await waited).toMatchObject({ ok: false, code: 'replaced', acted: false, resume: { cmd: 'wait', id: 'n' } });
});
