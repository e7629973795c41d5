/** What programs were doing: the past gives what was given then, from the log of the terminal's history. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { TestTerminal } from '../support/screen-fence.js';

const itOnLinux = it.runIf(process.platform === 'linux');

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

/** Prints each text up to a "!" that it reads as the body of a report, `+N` as N pieces of text, and rings a tenth of a second after `bell`. */
const AGENT = `import os, sys, time, tty
tty.setraw(0)
os.write(1, b"ready")
line = b""
while True:
    key = os.read(0, 1)
    if key != b"!":
        line += key
        continue
    if line == b"q": break
    if line == b"bell":
        time.sleep(0.1)
        os.write(1, b"\\x07")
        line = b""
        continue
    if line[:1] == b"=": os.write(1, line[1:].decode("unicode_escape").encode())
    elif line[:1] == b"+":
        for i in range(int(line[1:])): os.write(1, b"%d\\r\\n" % (i * 7919 % 10007) * 100)
        os.write(1, b"printed")
    else: os.write(1, b"\\x1b]7501;" + line + b"\\x07")
    line = b""`;

async function agent(on = daemon): Promise<TestTerminal> {
  const terminal = await TestTerminal.start(on, ['python3', '-c', AGENT]);
  await terminal.untilShows('ready');
  return terminal;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

async function says(terminal: TestTerminal, body: string): Promise<void> {
  await terminal.do('type', { text: `${body}!`, wait: { until: { event: 'reported' } } });
}

interface Explained extends Record<string, unknown> {
  readonly records: readonly Record<string, unknown>[];
  readonly signals: readonly { source: string }[];
}

const explain = async (terminal: TestTerminal, fields: object = {}): Promise<Explained> =>
  (await terminal.do('explain', fields)) as Explained;

/** Without ages, and without guesses: output is told when it has come, and logged when it is on the screen. */
function answerOf({ doing, records, asks, signals }: Explained): object {
  const claims = signals.filter(({ source }) => source !== 'kernel').map((signal) => ({ ...signal, age_ms: 0 }));
  return { doing, records, asks, claims };
}

async function mark(terminal: TestTerminal, label: string): Promise<void> {
  await terminal.do('marker', { label });
}

it('the past gives what was given then, of more answers than one could keep', async () => {
  const terminal = await agent();
  const given: object[] = [];
  for (let i = 0; i < 100; i++) {
    const state = ['working', 'blocked:kind=permission', 'done', 'error', 'idle'][i % 5];
    await says(terminal, `state=${state}:id=part${i % 3}:msg=${base64(`step ${i}`)}:app=fake`);
    if (i % 7 === 6) await says(terminal, `state=clear:id=part${i % 3}`);
    if (i % 30 === 0) await terminal.do('ask', { question: `${i}?`, as: 'helper', timeout_ms: 1 });
    given.push(answerOf(await explain(terminal)));
    await mark(terminal, `m${i}`);
  }
  for (const [i, answer] of given.entries()) {
    expect(answerOf(await explain(terminal, { at: `marker:m${i}` }))).toEqual(answer);
  }
  expect(new Set(given.map((answer) => JSON.stringify(answer))).size).toBeGreaterThan(90);
  await terminal.end();
});

it('the past has what was said between two answers', async () => {
  const terminal = await agent();
  for (const msg of ['first', 'second', 'third']) {
    await says(terminal, `state=working:progress=1:msg=${base64(msg)}`);
    await mark(terminal, msg);
  }
  for (const msg of ['first', 'second', 'third']) {
    const { doing, records } = await explain(terminal, { at: `marker:${msg}` });
    expect(doing).toMatchObject({ is: 'working', evidence: expect.stringContaining(msg) });
    expect(records).toMatchObject([
      { source: '7501', state: 'working', msg, progress: 1, stale: null, by: { process: expect.any(String) } },
    ]);
  }
  await terminal.end();
});

itOnLinux('the past has the reports of hooks, and their ends', async () => {
  const terminal = await agent();
  const pid = Number((await terminal.do('status'))['pid']);
  await terminal.do('report', { state: 'blocked', kind: 'question', msg: 'Which one?', pid });
  await mark(terminal, 'asked');
  await terminal.do('report', { state: 'working', path: 'sub' });
  await terminal.do('report', { state: 'clear' });
  await mark(terminal, 'cleared');
  expect(await explain(terminal, { at: 'marker:asked' })).toMatchObject({
    doing: { is: 'waiting', kind: 'question', source: 'report', needs_you: 'question' },
    records: [{ source: 'report', state: 'blocked', msg: 'Which one?', by: { pid }, stale: null }],
  });
  const cleared = await explain(terminal, { at: 'marker:cleared' });
  expect(cleared.records).toEqual([]);
  expect(cleared.doing).not.toMatchObject({ source: 'report' });
  await terminal.end();
});

itOnLinux('the past has who was in front: a claim is stale from then on', async () => {
  const terminal = await TestTerminal.start(daemon, [
    'bash',
    '--norc',
    '-ic',
    `set -m; python3 -c 'import sys; print("\\x1b]7501;state=working\\x07up", flush=True); input()'; echo over; read x`,
  ]);
  await terminal.untilShows('up');
  const before = answerOf(await explain(terminal));
  await mark(terminal, 'in front');
  await terminal.press('Enter');
  await terminal.untilShows('over');
  const after = await explain(terminal);
  expect(after.records).toMatchObject([{ state: 'working', stale: 'its program is not in front any more' }]);
  await mark(terminal, 'gone');
  expect(answerOf(await explain(terminal, { at: 'marker:in front' }))).toEqual(before);
  expect((await explain(terminal, { at: 'marker:gone' })).records).toEqual(after.records);
  await terminal.end();
});

it('the past goes with the history: what is kept still has its answer, what was dropped is an error', async () => {
  const own = await startDaemon();
  try {
    await request(own, { cmd: 'config', history_bytes: 64 * 1024 });
    const terminal = await agent(own);
    await says(terminal, `state=working:msg=${base64('early')}`);
    await mark(terminal, 'early');
    expect(await explain(terminal, { at: 'marker:early' })).toMatchObject({ records: [{ msg: 'early' }] });
    await terminal.do('type', { text: '+5000!', wait: { until: { text: 'printed' } } });
    expect(await terminal.ask('explain', { at: 'start' })).toMatchObject({ code: 'moment_lost' });
    await mark(terminal, 'late');
    // What was said before the oldest moment that is kept.
    expect(await explain(terminal, { at: 'marker:late' })).toMatchObject({
      doing: { is: 'working', source: '7501' },
      records: [{ msg: 'early' }],
    });
    await terminal.end();
  } finally {
    await own.stop();
  }
});

it('the past is lost while the history has a gap, and known again after it', async () => {
  const terminal = await agent();
  await says(terminal, `state=working:msg=${base64('before')}`);
  await mark(terminal, 'before');
  await terminal.do('type', { text: '=shown\\x1b]0;title!', wait: { until: { text: 'shown' } } });
  // No keyframe can be taken within a sequence.
  await terminal.do('resize', { cols: 70, rows: 20 });
  await terminal.do('report', { state: 'blocked', kind: 'question' });
  const ts = Date.now();
  await terminal.do('report', { state: 'clear' });
  expect(await terminal.ask('explain', { at: `ts:${ts}` })).toMatchObject({ code: 'moment_lost', field: 'at' });
  await terminal.do('type', { text: '=\\x07over!', wait: { until: { text: 'over' } } });
  await mark(terminal, 'after');
  for (const at of ['marker:before', 'marker:after']) {
    expect(await explain(terminal, { at })).toMatchObject({ doing: { source: '7501' }, records: [{ msg: 'before' }] });
  }
  await terminal.end();
});

it('the past of a terminal without a history is lost', async () => {
  const own = await startDaemon();
  try {
    await request(own, { cmd: 'config', history_bytes: 0 });
    const terminal = await agent(own);
    await says(terminal, 'state=working');
    expect(await terminal.ask('explain', { at: '-1s' })).toMatchObject({ code: 'moment_lost' });
    expect(await explain(terminal)).toMatchObject({ doing: { is: 'working' }, records: [{ state: 'working' }] });
    await terminal.end();
  } finally {
    await own.stop();
  }
});

it('programs that say nothing leave nothing in the past', async () => {
  const terminal = await agent();
  await mark(terminal, 'silent');
  expect(await explain(terminal, { at: 'marker:silent' })).toMatchObject({
    doing: { is: 'unknown', source: null },
    records: [],
    warning: 'Nothing had said by then what the program does.',
  });
  await terminal.end();
});

/** Reports of a hundred parts. */
const FLOOD = `import os, sys, tty
tty.setraw(0)
for i in range(20000):
    sys.stdout.write("\\x1b]7501;state=working:progress=%d:id=p%d\\x07" % (i % 101, i % 100))
sys.stdout.write("all")
sys.stdout.flush()
os.read(0, 1)`;

it('of more records than a reply has the latest are there, now and in the past', async () => {
  const terminal = await TestTerminal.start(daemon, ['python3', '-c', FLOOD]);
  await terminal.untilShows('all');
  const { records } = await explain(terminal);
  await mark(terminal, 'flooded');
  expect(records.map(({ id }) => id)).toEqual(Array.from({ length: 64 }, (_, i) => `p${99 - i}`));
  expect((await explain(terminal, { at: 'marker:flooded' })).records).toEqual(records);
  await terminal.end();
});

it('of reports in quick succession the past has the last one, before it is an event', async () => {
  // At the event `idle` it would be looked at.
  const terminal = await TestTerminal.start(daemon, ['python3', '-c', AGENT], { idle_timeout_ms: 60_000 });
  await terminal.do('wait', { until: { text: 'ready' } });
  const reports = [1, 2, 3].map((percent) => `state=working:progress=${percent}!`).join('');
  await terminal.do('type', { text: `${reports}bell!` });
  await terminal.until('bell');
  await mark(terminal, 'reported');
  expect(await explain(terminal, { at: 'marker:reported' })).toMatchObject({ records: [{ progress: 3 }] });
  await terminal.end();
});
