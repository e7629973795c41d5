/** Several replacements one after the other: what stays of the daemons before, and how programs of each of them end. T4A_NODE_BINARIES as in node-versions.test.ts. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { request, startDaemon } from '../support/daemon.js';
import { isRunning } from '../support/processes.js';

const nodes = [process.execPath, ...(process.env['T4A_NODE_BINARIES'] ?? '').split(':').filter((file) => file !== '')];

const REPLACEMENTS = 5;

type Answer = Record<string, unknown>;

function becomesStub(node: string): boolean {
  const source = 'process.stdout.write(typeof process.execve)';
  return process.platform === 'linux' && execFileSync(node, ['-e', source], { encoding: 'utf8' }) === 'function';
}

function commandOf(pid: number): string {
  return isRunning(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').join(' ').trim() : '';
}

interface Chain {
  readonly ask: (fields: object) => Promise<Answer>;
  /** Of the daemons, the present one last. */
  readonly pids: number[];
  /** Replaces the present one. */
  readonly next: (exec?: string) => Promise<Answer>;
}

/** What is left at the end of the test is ended by "shutdown", and nothing stays. */
async function chain(node: string): Promise<Chain> {
  const daemon = await startDaemon({ node, detached: true });
  const ask = (fields: object): Promise<Answer> => request(daemon, fields);
  const pids = [daemon.process.pid ?? 0];
  const next = async (exec?: string): Promise<Answer> => {
    const done = await ask({ cmd: 'replace', ...(exec === undefined ? {} : { exec }) });
    expect(done).toMatchObject({ ok: true });
    pids.push((done['to'] as { readonly pid: number }).pid);
    return done;
  };
  onTestFinished(async () => {
    if (isRunning(pids.at(-1) ?? 0)) await ask({ cmd: 'shutdown' });
    await expect.poll(() => pids.filter(isRunning), { timeout: 10_000 }).toEqual([]);
    await daemon.stop();
  });
  return { ask, pids, next };
}

it.each(nodes)('ends of programs of five daemons are right, and none stays without a program: %s', async (node) => {
  const { ask, pids, next } = await chain(node);
  const isStub = becomesStub(node);
  const waiting = (code: string): object => ({ cmd_args: ['sh', '-c', `read x; ${code}`] });
  const made: number[] = [];
  const make = async (name: string, code: string): Promise<void> => {
    const { pid } = await ask({ cmd: 'create', name, ...waiting(code) });
    made.push(pid as number);
  };
  const end = async (name: string): Promise<Answer> => {
    await ask({ cmd: 'press', id: name, keys: ['Enter'] });
    return ask({ cmd: 'wait', id: name, until: { exit: true }, timeout_ms: 20_000 });
  };
  await make('long', 'exit 42');
  for (let count = 0; count < REPLACEMENTS; count++) {
    await make(`code${count}`, `exit ${count + 1}`);
    await make(`killed${count}`, 'kill -9 $$');
    expect(await next()).toMatchObject({ exits: isStub ? 'stub' : 'waiter' });
    // Some end by the next daemon, some by one that comes later.
    if (count % 2 === 0) expect(await end(`code${count}`)).toMatchObject({ outcome: 'matched', exit_code: count + 1 });
  }
  if (isStub) {
    // Each of the five has a program that lives.
    await expect.poll(() => pids.slice(0, -1).map(commandOf)).toEqual(Array(REPLACEMENTS).fill('cat'));
  }
  for (let count = 0; count < REPLACEMENTS; count++) {
    expect(await end(`killed${count}`)).toMatchObject({ outcome: 'matched', signal: 'SIGKILL' });
    if (count % 2 === 1) expect(await end(`code${count}`)).toMatchObject({ outcome: 'matched', exit_code: count + 1 });
  }
  if (isStub) await expect.poll(() => pids.slice(1, -1).filter(isRunning)).toEqual([]);
  expect(isRunning(pids[0] ?? 0)).toBe(true);
  expect(await end('long')).toMatchObject({ outcome: 'matched', exit_code: 42 });
  await expect.poll(() => pids.slice(0, -1).filter(isRunning), { timeout: 10_000 }).toEqual([]);
  // No zombie is left.
  await expect.poll(() => made.filter((pid) => existsSync(`/proc/${pid}`)), { timeout: 10_000 }).toEqual([]);
  await ask({ cmd: 'restart', id: 'long' });
  expect(await end('long')).toMatchObject({ outcome: 'matched', exit_code: 42 });
});

it.each(nodes.filter(becomesStub))('a stub that was stopped ends with the daemon: %s', async (node) => {
  const { ask, pids, next } = await chain(node);
  await ask({ cmd: 'create', name: 'long', cmd_args: ['cat'] });
  await next();
  const [stub = 0] = pids;
  await expect.poll(() => commandOf(stub)).toBe('cat');
  process.kill(stub, 'SIGSTOP');
  expect(await ask({ cmd: 'shutdown' })).toMatchObject({ ok: true });
  await expect.poll(() => pids.filter(isRunning), { timeout: 10_000 }).toEqual([]);
});

it.each(nodes)('nothing stays once the last daemon was killed: %s', async (node) => {
  const { ask, pids, next } = await chain(node);
  const programs: number[] = [];
  for (let count = 0; count < 2; count++) {
    programs.push((await ask({ cmd: 'create', cmd_args: ['cat'] }))['pid'] as number);
    await next();
  }
  process.kill(pids.at(-1) ?? 0, 'SIGKILL');
  await expect.poll(() => [...pids, ...programs].filter(isRunning), { timeout: 10_000 }).toEqual([]);
});

it('programs of stubs and of waiters end right over each Node, and one whose stub was killed goes on until it ends', async () => {
  const walk = [...nodes, ...nodes.toReversed()];
  const { ask, pids, next } = await chain(nodes.at(-1) ?? '');
  const made: string[] = [];
  const make = async (): Promise<void> => {
    const name = `p${made.length}`;
    await ask({ cmd: 'create', name, cmd_args: ['sh', '-c', `read x; exit ${made.length + 1}`] });
    made.push(name);
  };
  const end = async (id: string): Promise<Answer> => {
    await ask({ cmd: 'press', id, keys: ['Enter'] });
    return ask({ cmd: 'wait', id, until: { exit: true }, timeout_ms: 20_000 });
  };
  await make();
  for (const exec of walk) {
    await make();
    await next(exec);
  }
  const killed = made.pop() ?? '';
  for (const [at, name] of made.entries()) expect(await end(name)).toMatchObject({ exit_code: at + 1 });
  // The last daemon before has the last program alone.
  const left = pids.at(-2) ?? 0;
  await expect.poll(() => pids.slice(0, -1).filter(isRunning), { timeout: 10_000 }).toEqual([left]);
  process.kill(left, 'SIGKILL');
  expect(await ask({ cmd: 'type', id: killed, text: 'word', submit: true })).toMatchObject({ ok: true });
  const exit = await ask({ cmd: 'wait', id: killed, until: { exit: true }, timeout_ms: 20_000 });
  expect(exit).toMatchObject({ outcome: 'matched', signal: null });
  // Its new parent may have waited for it already.
  expect([null, made.length + 1]).toContain(exit['exit_code']);
});
