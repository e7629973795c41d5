/** What programs are doing: one answer with its source, through the front door. */
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCliHere } from '../support/cli-in-process.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { TestTerminal } from '../support/screen-fence.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const REPORTS = {
  w: 'state=working',
  p: 'state=blocked:kind=permission',
  b: 'state=blocked',
  i: 'state=idle',
  d: 'state=done',
  e: 'state=error',
  c: 'state=clear',
} as const;

/** Reads keys, each of which is a report, as an agent does. */
const AGENT = `import os, tty
tty.setraw(0)
reports = ${JSON.stringify(REPORTS)}
os.write(1, b"ready")
while True:
    key = os.read(0, 1).decode()
    if key == "q": break
    os.write(1, ("\\x1b]7501;" + reports[key] + "\\x07").encode())`;

async function agent(fields: object = {}): Promise<TestTerminal> {
  const terminal = await TestTerminal.start(daemon, ['python3', '-c', AGENT], fields);
  await terminal.untilShows('ready');
  return terminal;
}

async function says(terminal: TestTerminal, key: keyof typeof REPORTS): Promise<void> {
  await terminal.do('press', { keys: [key], wait: { until: { event: 'reported' } } });
}

const doing = async (terminal: TestTerminal): Promise<unknown> => (await terminal.do('status'))['doing'];

interface Explained extends Record<string, unknown> {
  readonly signals: readonly { source: string; is: string; counts: boolean; why: string }[];
}

async function explained(terminal: TestTerminal, fields: object = {}): Promise<Explained> {
  return (await terminal.do('explain', fields)) as Explained;
}

describe('what a program does that reports', () => {
  it('is in status and list, with its source, since when, and whether it needs a person', async () => {
    const terminal = await agent();
    const before = Date.now();
    await says(terminal, 'p');
    const expected = {
      is: 'waiting',
      kind: 'permission',
      source: '7501',
      sure: true,
      needs_you: 'permission',
      evidence: expect.stringMatching(/^blocked permission, by python\S* \d+$/),
      differs: [],
    };
    const found = (await doing(terminal)) as { since: number };
    expect(found).toMatchObject(expected);
    expect(found.since).toBeGreaterThanOrEqual(before);
    const { terminals } = (await request(daemon, { cmd: 'list' })) as unknown as { terminals: { id: string }[] };
    expect(terminals.find(({ id }) => id === terminal.id)).toMatchObject({ doing: expected });
    await terminal.end();
  });

  it('is an event with what it was, and the condition of a wait', async () => {
    const terminal = await agent();
    const waiting = terminal.do('wait', { until: [{ doing: ['waiting:question', 'waiting:permission'] }] });
    await says(terminal, 'w');
    expect(await terminal.until('doing')).toMatchObject({ is: 'working', kind: null, source: '7501', was: null });
    await says(terminal, 'p');
    expect(await waiting).toMatchObject({ outcome: 'matched', doing: { is: 'waiting', kind: 'permission' } });
    expect(await terminal.until('doing', ({ was }) => was === 'working')).toMatchObject({ is: 'waiting' });
    await terminal.end();
  });

  it('is reported ten times a second at most, and the last state in the end', async () => {
    const terminal = await agent();
    const before = Date.now();
    await terminal.do('type', { text: `${'wi'.repeat(200)}d` });
    let told = 0;
    await terminal.until('doing', ({ is }) => {
      told++;
      return is === 'done';
    });
    expect(told).toBeLessThanOrEqual(2 + (Date.now() - before) / 100);
    await terminal.end();
  });

  it('counts for a turn once it has begun anew', async () => {
    const terminal = await agent();
    await says(terminal, 'i');
    const turn = terminal.do('press', { keys: ['w'], wait: { until: { doing: 'idle' } } });
    await terminal.until('doing', ({ is }) => is === 'working');
    await terminal.do('press', { keys: ['i'] });
    expect(await turn).toMatchObject({ wait: { outcome: 'matched', doing: { is: 'idle', source: '7501' } } });
    await terminal.end();
  });

  it('is in the reply of the turn that changed it, and in no other', async () => {
    const terminal = await agent();
    const wait = { until: { event: 'doing' } };
    expect(await terminal.do('press', { keys: ['w'], wait })).toMatchObject({ doing: { is: 'working' } });
    expect(await terminal.do('press', { keys: ['w'], wait: { until: { settled_ms: 50 } } })).not.toHaveProperty(
      'doing',
    );
    await terminal.end();
  });

  it('reaches those who watch, with the next frame', async () => {
    const terminal = await agent();
    const frame = await terminal.do('watch');
    expect(frame).not.toHaveProperty('doing');
    const next = terminal.do('watch', { since: frame['rev'], state: frame['state'] });
    await terminal.do('press', { keys: ['p'] });
    let seen = await next;
    while (seen['doing'] === undefined) seen = await terminal.do('watch', { since: seen['rev'], state: seen['state'] });
    expect(seen).toMatchObject({ doing: { is: 'waiting', kind: 'permission', needs_you: 'permission' } });
    await terminal.end();
  });

  it('chooses terminals, as whether they need a person does', async () => {
    const [asking, atWork] = [await agent({ labels: { of: 'where' } }), await agent({ labels: { of: 'where' } })];
    await says(asking, 'b');
    await says(atWork, 'w');
    const ids = async (where: object): Promise<unknown> => {
      const reply = await request(daemon, { cmd: 'list', where: { labels: { of: 'where' }, ...where } });
      return (reply['terminals'] as { id: string }[]).map(({ id }) => id);
    };
    expect(await ids({ doing: 'working' })).toEqual([atWork.id]);
    expect(await ids({ doing: 'waiting' })).toEqual([asking.id]);
    expect(await ids({ doing: 'waiting:permission' })).toEqual([]);
    expect(await ids({ needs_you: true })).toEqual([asking.id]);
    expect(await ids({ needs_you: false })).toEqual([atWork.id]);
    await asking.end();
    await atWork.end();
  });

  it('fires a trigger each time that it begins', async () => {
    const terminal = await agent();
    await terminal.do('trigger', { when: { doing: 'waiting' }, do: [{ notify: 'asks' }] });
    await says(terminal, 'p');
    await terminal.until('triggered');
    await says(terminal, 'w');
    await terminal.until('doing', ({ was }) => was === 'waiting');
    await says(terminal, 'p');
    await terminal.until('triggered');
    await terminal.end();
  });

  it('needs a person while a question about it is open', async () => {
    const terminal = await agent();
    await says(terminal, 'w');
    await terminal.do('ask', { question: 'Go on?', as: 'helper', timeout_ms: 1 });
    expect(await doing(terminal)).toMatchObject({ is: 'working', needs_you: 'ask' });
    await terminal.end();
  });

  it('has ended with its process', async () => {
    const terminal = await agent();
    await says(terminal, 'p');
    await terminal.press('q');
    await terminal.exited();
    expect(await doing(terminal)).toMatchObject({
      is: 'exited',
      source: 'kernel',
      needs_you: null,
      evidence: 'exit code 0',
    });
    expect(await terminal.until('doing', ({ is }) => is === 'exited')).toMatchObject({ was: 'waiting' });
    await terminal.end();
  });
});

describe('what a program does that reports nothing', () => {
  it('is a guess, and no event', async () => {
    const terminal = await TestTerminal.start(daemon, [
      'python3',
      '-c',
      'import os,tty; tty.setraw(0); os.write(1, b"x"); os.read(0, 1)',
    ]);
    expect(await terminal.do('wait', { until: { doing: 'idle' } })).toMatchObject({ doing: { source: 'kernel' } });
    expect(await doing(terminal)).toMatchObject({ is: 'idle', sure: false, needs_you: null });
    // As the last event said.
    expect(await terminal.do('watch')).not.toHaveProperty('doing');
    await terminal.end();
  });

  itNeeds('bash')('is what the marks of its shell say', async () => {
    const terminal = await TestTerminal.start(daemon, ['bash']);
    await terminal.do('run', { command: 'true' });
    expect(await doing(terminal)).toMatchObject({ is: 'idle', source: 'shell', sure: true });
    await terminal.do('type', { text: 'read x', submit: true, wait: { until: { event: 'command_started' } } });
    expect(await doing(terminal)).toMatchObject({ is: 'working', source: 'shell', evidence: 'runs "read x"' });
    await terminal.end();
  });

  it('is not what an agent marks as a shell would', async () => {
    const marks = ['A', 'B', 'C'].map((mark) => `\\x1b]133;${mark}\\x07`).join('said');
    const script = `process.stdout.write('${marks}end\\n'); setInterval(() => {}, 1e6)`;
    const terminal = await TestTerminal.start(daemon, [process.execPath, '-e', script]);
    await terminal.do('wait', { until: { text: 'end' } });
    const { signals } = await explained(terminal);
    const shell = { source: 'shell', counts: false, why: 'no shell has printed it' };
    expect(signals).toContainEqual(expect.objectContaining(shell));
    expect(await doing(terminal)).not.toMatchObject({ source: 'shell' });
    await terminal.end();
  });
});

describe('signals that disagree', () => {
  it('lose to a password that the program reads, and are named', async () => {
    const script = `printf '\\033]7501;state=working\\007'; stty -echo; read x; stty echo; printf '\\033]7501;state=done\\007'; sleep 60`;
    const terminal = await TestTerminal.start(daemon, ['sh', '-c', script]);
    expect(await terminal.do('wait', { until: { doing: 'waiting:password' } })).toMatchObject({ outcome: 'matched' });
    expect(await doing(terminal)).toMatchObject({
      is: 'waiting',
      kind: 'password',
      source: 'kernel',
      needs_you: 'password',
      differs: [{ source: '7501', is: 'working', kind: null }],
    });
    await terminal.until('doing', ({ is }) => is === 'waiting');
    // With the input it waits no more.
    await terminal.press('Enter');
    expect(await terminal.until('doing', ({ was }) => was === 'waiting')).toMatchObject({ source: '7501' });
    await terminal.end();
  });

  it('are those of the rules, of which a question that is newer than the claim wins', async () => {
    const on = { on: 'region', region: { top: 0 } };
    const rules = [
      { id: 'busy', ...on, start: 'Busy', emit: { kind: 'working', key: 'working' } },
      { id: 'may', ...on, start: 'May I', emit: { kind: 'permission_request' } },
    ];
    const text = JSON.stringify({ version: 1, profiles: [{ id: 'fake', rules }] });
    await request(daemon, { cmd: 'rules', action: 'set', rules: text });
    const script = `printf '\\033[HBusy '; read a; printf '\\033]7501;state=working\\007'; read b; printf '\\033[2J\\033[HMay I'; read c; printf '\\033[2J\\033[Hready'; stty raw; read d`;
    const terminal = await TestTerminal.start(daemon, ['sh', '-c', script], { rules: 'fake' });
    expect(await terminal.until('doing')).toMatchObject({ is: 'working', source: 'rules' });
    await terminal.press('Enter');
    await terminal.until('doing', ({ source, is }) => source === '7501' || is === 'waiting');
    await terminal.press('Enter');
    const { seq } = await terminal.until('doing', ({ kind }) => kind === 'permission');
    const asked = { doing: { is: 'waiting', kind: 'permission', source: 'rules' } };
    expect(await explained(terminal)).toMatchObject(asked);
    await terminal.press('Enter');
    await terminal.until('doing', ({ was }) => was === 'waiting');
    expect(await explained(terminal, { at: `seq:${Number(seq)}` })).toMatchObject(asked);
    await terminal.end();
  });

  it('are those of the rules, of which a question in the place of another is an event, with no moment of rest', async () => {
    const rules = [
      { id: 'may', on: 'region', region: { top: 0 }, start: 'May I (?<what>.+)', emit: { kind: 'question' } },
    ];
    const text = JSON.stringify({ version: 1, profiles: [{ id: 'asker', rules }] });
    await request(daemon, { cmd: 'rules', action: 'set', rules: text });
    // A question takes the place of the other in one write. After a key the program would work until it has asked again, however long that is.
    const fifo = path.join(daemon.dir, 'asked');
    execFileSync('mkfifo', [fifo]);
    const script = `printf '\\033[HMay I build'; read a < "$0"; printf '\\033[2J\\033[HMay I run'; read b; printf '\\033[2J\\033[Hready'; stty raw; read c`;
    const terminal = await TestTerminal.start(daemon, ['sh', '-c', script, fifo], { rules: 'asker' });
    const first = await terminal.until('doing');
    expect(first).toMatchObject({ is: 'waiting', kind: 'question', source: 'rules', was: null });
    const when = { doing: 'waiting:question' };
    await terminal.do('trigger', { when, do: [{ publish: { name: 'again', data: '{screen}' } }] });
    await writeFile(fifo, 'yes\n');
    const second = await terminal.until('doing');
    expect(second).toMatchObject({ is: 'waiting', kind: 'question', source: 'rules', was: 'waiting' });
    expect(Number(second['since'])).toBeGreaterThan(Number(first['since']));
    // Once for each question.
    const { triggers } = (await terminal.do('triggers')) as unknown as { triggers: { fired: number }[] };
    expect(triggers.map(({ fired }) => fired)).toEqual([2]);
    await terminal.press('Enter');
    expect(await terminal.until('doing')).toMatchObject({ was: 'waiting' });
    await terminal.end();
  });

  itNeeds('bash')('are claims that were printed at a shell, which count for nothing', async () => {
    const terminal = await TestTerminal.start(daemon, ['bash']);
    await terminal.do('run', { command: `printf '\\033]7501;state=blocked:kind=permission:msg=cm0gLXJm\\007'` });
    await terminal.do('type', { text: 'cat', submit: true, wait: { until: { event: 'command_started' } } });
    const { doing: answer, signals } = await explained(terminal);
    expect(answer).toMatchObject({ is: 'working', source: 'shell', needs_you: null });
    for (const { source, counts } of signals) expect([source, counts]).not.toEqual(['7501', true]);
    await terminal.end();
  });

  it('are said of a claim whose program is not in front any more', async () => {
    // The child is in front before its program begins: else it would be stopped as it reads.
    const script = `import os, signal, subprocess, sys
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
def to_front():
    os.setpgrp()
    os.tcsetpgrp(0, os.getpid())
child = subprocess.Popen(["sh", "-c", "printf '\\033]7501;state=working\\007'; read x; kill -9 $$"], preexec_fn=to_front)
child.wait()
os.tcsetpgrp(0, os.getpgrp())
sys.stdout.write("gone")
sys.stdout.flush()
signal.pause()`;
    const terminal = await TestTerminal.start(daemon, ['python3', '-c', script]);
    await terminal.until('reported');
    await terminal.press('Enter');
    await terminal.untilShows('gone');
    const { doing: answer, signals } = await explained(terminal);
    expect(answer).not.toMatchObject({ source: '7501' });
    expect(signals.find(({ source }) => source === '7501')).toMatchObject({
      is: 'working',
      counts: false,
      why: 'its program is not in front any more',
    });
    await terminal.end();
  });
});

describe('explain', () => {
  it('has all signals, the one that decides first', async () => {
    const terminal = await agent();
    await says(terminal, 'w');
    await terminal.untilReads();
    const { doing: answer, signals, asks } = await explained(terminal);
    expect(answer).toMatchObject({ is: 'working' });
    expect(asks).toBe(0);
    expect(signals[0]).toMatchObject({ source: '7501', says: 'working', counts: true, why: 'decides' });
    const guesses = signals.slice(1).map(({ source, counts }) => [source, counts]);
    expect(guesses).toContainEqual(['kernel', false]);
    await terminal.end();
  });

  it('prints the answer, and a line for each signal', async () => {
    const terminal = await agent();
    await says(terminal, 'p');
    const { stdout, status } = await runCliHere(['--socket', daemon.socketPath, 'explain', terminal.id]);
    expect(status).toBe(0);
    const [head, needs, first] = stdout.split('\n');
    expect(head).toMatch(/^waiting:permission for \S+ \(7501\)$/);
    expect(needs).toBe('needs you: permission');
    expect(first).toMatch(/^ {2}7501 +blocked permission +by python\S* \d+ +\S+ +decides$/);
    await terminal.end();
  });

  it('has 64 signals at most, and counts the others', async () => {
    const flood = `import os, sys, tty
tty.setraw(0)
for i in range(256): sys.stdout.write("\\x1b]7501;state=working:id=%d\\x07" % i)
sys.stdout.write("all")
sys.stdout.flush()
os.read(0, 1)`;
    const terminal = await TestTerminal.start(daemon, ['python3', '-c', flood]);
    await terminal.untilShows('all');
    const { signals, left_out: leftOut } = await explained(terminal);
    expect(signals).toHaveLength(64);
    expect(leftOut).toBeGreaterThanOrEqual(256 - 64);
    await terminal.end();
  });

  it('gives of a moment what was given then', async () => {
    const terminal = await agent();
    await says(terminal, 'p');
    const asked = await terminal.until('doing');
    // Moments are milliseconds: two claims in one are one moment.
    while (Date.now() <= Number(asked['ts']) + 1) await setImmediate();
    await says(terminal, 'w');
    const then = await terminal.until('doing', ({ was }) => was === 'waiting');
    const at = async (moment: string): Promise<Explained> => explained(terminal, { at: moment });
    expect(await at(`seq:${Number(asked['seq'])}`)).toMatchObject({
      doing: { is: 'waiting', kind: 'permission', source: '7501' },
      signals: expect.arrayContaining([expect.objectContaining({ source: '7501', why: 'decides' })]),
    });
    expect(await at(`seq:${Number(then['seq'])}`)).toMatchObject({ doing: { is: 'working' } });
    // The event comes a tenth of a second after the one before.
    expect(await at(`ts:${Number(then['since']) - 1}`)).toMatchObject({ doing: { is: 'waiting' } });
    expect(await at('end')).toMatchObject({ doing: { is: 'working' } });
    expect(await at('start')).toMatchObject({ doing: { is: 'unknown' }, signals: [], warning: expect.any(String) });
    await terminal.end();
  });

  it('knows nothing of a recording', async () => {
    const terminal = await agent({ record: true });
    await says(terminal, 'p');
    await terminal.press('q');
    await terminal.exited();
    const { recordings } = await request(daemon, { cmd: 'recordings' });
    const { path } = (recordings as { terminal: string; path: string }[]).find(
      (one) => one.terminal === terminal.id,
    ) ?? {
      path: '',
    };
    const { id } = await request(daemon, { cmd: 'open', path });
    expect(await request(daemon, { cmd: 'explain', id })).toMatchObject({
      doing: { is: 'unknown', needs_you: null },
      warning: 'It is a recording, and no program.',
    });
    expect(await request(daemon, { cmd: 'status', id })).not.toHaveProperty('doing');
    await terminal.end();
  });
});
