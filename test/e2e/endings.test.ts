/** kill, shutdown and signals to the daemon complete in spite of floods of output and of defects. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { isRunning } from '../support/processes.js';
import { RawConnection } from '../support/raw.js';
import { tempDir } from '../support/temp-dir.js';
import { casesOf } from '../support/trial.js';
import { EventStream } from '../support/wait-for.js';

/** What is read ahead takes minutes to parse: an end that waited for it would not come in time. */
const COSTLY = { cmd_args: ['yes', '\u001b[9999S'], cols: 500, rows: 200, scrollback: 0 };
const HANGS_AFTER_MS = 30_000;

async function daemonOf(options: Parameters<typeof startDaemon>[0] = {}): Promise<TestDaemon> {
  const daemon = await startDaemon(options);
  onTestFinished(() => daemon.stop());
  return daemon;
}

/** With a module that the daemon loads first. */
function daemonWith(planted: string): Promise<TestDaemon> {
  const file = tempDir().join('planted.cjs');
  writeFileSync(file, planted);
  return daemonOf({ env: { NODE_OPTIONS: `--require=${file}` } });
}

/** Of a terminal with more output than is parsed. */
async function createFlood(daemon: TestDaemon, fields: object = {}): Promise<{ id: string; pid: number }> {
  const { id, pid } = (await request(daemon, { cmd: 'create', ...COSTLY, ...fields })) as { id: string; pid: number };
  const isBehind = async (): Promise<boolean> =>
    Number((await request(daemon, { cmd: 'debug', id }))['pending_output_bytes']) > 0;
  while (!(await isBehind()));
  return { id, pid };
}

describe('a flood that takes minutes to parse', () => {
  const sizes = [
    { cols: 500, rows: 200 },
    { cols: 1000, rows: 1000 },
  ];
  it.each(casesOf(sizes, ({ cols }) => cols === 500))(
    'does not delay kill at $cols x $rows: exit precedes removed, and a wait for the exit ends',
    async (size) => {
      const daemon = await daemonOf();
      const { id, pid } = await createFlood(daemon, size);
      const events = await EventStream.open(daemon.socketPath, { types: ['exit', 'removed'] });
      const waiting = new RawConnection(daemon.socketPath);
      waiting.write(`${JSON.stringify({ cmd: 'wait', id, until: { exit: true }, req: 1 })}\n`);
      // Armed by the time that this, which runs after it on the same connection, is answered.
      waiting.write(`${JSON.stringify({ cmd: 'ping', req: 2 })}\n`);
      expect((await waiting.reply()).header).toMatchObject({ req: 2 });
      expect(await request(daemon, { cmd: 'kill', id })).toMatchObject({ ok: true });
      expect(isRunning(pid)).toBe(false);
      expect((await waiting.reply()).header).toMatchObject({ req: 1, outcome: 'matched' });
      expect(await events.next()).toMatchObject({ event: 'exit', terminal: id, signal: 'SIGHUP' });
      expect(await events.next()).toMatchObject({ event: 'removed', terminal: id });
      events.close();
      waiting.close();
    },
    HANGS_AFTER_MS,
  );

  it.each(casesOf(['shutdown', 'SIGTERM', 'SIGINT'] as const, (how) => how !== 'SIGINT'))(
    'does not delay %s, even in six terminals',
    async (how) => {
      const daemon = await daemonOf();
      const floods = await Promise.all(Array.from({ length: 6 }, () => createFlood(daemon)));
      const pids = floods.map(({ pid }) => pid);
      const exit = once(daemon.process, 'exit');
      if (how === 'shutdown') expect(await request(daemon, { cmd: 'shutdown' })).toEqual({ ok: true });
      else daemon.process.kill(how);
      expect(await exit).toEqual([0, null]);
      expect(pids.filter(isRunning)).toEqual([]);
      expect(daemon.log()).not.toContain('Warning');
    },
    HANGS_AFTER_MS,
  );
});

it('a wait for the exit returns the text that a program prints after the hang-up', async () => {
  const daemon = await daemonOf();
  const script = 'trap "echo last words; exit" HUP; echo ready; while :; do sleep 0.01; done';
  const ready = { until: { text: 'ready' } };
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', script], wait: ready });
  const waiting = new RawConnection(daemon.socketPath);
  waiting.write(`${JSON.stringify({ cmd: 'wait', id, until: { exit: true }, req: 1 })}\n`);
  waiting.write(`${JSON.stringify({ cmd: 'kill', id, req: 2 })}\n`);
  const replies = [await waiting.reply(), await waiting.reply()].map(({ header }) => header);
  const waited = replies.find(({ req }) => req === 1);
  expect(waited).toMatchObject({ outcome: 'matched' });
  expect(JSON.stringify(waited)).toContain('last words');
  waiting.close();
});

itNeeds('setsid')('the exit is final: later output of a remaining process is refused', async () => {
  const daemon = await daemonOf();
  const dir = tempDir();
  for (const fifo of ['go', 'outcome']) execFileSync('mkfifo', [dir.join(fifo)]);
  // In a session of its own, so that no hang-up ends it.
  const leftBehind = 'echo before; read -r line < go; echo late; echo "refused: $?" > outcome';
  const script = `setsid sh -c '${leftBehind}' & read -r line`;
  const before = { until: { text: 'before' } };
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', script], cwd: dir.path, wait: before });
  const wait = { until: { exit: true } };
  expect(await request(daemon, { cmd: 'send', id, input: '\r', wait })).toMatchObject({ wait: { outcome: 'matched' } });
  await writeFile(dir.join('go'), 'on\n');
  expect(await readFile(dir.join('outcome'), 'utf8')).toMatch(/^refused: [1-9]/);
  const { lines } = await request(daemon, { cmd: 'text', id, trim: true });
  expect(lines).toContain('before');
  expect(lines).not.toContain('late');
});

itNeeds('setsid')(
  'a process that has left with setsid is neither ended nor named, and its environment names its terminal',
  async () => {
    const daemon = await daemonOf();
    const dir = tempDir();
    const leaving = 'setsid sleep 651.5 </dev/null >/dev/null 2>&1 & echo gone; cat';
    for (const how of [{}, { tree: true }, { signal: 'KILL' }]) {
      const name = `left${Object.keys(how).join('')}`;
      const gone = { until: { text: 'gone' } };
      await request(daemon, { cmd: 'create', name, command: leaving, wait: gone });
      const pid = await leftBy(name, dir.path);
      onTestFinished(() => {
        process.kill(pid, 'SIGKILL');
      });
      const ended = await request(daemon, { cmd: 'kill', id: name, ...how });
      expect(ended).toMatchObject({ ok: true });
      expect(ended).not.toHaveProperty('survivors');
      if ('signal' in how) await request(daemon, { cmd: 'wait', id: name, until: { exit: true } });
      expect(isRunning(pid)).toBe(true);
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
      expect(environment.split('\0')).toContain(`T4A_SOCKET=${daemon.socketPath}`);
    }
  },
  HANGS_AFTER_MS,
);

/** As docs/security.md finds it. */
async function leftBy(name: string, cwd: string): Promise<number> {
  const search = `grep -lz '^T4A_TERMINAL=${name}$' /proc/[0-9]*/environ 2> /dev/null`;
  for (;;) {
    const found = execFileSync('sh', ['-c', `${search}; true`], { cwd, encoding: 'utf8' });
    const pids = [...found.matchAll(/\d+/g)].map(([pid]) => Number(pid));
    for (const pid of pids)
      if ((await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) === ['sleep', '651.5', ''].join('\0'))
        return pid;
  }
}

describe('a defect while terminals are ended', () => {
  it.each(casesOf(['shutdown', 'SIGTERM'] as const, (how) => how === 'SIGTERM'))(
    'does not prevent the end of the daemon by %s',
    async (how) => {
      const daemon = await daemonWith("process.kill = (pid, signal) => { throw new Error('planted defect'); };");
      const { pid } = await request(daemon, { cmd: 'create', cmd_args: ['cat'], env: { NODE_OPTIONS: '' } });
      const exit = once(daemon.process, 'exit');
      if (how === 'shutdown') expect(await request(daemon, { cmd: 'shutdown' })).toEqual({ ok: true });
      else daemon.process.kill(how);
      expect(await exit).toEqual([0, null]);
      expect(daemon.log()).toMatch(/ error ending terminal t1: Error: planted defect/);
      // The kernel hangs up when the daemon has gone.
      while (isRunning(pid as number)) await new Promise((resolve) => setImmediate(resolve));
    },
    HANGS_AFTER_MS,
  );

  it(
    'that keeps a terminal from ending delays the end of the daemon by some seconds',
    async () => {
      const daemon = await daemonWith(
        `const { setTimeout } = globalThis;
       process.on('SIGUSR2', () => {
         globalThis.setTimeout = (callback, ms, ...rest) => setTimeout(callback, ms < 1000 ? 1e9 : ms, ...rest);
         process.stderr.write('planted\\n');
       });`,
      );
      const cmdArgs = ['sh', '-c', 'trap "" HUP; echo on; exec sleep 1000'];
      const on = { until: { text: 'on' } };
      const { pid } = await request(daemon, { cmd: 'create', cmd_args: cmdArgs, env: { NODE_OPTIONS: '' }, wait: on });
      const exit = once(daemon.process, 'exit');
      daemon.process.kill('SIGUSR2');
      await once(daemon.process.stderr ?? daemon.process, 'data');
      daemon.process.kill('SIGTERM');
      expect(await exit).toEqual([0, null]);
      expect(daemon.log()).toContain('terminal t1 has not ended');
      while (isRunning(pid as number)) await new Promise((resolve) => setImmediate(resolve));
    },
    HANGS_AFTER_MS,
  );
});

it('a signal reaches a program that was only just started', async () => {
  const daemon = await daemonOf();
  const connection = new RawConnection(daemon.socketPath);
  // Some of them are signalled before the process has its own session.
  for (let i = 0; i < 40; i++) {
    const id = `n${i}`;
    connection.write(`${JSON.stringify({ cmd: 'create', name: id, cmd_args: ['cat'] })}\n`);
    connection.write(`${JSON.stringify({ cmd: 'kill', id, signal: 'TERM' })}\n`);
    expect((await connection.reply()).header).toMatchObject({ ok: true, id });
    expect((await connection.reply()).header).toMatchObject({ ok: true });
    const ended = await connection.request({ cmd: 'wait', id, until: { exit: true } });
    expect(ended.header).toMatchObject({ outcome: 'matched', signal: 'SIGTERM' });
  }
  connection.close();
});
