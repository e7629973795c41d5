/** Processes, files and handles after the end of a daemon, of its terminals, and after defects. Reads /proc. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DIST, request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { isRunning } from '../support/processes.js';
import { RawConnection } from '../support/raw.js';
import { tempDir } from '../support/temp-dir.js';

/** With a job in the background, one that ignores the hang-up, and one in a process group of its own. */
const FAMILY = [
  'sh',
  '-c',
  'set -m; sleep 1000 & (trap "" HUP; exec sleep 1000) & nohup sleep 1000 > /dev/null & wait',
];

/** The files of the daemon: of its folder all but `.local`, the data folder of its home, which the fixture makes. */
const filesOf = ({ dir }: TestDaemon): string[] =>
  readdirSync(dir)
    .filter((name) => name !== '.local')
    .toSorted();

async function daemonWithFamily(): Promise<{ daemon: TestDaemon; pids: number[] }> {
  const daemon = await startDaemon();
  const { pid } = (await request(daemon, { cmd: 'create', cmd_args: FAMILY })) as { pid: number };
  const connection = new RawConnection(daemon.socketPath);
  const members = (): number[] => sessionOf(pid);
  // Each answer is a turn of the daemon's; the family is complete when the shell has started its three.
  while (members().length < 4) await connection.request({ cmd: 'ping' });
  connection.close();
  return { daemon, pids: members() };
}

describe('a signal to the daemon', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s ends it and all processes of its terminals', async (signal) => {
    const { daemon, pids } = await daemonWithFamily();
    const exit = once(daemon.process, 'exit');
    daemon.process.kill(signal);
    expect((await exit)[0]).toBe(0);
    expect(pids.filter(isRunning)).toEqual([]);
    expect(filesOf(daemon)).toEqual([]);
    await daemon.stop();
  });

  it('right after it takes its lock leaves neither lock nor socket behind', async () => {
    const { path: dir } = tempDir();
    const planted = path.join(dir, 'planted.cjs');
    writeFileSync(
      planted,
      `const fs = require('node:fs'), { linkSync } = fs;
       fs.linkSync = (...args) => { linkSync(...args); process.kill(process.pid, 'SIGTERM'); };
       require('node:module').syncBuiltinESMExports();`,
    );
    const { path: place } = tempDir();
    const early = spawn(
      process.execPath,
      ['--require', planted, path.join(DIST, 'daemon.cjs'), '--socket', `${place}/s`],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let log = '';
    early.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
    expect(await once(early, 'close')).toEqual([0, null]);
    expect(log).toContain('SIGTERM: ending 0 terminals');
    expect(readdirSync(place)).toEqual([]);
  });

  it('that stops it for a while loses no request', async () => {
    const daemon = await startDaemon();
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['cat'] });
    daemon.process.kill('SIGSTOP');
    const answer = request(daemon, { cmd: 'send', id, input: 'typed meanwhile\r' });
    daemon.process.kill('SIGCONT');
    expect(await answer).toEqual({ ok: true });
    const wait = { cmd: 'wait', id, until: { text: 'typed meanwhile' } };
    expect(await request(daemon, wait)).toMatchObject({ outcome: 'matched' });
    await daemon.stop();
  });
});

describe('a daemon that was killed', () => {
  it('ends with the programs that obey the hang-up; the next one reports its pid and the survivors', async () => {
    const { daemon, pids } = await daemonWithFamily();
    const exit = once(daemon.process, 'exit');
    const killedPid = daemon.process.pid;
    daemon.process.kill('SIGKILL');
    await exit;
    onTestFinished(() => pids.filter(isRunning).forEach((pid) => process.kill(pid, 'SIGKILL')));
    const next = spawn(process.execPath, [path.join(DIST, 'daemon.cjs'), '--socket', daemon.socketPath], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(() => void next.kill('SIGKILL'));
    const log = await logUntil(next, 'did not shut down');
    const { predecessor } = (await request(daemon, { cmd: 'stats' })) as {
      predecessor: { pid: number; survivors: number[] };
    };
    expect(predecessor.pid).toBe(killedPid);
    const left = pids.filter(isRunning);
    expect(left.length).toBeLessThan(pids.length);
    expect(predecessor.survivors).toEqual(expect.arrayContaining(left));
    expect(log).toContain(`(pid ${killedPid}) did not shut down`);
    const nextExit = once(next, 'exit');
    next.kill('SIGTERM');
    await nextExit;
    expect(filesOf(daemon)).toEqual([]);
    await daemon.stop();
  });

  it('leaves files that the next one removes', async () => {
    const daemon = await startDaemon();
    const exit = once(daemon.process, 'exit');
    const dead = daemon.process.pid;
    daemon.process.kill('SIGKILL');
    await exit;
    const half = `${daemon.socketPath}.lock.0123456789abcdef.tmp`;
    writeFileSync(half, `{"pid":${dead},"started":null,"nonce":"x"}\n`);
    writeFileSync(`${daemon.socketPath}.start`, String(dead));
    writeFileSync(`${daemon.socketPath}.lock.of-the-living`, `{"pid":${process.pid}}`);
    const next = spawn(process.execPath, [path.join(DIST, 'daemon.cjs'), '--socket', daemon.socketPath], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await logUntil(next, 'listens on');
    expect(filesOf(daemon)).toEqual(['s', 's.lock', 's.lock.of-the-living']);
    const nextExit = once(next, 'exit');
    next.kill('SIGTERM');
    await nextExit;
    await daemon.stop();
  });
});

describe('terminals that come and go', () => {
  it('leave no descriptor, no zombie and no process', async () => {
    const daemon = await startDaemon();
    const pid = daemon.process.pid ?? -1;
    const connection = new RawConnection(daemon.socketPath);
    const cycle = async (): Promise<void> => {
      const { header } = await connection.request({ cmd: 'create', cmd_args: ['sh', '-c', 'sleep 1000 & exec cat'] });
      await connection.request({ cmd: 'wait', id: header['id'], until: { awaiting_input: true }, timeout_ms: 2000 });
      await connection.request({ cmd: 'run', cmd_args: ['true'] });
      await connection.request({ cmd: 'kill', id: header['id'] });
    };
    await cycle();
    const before = { descriptors: readdirSync(`/proc/${pid}/fd`).length, children: childrenOf(pid).length };
    // Not one may be left, so that a few show it.
    for (let i = 0; i < 8; i++) await cycle();
    expect(readdirSync(`/proc/${pid}/fd`).length).toBe(before.descriptors);
    expect(childrenOf(pid).length).toBe(before.children);
    expect(childrenOf(pid).filter((child) => !isRunning(child))).toEqual([]);
    const { header } = await connection.request({ cmd: 'stats' });
    expect(header).toMatchObject({ terminals: { total: 0, running: 0 }, faults: 0, events: { subscriptions: 0 } });
    connection.close();
    await daemon.stop();
  });

  it('are shared by simultaneous requests that reuse a name whose program has ended', async () => {
    const daemon = await startDaemon();
    const pid = daemon.process.pid ?? -1;
    const connections = Array.from({ length: 12 }, () => new RawConnection(daemon.socketPath));
    const [first] = connections;
    const create = { cmd: 'create', name: 'shared', reuse: true };
    // What it leaves behind takes a while to end.
    const ended = ['sh', '-c', 'trap "" HUP; sleep 1000 & exit 0'];
    for (let round = 0; round < 2; round++) {
      await first?.request({ ...create, cmd_args: ended, wait: { until: { exit: true } } });
      const replies = await Promise.all(
        connections.map((connection) => connection.request({ ...create, cmd_args: ['cat'] })),
      );
      expect(new Set(replies.map(({ header }) => header['pid'])).size).toBe(1);
      // Forked before the replies, it begins a session of its own some time later.
      const reads = await first?.request({ cmd: 'wait', id: 'shared', until: { awaiting_input: 'line' } });
      expect(reads?.header).toMatchObject({ outcome: 'matched' });
      expect(childrenOf(pid).filter((child) => statOf(child)?.[3] === String(child))).toHaveLength(1);
      await first?.request({ cmd: 'kill', id: 'shared' });
    }
    for (const connection of connections) connection.close();
    await daemon.stop();
  });

  it('leave no timer, handle or listener', async () => {
    const { path: dir } = tempDir();
    const planted = path.join(dir, 'planted.cjs');
    // What keeps the loop alive, by kind, and who listens to the process.
    writeFileSync(
      planted,
      `process.on('SIGUSR2', () => {
         const kinds = process.getActiveResourcesInfo().filter((kind) => !/Immediate|FS|Worker/.test(kind)).sort();
         const listeners = process.eventNames().map((name) => [String(name), process.listenerCount(name)]);
         process.stderr.write('HELD ' + JSON.stringify({ kinds, listeners }) + '\\n');
       });`,
    );
    const daemon = await startDaemon({ env: { NODE_OPTIONS: `--require=${planted}` } });
    const connection = new RawConnection(daemon.socketPath);
    const held = async (): Promise<{ kinds: string[]; listeners: unknown[] }> => {
      await connection.request({ cmd: 'ping' });
      const told = once(daemon.process.stderr ?? daemon.process, 'data');
      daemon.process.kill('SIGUSR2');
      await told;
      return JSON.parse(daemon.log().split('HELD ').at(-1) ?? '') as { kinds: string[]; listeners: unknown[] };
    };
    const cycle = async (): Promise<void> => {
      const env = { NODE_OPTIONS: '' };
      const { header } = await connection.request({ cmd: 'create', cmd_args: ['cat'], env });
      const { id } = header;
      connection.write(
        `${JSON.stringify({ cmd: 'wait', id, req: 1, until: { text: 'never' }, timeout_ms: 60_000 })}\n`,
      );
      const stream = new RawConnection(daemon.socketPath);
      await stream.request({ cmd: 'events', ack: true });
      await connection.request({ cmd: 'run', cmd_args: ['true'], env, req: 2 });
      await connection.request({ cmd: 'kill', id, req: 3 });
      await connection.reply();
      stream.close();
    };
    for (let i = 0; i < 3; i++) await cycle();
    const before = await held();
    const cycles = 15;
    for (let i = 0; i < cycles; i++) await cycle();
    const after = await held();
    expect(after.listeners).toEqual(before.listeners);
    // A timer of the last cycle's may still run out; one of each would be as many as there were cycles.
    expect(after.kinds.length - before.kinds.length, after.kinds.join()).toBeLessThan(cycles / 3);
    connection.close();
    await daemon.stop();
  });
});

describe('an error in the daemon', () => {
  it('that is uncaught is logged with its stack and counted, and ends no terminal', async () => {
    const { path: dir } = tempDir();
    const planted = path.join(dir, 'planted.cjs');
    writeFileSync(planted, "process.on('SIGUSR2', () => { throw new Error('planted defect'); });");
    const daemon = await startDaemon({ env: { NODE_OPTIONS: `--require=${planted}` } });
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['cat'], env: { NODE_OPTIONS: '' } });
    const logged = once(daemon.process.stderr ?? daemon.process, 'data');
    daemon.process.kill('SIGUSR2');
    await logged;
    expect(daemon.log()).toMatch(/ error uncaught: Error: planted defect \| +at /);
    expect(await request(daemon, { cmd: 'stats' })).toMatchObject({ faults: 1 });
    expect(await request(daemon, { cmd: 'status', id })).toMatchObject({ alive: true });
    await daemon.stop();
  });

  it('for lack of memory is logged, ends the programs, and is reported by the next daemon', async () => {
    const { path: dir } = tempDir();
    const planted = path.join(dir, 'planted.cjs');
    const devour = 'const kept = []; for (;;) kept.push(Array.from({ length: 1000 }, (_, i) => ({ i })));';
    writeFileSync(planted, `process.on('SIGUSR2', () => { ${devour} });`);
    const NODE_OPTIONS = `--max-old-space-size=64 --require=${planted}`;
    const daemon = await startDaemon({ env: { NODE_OPTIONS } });
    const { pid } = (await request(daemon, { cmd: 'create', cmd_args: ['cat'], env: { NODE_OPTIONS: '' } })) as {
      pid: number;
    };
    const crashedPid = daemon.process.pid;
    const closed = once(daemon.process, 'close');
    daemon.process.kill('SIGUSR2');
    expect((await closed)[1]).toBe('SIGABRT');
    expect(daemon.log()).toMatch(/FATAL ERROR: .*heap out of memory/);
    while (isRunning(pid)) await new Promise((resolve) => setImmediate(resolve));
    const next = spawn(process.execPath, [path.join(DIST, 'daemon.cjs'), '--socket', daemon.socketPath], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const log = await logUntil(next, 'did not shut down');
    expect(log).toMatch(new RegExp(`the previous daemon \\(pid ${crashedPid}\\) did not shut down; .*: none`));
    const nextExit = once(next, 'exit');
    next.kill('SIGTERM');
    await nextExit;
    expect(readdirSync(daemon.dir).filter((name) => name.startsWith('s'))).toEqual([]);
    await daemon.stop();
  });
});

function sessionOf(leader: number): number[] {
  return allPids().filter((pid) => statOf(pid)?.[3] === String(leader));
}

function childrenOf(parent: number): number[] {
  return allPids().filter((pid) => statOf(pid)?.[1] === String(parent));
}

function allPids(): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number);
}

/** Fields from the state on. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined; // ENOENT
  }
}

function logUntil(child: ChildProcess, words: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let log = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (log.includes(words)) resolve(log);
    });
    child.once('exit', () => reject(new Error(`it ended, saying: ${log}`)));
  });
}
