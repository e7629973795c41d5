/** What hooks say of their programs (`report`), through the front door. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLI } from '../support/cli.js';
import { runCliHere } from '../support/cli-in-process.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { TestTerminal } from '../support/screen-fence.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const itOnLinux = it.runIf(process.platform === 'linux');

/** Its program reads nothing: a line that is read would stand above reports. */
async function terminal(fields: object = {}): Promise<TestTerminal> {
  const one = await TestTerminal.start(daemon, ['sh', '-c', 'echo ready; sleep 1000; true'], fields);
  await one.untilShows('ready');
  return one;
}

/** A program that says what is typed, by OSC 7501. */
const REPORTER = `import sys
print("ready")
for line in sys.stdin:
    sys.stdout.write("\\x1b]7501;" + line.strip() + "\\x07")
    sys.stdout.flush()`;

const pidOf = async (of: TestTerminal): Promise<number> => Number((await of.do('status'))['pid']);

describe('a report of a hook', () => {
  it('decides what the program does, in status, explain and list, and is an event', async () => {
    const own = await terminal();
    expect(await own.do('status')).not.toHaveProperty('report');
    const pid = await pidOf(own);
    const reply = await own.do('report', {
      state: 'blocked',
      kind: 'permission',
      app: 'claude',
      msg: 'approve Bash: ls',
      pid,
    });
    const doing = { is: 'waiting', kind: 'permission', source: 'report', sure: true, needs_you: 'permission' };
    const report = {
      state: 'blocked',
      kind: 'permission',
      id: '',
      app: 'claude',
      msg: 'approve Bash: ls',
      by: { pid, process: 'sh' },
    };
    expect(reply).toMatchObject({ report, doing });
    expect(await own.until('doing')).toMatchObject({ is: 'waiting', kind: 'permission', source: 'report', was: null });
    const status = await own.do('status');
    expect(status).toMatchObject({ report, reported: null, doing });
    const { signals } = (await own.do('explain')) as { signals: object[] };
    expect(signals[0]).toMatchObject({ source: 'report', is: 'waiting', by: { pid }, counts: true, why: 'decides' });
    const { terminals } = (await request(daemon, { cmd: 'list', where: { needs_you: true } })) as {
      terminals?: { id: string }[];
    };
    expect(terminals?.map(({ id }) => id)).toContain(own.id);
    await own.end();
  });

  it('is the condition of a wait', async () => {
    const own = await terminal();
    const waiting = own.do('wait', { until: { doing: 'done' } });
    await own.do('report', { state: 'working' });
    await own.do('report', { state: 'done' });
    expect(await waiting).toMatchObject({ outcome: 'matched', doing: { is: 'done', source: 'report' } });
    await own.end();
  });

  it('replaces the one of its path whole, and is dropped with those below', async () => {
    const own = await terminal();
    await own.do('report', { state: 'working', path: 'build', msg: 'links', progress: 3 });
    await own.do('report', { state: 'blocked', path: 'build/ask' });
    await own.do('report', { state: 'working', path: 'builder' });
    expect(await own.do('report', { state: 'working', path: 'build' })).toMatchObject({
      report: { id: 'build', msg: null, progress: null },
      doing: { is: 'waiting' },
    });
    expect(await own.do('report', { state: 'clear', path: 'build' })).toMatchObject({
      report: null,
      doing: { is: 'working' },
    });
    expect((await own.do('status'))['report']).toMatchObject({ id: 'builder' });
    await own.do('report', { state: 'clear' });
    expect(await own.do('status')).not.toHaveProperty('report');
    await own.end();
  });

  itNeeds('python3')('stands below what the program says itself, and beside it', async () => {
    const own = await TestTerminal.start(daemon, ['python3', '-c', REPORTER]);
    await own.untilShows('ready');
    await own.do('type', { text: 'state=working', submit: true, wait: { until: { event: 'reported' } } });
    const reply = await own.do('report', { state: 'idle' });
    expect(reply['doing']).toMatchObject({
      is: 'working',
      source: '7501',
      differs: [{ source: 'report', is: 'idle', kind: null }],
    });
    await own.do('type', { text: 'state=clear', submit: true, wait: { until: { event: 'reported' } } });
    expect((await own.do('status'))['doing']).toMatchObject({ is: 'idle', source: 'report' });
    await own.end();
  });

  it('ends after its time', async () => {
    const own = await terminal();
    await own.do('report', { state: 'working', ttl_ms: 300 });
    expect(await own.until('doing')).toMatchObject({ is: 'working' });
    await own.until('doing', ({ was }) => was === 'working');
    expect(await own.do('status')).not.toHaveProperty('report');
    await own.end();
  });

  itOnLinux('ends with its process', async () => {
    const own = await TestTerminal.start(daemon, ['sh', '-c', 'sleep 1000 & echo "pid=$!."; wait; echo gone; read x']);
    const [, pid] = /pid=(\d+)\./.exec(await own.untilShows(/pid=\d+\./)) ?? [];
    expect(await own.do('report', { state: 'working', pid: Number(pid) })).toMatchObject({
      report: { by: { pid: Number(pid), process: 'sleep' } },
    });
    process.kill(Number(pid), 'SIGKILL');
    await own.untilShows('gone');
    expect(await own.do('status')).not.toHaveProperty('report');
    await own.until('doing', ({ was }) => was === 'working');
    await own.end();
  });

  itOnLinux('is refused for a process of another terminal, of another session, and for none', async () => {
    const [own, other] = [await terminal(), await terminal()];
    for (const pid of [await pidOf(other), process.pid, 1, 2 ** 22 + 1]) {
      expect(await own.ask('report', { state: 'working', pid })).toMatchObject({
        code: 'not_allowed',
        field: 'pid',
        error: expect.stringContaining(`${pid} is no process of terminal`),
      });
    }
    expect(await own.do('status')).not.toHaveProperty('report');
    await own.end();
    await other.end();
  });

  it('is gone after a restart, as is its process', async () => {
    const own = await terminal();
    const pid = await pidOf(own);
    await own.do('report', { state: 'working' });
    await own.do('restart');
    expect(await own.do('status')).not.toHaveProperty('report');
    if (process.platform === 'linux') {
      expect(await own.ask('report', { state: 'working', pid })).toMatchObject({ code: 'not_allowed' });
    }
    await own.end();
  });

  it('ends with the program of the terminal, after which there is none', async () => {
    const own = await TestTerminal.start(daemon, ['sh', '-c', 'echo ready; read x']);
    await own.untilShows('ready');
    await own.do('report', { state: 'working' });
    await own.do('type', { text: 'x', submit: true });
    await own.exited();
    const status = await own.do('status');
    expect(status['doing']).toMatchObject({ is: 'exited', differs: [] });
    expect(status).not.toHaveProperty('report');
    expect(await own.ask('report', { state: 'working' })).toMatchObject({ code: 'terminal_exited' });
    await own.end();
  });

  it('comes a thousand times: 256 are kept, ten events a second', async () => {
    const own = await terminal();
    const before = Date.now();
    let all: Promise<unknown>[] = [];
    for (let i = 0; i < 1000; i++) {
      all.push(own.do('report', { state: i % 2 === 0 ? 'working' : 'idle', path: `part-${i}`, msg: 'm'.repeat(2048) }));
      if (all.length < 50) continue;
      await Promise.all(all);
      all = [];
    }
    await own.do('report', { state: 'done', path: 'last' });
    let told = 0;
    await own.until('doing', ({ is }) => {
      told++;
      return is === 'done';
    });
    expect(told).toBeLessThanOrEqual(2 + (Date.now() - before) / 100);
    const { signals, left_out: leftOut } = (await own.do('explain')) as { signals: object[]; left_out: number };
    expect(signals.length + leftOut).toBeLessThanOrEqual(256 + 8);
    await own.end();
  });

  it.each([
    [{ state: 'nope' }, 'state'],
    [{}, 'state'],
    [{ state: 'working', kind: 'permission' }, 'kind'],
    [{ state: 'idle', progress: 3 }, 'progress'],
    [{ state: 'working', progress: 101 }, 'progress'],
    [{ state: 'working', path: '' }, 'path'],
    [{ state: 'working', path: 'a//b' }, 'path'],
    [{ state: 'working', path: '1/2/3/4/5/6/7/8/9' }, 'path'],
    [{ state: 'working', path: 'a:state=idle' }, 'path'],
    [{ state: 'clear', path: '' }, 'path'],
    [{ state: 'working', app: 'a b' }, 'app'],
    [{ state: 'working', msg: 'a\u0000b' }, 'msg'],
    [{ state: 'working', msg: 'a\u009bb' }, 'msg'],
    [{ state: 'working', msg: 'é'.repeat(1025) }, 'msg'],
    [{ state: 'working', msg: 'x'.repeat(2049) }, 'msg'],
    [{ state: 'working', title: 'é'.repeat(97) }, 'title'],
    [{ state: 'working', ttl_ms: 0 }, 'ttl_ms'],
    [{ state: 'working', pid: -1 }, 'pid'],
  ])('of %j is refused, and nothing of it applied', async (fields, field) => {
    const own = await terminal();
    await own.do('report', { state: 'done' });
    expect(await own.ask('report', fields)).toMatchObject({ code: 'invalid_field', field });
    expect((await own.do('status'))['report']).toMatchObject({ state: 'done' });
    await own.end();
  });
});

describe('t4a report', () => {
  const there = (own: TestTerminal, input?: string) => ({
    socketPath: daemon.socketPath,
    env: { T4A_TERMINAL: own.id },
    ...(input === undefined ? {} : { input }),
  });
  const hook = (fields: object): string => JSON.stringify({ session_id: 's', cwd: '/', ...fields });

  it('reports for the terminal that it runs in, and prints the conclusion of t4a', async () => {
    const own = await terminal();
    const said = await runCliHere(['report', 'working', '--msg', 'runs tests', '--progress', '40'], there(own));
    expect(said).toMatchObject({ status: 0, stdout: 'working (report)\n', stderr: '' });
    expect((await own.do('status'))['report']).toMatchObject({ msg: 'runs tests', progress: 40 });
    expect(await runCliHere(['report'], there(own))).toMatchObject({ status: 2, stdout: '' });
    await own.end();
  });

  it('needs a terminal: "@" is not guessed', async () => {
    const own = await terminal();
    const said = await runCliHere(['report', 'working'], { socketPath: daemon.socketPath });
    expect(said).toMatchObject({ status: 2, stdout: '' });
    expect(await own.do('status')).not.toHaveProperty('report');
    await own.end();
  });

  it('prints the settings of hooks', async () => {
    const said = await runCliHere(['report', '--print-hooks', 'claude'], { socketPath: daemon.socketPath });
    expect(said).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(said.stdout)).toHaveProperty('hooks.PreToolUse');
    expect(await runCliHere(['report', '--print-hooks', 'constructor'])).toMatchObject({ status: 2, stdout: '' });
  });

  itOnLinux('makes of the JSON of a hook the report of the agent that called it', async () => {
    const asks = hook({ hook_event_name: 'Notification', notification_type: 'permission_prompt', message: 'May I?' });
    // As an agent: it starts a shell, which starts t4a.
    const agent = `import subprocess, sys
line = '"${process.execPath}" "${CLI}" --socket "${daemon.socketPath}" report --hook claude; exit $?'
done = subprocess.run(["sh", "-c", line], input=sys.argv[1].encode(), capture_output=True)
print("status", done.returncode, done.stdout, done.stderr, flush=True)
sys.stdin.readline()`;
    const own = await TestTerminal.start(daemon, ['python3', '-c', agent, asks]);
    await own.untilShows("status 0 b'' b''");
    const pid = await pidOf(own);
    expect((await own.do('status'))['report']).toMatchObject({ state: 'blocked', msg: 'May I?', by: { pid } });
    await own.end();
  });

  it.each([
    ['no JSON', 'nonsense', 1],
    ['no object', '[1]', 1],
    ['nothing', '', 1],
    ['no fields', '{}', 0],
    ['fields of other types', '{"hook_event_name":{"a":1},"tool_input":7}', 0],
    ['an event that is not known', '{"hook_event_name":"Tomorrow"}', 0],
  ])('reports nothing of %s, prints nothing, and never exits with 2', async (_name, input, status) => {
    const own = await terminal();
    const said = await runCliHere(['report', '--hook', 'claude'], there(own, input));
    expect(said).toMatchObject({ status, stdout: '' });
    expect(said.stderr === '').toBe(status === 0);
    expect(await own.do('status')).not.toHaveProperty('report');
    await own.end();
  });

  it('takes a megabyte of JSON, of which it reports the begin of a line', async () => {
    const own = await terminal();
    const input = hook({
      hook_event_name: 'PreToolUse',
      tool_name: 'Write',
      tool_input: { file_path: '/a', content: 'x'.repeat(1024 * 1024) },
    });
    const said = await runCliHere(['report', '--hook', 'claude', '--id', own.id], {
      socketPath: daemon.socketPath,
      input,
    });
    // Of the test's own process, which is of no terminal.
    if (process.platform === 'linux') expect(said.stderr).toMatch(/is no process of terminal/);
    expect(said).toMatchObject({ status: process.platform === 'linux' ? 1 : 0, stdout: '' });
    const pid = String(await pidOf(own));
    expect(await runCliHere(['report', '--hook', 'claude', '--pid', pid], there(own, input))).toMatchObject({
      status: 0,
      stdout: '',
      stderr: '',
    });
    expect((await own.do('status'))['report']).toMatchObject({
      state: 'working',
      msg: 'Write: /a',
      app: 'claude-code',
    });
    await own.end();
  });

  it('does nothing as a hook outside of a terminal, or for an agent that is not known', async () => {
    const input = hook({ hook_event_name: 'Stop' });
    const outside = await runCliHere(['report', '--hook', 'claude'], { socketPath: daemon.socketPath, input });
    expect(outside).toMatchObject({ status: 0, stdout: '', stderr: '' });
    const own = await terminal();
    expect(await runCliHere(['report', '--hook', 'other'], there(own, input))).toMatchObject({ status: 1, stdout: '' });
    await own.end();
  });

  it('says as a hook that there is no daemon, and starts none', async () => {
    const said = await runCliHere(['report', '--hook', 'claude'], {
      socketPath: `${daemon.socketPath}-none`,
      env: { T4A_TERMINAL: 't1' },
      input: hook({ hook_event_name: 'Stop' }),
    });
    expect(said).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('t4a: ') });
  });
});
