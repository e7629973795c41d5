/** Clients of each kind go on over a real `replace`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { connect, type Client } from '../../src/client/client.js';
import { CLI, runCli, streamCli } from '../support/cli.js';
import { request, startDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { RawConnection } from '../support/raw.js';
import { replaceable, underWay } from '../support/replaceable.js';

async function clientOf(socketPath: string): Promise<Client> {
  const client = await connect({ socketPath, autoStart: false });
  onTestFinished(() => client.close());
  return client;
}

it('a wait, a look at changes and a read of output go on, with the rest of their deadlines', async () => {
  const { ask, daemon } = await replaceable();
  const client = await clientOf(daemon.socketPath);
  const { id } = await client.call('create', { cmd_args: ['sh', '-c', 'read x; echo got $x; exec cat'] });
  await client.call('wait', { id, until: { awaiting_input: true } });
  const frame = await client.call('watch', { id });
  const { output_bytes: since } = await client.call('status', { id });
  const text = client.call('wait', { id, until: { text: 'got it' }, timeout_ms: 30_000 });
  const bell = client.call('wait', { id, until: { event: 'bell' }, timeout_ms: 30_000 });
  const seen = client.call('watch', { id, since: frame.rev, state: frame.state, timeout_ms: 30_000 });
  const output = client.call('output', { id, since, wait_ms: 30_000 });
  await underWay({ ask }, 4);
  expect(await ask({ cmd: 'replace' })).toMatchObject({ ok: true });
  // The new daemon numbers states anew.
  expect(await seen).toMatchObject({ rev: frame.rev });
  await underWay({ ask }, 3);
  await client.call('type', { id, text: 'it', submit: true });
  expect(await text).toMatchObject({ outcome: 'matched' });
  expect((await output).bytes?.length).toBeGreaterThan(0);
  await client.call('send', { id, input: '\u0007' });
  await client.call('press', { id, keys: ['Enter'] });
  expect(await bell).toMatchObject({ outcome: 'matched' });
});

it('who asks a person has the answer that is given behind a replacement', async () => {
  const { ask, daemon } = await replaceable();
  const client = await connect({ socketPath: daemon.socketPath, autoStart: false, as: 'bob' });
  onTestFinished(() => client.close());
  const asked = client.call('ask', { question: 'Deploy?', kind: 'confirm' });
  await underWay({ ask }, 1);
  await ask({ cmd: 'replace' });
  await ask({ cmd: 'replace' });
  expect(await ask({ cmd: 'answer', ask: 1, text: 'yes', as: 'eve' })).toMatchObject({ ok: true });
  expect(await asked).toMatchObject({ ask: 1, outcome: 'answered', answer: true });
});

it('the error of what was broken off says what goes on, and that of what had not begun that it acted not', async () => {
  const { ask, daemon } = await replaceable();
  const { id } = await ask({ cmd: 'create', cmd_args: ['cat'] });
  const raw = new RawConnection(daemon.socketPath);
  onTestFinished(() => raw.close());
  const wait = { cmd: 'wait', id, until: { text: 'never' }, timeout_ms: 60_000 };
  const waiting = raw.request({ ...wait, req: 1 });
  await underWay({ ask }, 1);
  const streaming = new RawConnection(daemon.socketPath);
  onTestFinished(() => streaming.close());
  expect((await streaming.request({ cmd: 'events', ack: true, types: ['removed'] })).header).toMatchObject({
    ok: true,
  });
  await ask({ cmd: 'replace' });
  const { header } = await waiting;
  expect(header).toMatchObject({
    ok: false,
    code: 'replaced',
    acted: false,
    resume: { cmd: 'wait', id, until: [wait.until] },
  });
  const { timeout_ms: left } = header['resume'] as { readonly timeout_ms: number };
  expect(left).toBeLessThan(60_000);
  expect(left).toBeGreaterThan(0);
  // In place of the close alone, so that what was sent behind it may be sent again.
  for (const connection of [raw, streaming])
    expect((await connection.reply()).header).toMatchObject({ ok: false, code: 'replaced', acted: false });
});

it('calls that are made all the time are each answered once, over several replacements, and no input is lost or doubled', async () => {
  const { ask, daemon } = await replaceable();
  const client = await clientOf(daemon.socketPath);
  const { instance } = client.daemon;
  const script = 'stty -echo; while read -r x; do echo "<$x>"; done';
  const { id } = await client.call('create', { cmd_args: ['sh', '-c', script], scrollback: 5000 });
  await client.call('wait', { id, until: { awaiting_input: true } });
  let isOver = false;
  let typed = 0;
  const typing = (async () => {
    for (; !isOver; typed++) await client.call('send', { id, input: `${typed}\r` });
  })();
  for (let count = 0; count < 3; count++) expect(await ask({ cmd: 'replace' })).toMatchObject({ ok: true });
  isOver = true;
  await typing;
  await client.call('wait', { id, until: { text: `<${typed - 1}>` } });
  const { lines } = await client.call('text', { id, region: 'all', trim: true });
  expect(lines.filter((line) => line !== '')).toEqual(Array.from({ length: typed }, (_, at) => `<${at}>`));
  expect(client.daemon).toMatchObject({ instance });
});

it('an act that waits is done once, and its wait goes on', async () => {
  const { ask, daemon } = await replaceable();
  const client = await clientOf(daemon.socketPath);
  const { id } = await client.call('create', {
    cmd_args: ['sh', '-c', 'read x; echo got $x; read y; echo $y; exec cat'],
  });
  const acted = client.call('type', {
    id,
    text: 'once',
    submit: true,
    wait: { until: { text: 'twice' } },
    observe: { text: true },
  });
  await ask({ cmd: 'wait', id, until: { text: 'got once' } });
  await underWay({ ask }, 1);
  await ask({ cmd: 'replace' });
  await underWay({ ask }, 1);
  await ask({ cmd: 'type', id, text: 'twice', submit: true });
  const reply = await acted;
  expect(reply).toMatchObject({ wait: { outcome: 'matched' } });
  expect(reply.observed?.lines?.filter((line) => line.includes('got once'))).toHaveLength(1);
  expect(reply.observed).not.toHaveProperty('code');
});

it('a new terminal whose first screen is awaited is there', async () => {
  const { ask, daemon } = await replaceable();
  const client = await clientOf(daemon.socketPath);
  const making = client.call('create', {
    name: 'made',
    cmd_args: ['sh', '-c', 'read x; echo ready; exec cat'],
    wait: { until: { text: 'ready' } },
  });
  await underWay({ ask }, 1);
  await ask({ cmd: 'replace' });
  await underWay({ ask }, 1);
  await ask({ cmd: 'press', id: 'made', keys: ['Enter'] });
  const made = await making;
  expect(made.wait).toMatchObject({ outcome: 'matched' });
  expect(await ask({ cmd: 'status', id: 'made' })).toMatchObject({ alive: true, pid: made.pid });
});

it('a stream of events has each number once, over several replacements', async () => {
  const { ask, daemon } = await replaceable();
  const client = await clientOf(daemon.socketPath);
  const { id } = await client.call('create', { cmd_args: ['cat'] });
  const stream = client.events({ since: 0 });
  const ofTerminal = client.events({ terminal: id, types: ['bell'] });
  const base = await stream.subscribed;
  await ofTerminal.subscribed;
  for (let count = 0; count < 3; count++) {
    await ask({ cmd: 'publish', name: 'before' });
    expect(await ask({ cmd: 'replace' })).toMatchObject({ ok: true });
    await ask({ cmd: 'publish', name: 'after' });
  }
  await ask({ cmd: 'send', id, input: '\u0007' });
  await ask({ cmd: 'press', id, keys: ['Enter'] });
  for await (const { event } of ofTerminal) if (event === 'bell') break;
  await ask({ cmd: 'publish', name: 'last' });
  const seqs: number[] = [];
  const names: string[] = [];
  for await (const line of stream) {
    if ('seq' in line) seqs.push(line.seq);
    if (line.event === 'published') names.push(line.name);
    if (names.at(-1) === 'last') break;
  }
  expect(seqs).toEqual(seqs.map((_, at) => at + 1));
  expect(seqs.length).toBeGreaterThan(base);
  expect(names).toEqual(['before', 'after', 'before', 'after', 'before', 'after', 'last']);
});

it('commands of the command line go on: a wait, events, a run in a new terminal with all of its output and its status', async () => {
  const { ask, daemon } = await replaceable();
  const { id } = await ask({
    cmd: 'create',
    cwd: daemon.dir,
    cmd_args: ['sh', '-c', 'while [ ! -e end ]; do sleep 0.05; done; exit 5'],
  });
  const cli = { socketPath: daemon.socketPath };
  const waiting = runCli(['wait', String(id), '--exit', '--timeout', '60000'], cli);
  const script = 'echo begun; seq 1 3000; while [ ! -e go ]; do sleep 0.05; done; seq 3001 6000; exit 7';
  const running = runCli(['run', '--cwd', daemon.dir, '--', 'sh', '-c', script], cli);
  const asJson = runCli(['run', '--json', '--cwd', daemon.dir, '--', 'sh', '-c', script], cli);
  const events = streamCli(['events', '--types', 'published'], cli);
  const following = streamCli(['output', String(id), '--follow'], cli);
  await underWay({ ask }, 6);
  await expect
    .poll(async () => ((await ask({ cmd: 'stats' }))['events'] as { subscriptions: number }).subscriptions)
    .toBe(1);
  for (let count = 1; count <= 2; count++) {
    expect(await ask({ cmd: 'replace' })).toMatchObject({ ok: true });
    await underWay({ ask }, 6);
    await ask({ cmd: 'publish', name: `n${count}` });
    expect(JSON.parse(await events.line())).toMatchObject({ name: `n${count}` });
  }
  writeFileSync(path.join(daemon.dir, 'go'), '');
  const lines = ['begun', ...Array.from({ length: 6000 }, (_, at) => String(at + 1))];
  expect(await running).toMatchObject({ status: 7, stdout: `${lines.join('\n')}\n` });
  const { status, stdout } = await asJson;
  expect(status).toBe(7);
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'exited', exit_code: 7, kept: false });
  writeFileSync(path.join(daemon.dir, 'end'), '');
  expect(await waiting).toMatchObject({ status: 5 });
  expect(await following.ended()).toMatchObject({ status: 0 });
  expect(await ask({ cmd: 'list' })).toMatchObject({ terminals: [{ id }] });
});

it('several runs of the command line that print go on over replacements, with all of their output', async () => {
  const { ask, daemon } = await replaceable();
  const script =
    'i=0; while [ $i -lt 120 ] || [ ! -e go ]; do echo $i; i=$((i+1)); sleep 0.05; done; echo over; exit 7';
  const runs = Array.from({ length: 6 }, () =>
    runCli(['run', '--cwd', daemon.dir, '--', 'sh', '-c', script], { socketPath: daemon.socketPath }),
  );
  await expect.poll(async () => ((await ask({ cmd: 'list' }))['terminals'] as unknown[]).length).toBe(6);
  for (let count = 0; count < 4; count++) expect(await ask({ cmd: 'replace' })).toMatchObject({ ok: true });
  writeFileSync(path.join(daemon.dir, 'go'), '');
  for (const { status, stdout } of await Promise.all(runs)) {
    const lines = stdout.split('\n').slice(0, -1);
    expect([status, lines.at(-1)]).toEqual([7, 'over']);
    expect(lines.slice(0, -1)).toEqual(lines.slice(0, -1).map((_, at) => String(at)));
  }
});

it('a person who is attached sees and types as before', async () => {
  const { ask, daemon } = await replaceable();
  const { id } = await ask({ cmd: 'create', cmd_args: ['sh', '-c', 'echo hello; read x; echo got $x; exec cat'] });
  const rig = await startDaemon();
  onTestFinished(() => rig.stop());
  const see = (fields: object): Promise<Record<string, unknown>> => request(rig, fields);
  const argv = [process.execPath, CLI, '--socket', daemon.socketPath, 'attach', String(id)];
  await see({ cmd: 'create', name: 'seat', cmd_args: argv });
  expect(await see({ cmd: 'wait', id: 'seat', until: { text: 'hello' } })).toMatchObject({ outcome: 'matched' });
  for (let count = 1; count <= 2; count++) expect(await ask({ cmd: 'replace' })).toMatchObject({ ok: true });
  await see({ cmd: 'type', id: 'seat', text: 'typed', submit: true });
  expect(await ask({ cmd: 'wait', id, until: { text: 'got typed' } })).toMatchObject({ outcome: 'matched' });
  expect(await see({ cmd: 'wait', id: 'seat', until: { text: 'got typed' } })).toMatchObject({ outcome: 'matched' });
});

const PYTHON = `
import asyncio, sys, threading, t4a
path = sys.argv[1]
async def waits():
    client = await t4a.async_connect(path)
    wait = asyncio.ensure_future(client.call("wait", id="p", until={"text": "got it"}))
    events = await client.events(types=["published"])
    print("ready", flush=True)
    names = []
    async for event in events:
        names.append(event["name"])
        if event["name"] == "last":
            break
    print((await wait)["outcome"], names, client.daemon_instance is not None, flush=True)
    await client.close()
client = t4a.connect(path)
terminal = t4a.Terminal(client, "p", client.call("status", id="p")["pid"])
results = []
def typed():
    results.append(terminal.call("type", text="it", wait={"until": {"text": "the end"}})["wait"]["outcome"])
thread = threading.Thread(target=typed)
thread.start()
asyncio.run(waits())
thread.join()
print(results, terminal.call("status")["alive"], flush=True)
`;

itNeeds('python3')('the Python client goes on: a wait, an act that waits, a terminal, events', async () => {
  const { ask, daemon } = await replaceable();
  await ask({
    cmd: 'create',
    name: 'p',
    cmd_args: ['sh', '-c', 'read x; echo got $x; read y; echo the end; exec cat'],
  });
  const child = spawn('python3', ['-B', '-c', PYTHON, daemon.socketPath], {
    env: { ...process.env, PYTHONPATH: fileURLToPath(new URL('../../clients/python/', import.meta.url)) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await underWay({ ask }, 2);
  await expect.poll(() => said).toBe('ready\n');
  for (let count = 1; count <= 2; count++) {
    expect(await ask({ cmd: 'replace' })).toMatchObject({ ok: true });
    await underWay({ ask }, 2);
    await ask({ cmd: 'publish', name: `n${count}` });
  }
  await ask({ cmd: 'press', id: 'p', keys: ['Enter'] });
  await ask({ cmd: 'wait', id: 'p', until: { text: 'got it' } });
  await ask({ cmd: 'press', id: 'p', keys: ['Enter'] });
  await ask({ cmd: 'publish', name: 'last' });
  await once(child, 'close');
  expect(said).toBe("ready\nmatched ['n1', 'n2', 'last'] True\n['matched'] True\n");
});

it('no terminal but that of a run that was under way goes on as one', async () => {
  const { ask } = await replaceable();
  const { id } = await ask({ cmd: 'create', cmd_args: ['cat'] });
  await ask({ cmd: 'replace' });
  const resume = { id, elapsed_ms: 1 };
  expect(await ask({ cmd: 'run', resume, timeout_ms: 1 })).toMatchObject({ ok: false, code: 'run_not_found' });
  expect(await ask({ cmd: 'status', id })).toMatchObject({ ok: true, alive: true });
});

it('a run goes on neither as another command, nor for another name while one has control', async () => {
  const { ask, daemon } = await replaceable();
  const runner = new RawConnection(daemon.socketPath);
  const running = runner.request({ cmd: 'run', as: 'ann', cmd_args: ['sleep', '600'], timeout_ms: 600_000 });
  await expect.poll(async () => ((await ask({ cmd: 'list' }))['terminals'] as unknown[]).length).toBe(1);
  const [{ id }] = (await ask({ cmd: 'list' }))['terminals'] as [{ id: string }];
  await ask({ cmd: 'control', id, action: 'take', as: 'eve', person: true });
  expect(await ask({ cmd: 'replace' })).toMatchObject({ ok: true });
  const { resume } = (await running).header as { resume: object };
  expect(resume).toMatchObject({ cmd: 'run', resume: { id } });
  const changed = { ...resume, timeout_ms: 1, on_timeout: 'end', keep: false };
  for (const by of [{}, { as: 'bob' }]) {
    expect(await ask({ ...changed, ...by })).toMatchObject({ ok: false, code: 'control_held' });
  }
  for (const field of [{ command: 'id' }, { cmd_args: ['id'] }, { id }]) {
    const refusal = await ask({ ...changed, ...field, as: 'ann' });
    expect(refusal).toMatchObject({ ok: false, code: 'invalid_field', field: Object.keys(field)[0] });
  }
  const below = new RawConnection(daemon.socketPath);
  await below.request({ cmd: 'restrict', reach: 'use' });
  expect((await below.request({ ...changed, as: 'ann' })).header).toMatchObject({ code: 'not_allowed' });
  expect(await ask({ cmd: 'status', id })).toMatchObject({ alive: true, control: { as: 'eve' } });
  const goesOn = { ...changed, on_timeout: 'keep', keep: true, as: 'ann' };
  expect(await ask(goesOn)).toMatchObject({ ok: true, id, outcome: 'timeout', kept: true });
  expect(await ask(goesOn)).toMatchObject({ ok: false, code: 'run_not_found' });
  for (const one of [runner, below]) one.close();
});
