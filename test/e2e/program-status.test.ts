/** What programs say they are doing (OSC 7501), through the front door. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { TestTerminal } from '../support/screen-fence.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** Prints each line that it reads as a report, and says when it has. */
const REPORTER = `import sys
for line in sys.stdin:
    sys.stdout.write("\\x1b]7501;" + line.strip() + "\\x07ok\\n")
    sys.stdout.flush()`;

async function reporter(): Promise<TestTerminal> {
  return TestTerminal.start(daemon, ['python3', '-c', REPORTER]);
}

async function report(terminal: TestTerminal, body: string): Promise<unknown> {
  await terminal.do('type', { text: body, submit: true, wait: { until: { text: 'ok' } } });
  return (await terminal.do('status'))['reported'];
}

describe('a program that asks whether its status is read', () => {
  const ASK = `import os, tty
tty.setraw(0)
os.write(1, b"\\x1b]7501;?\\x1b\\\\\\x1b[c")
got = b""
while not got.endswith(b"c"): got += os.read(0, 100)
os.write(1, repr(got).encode())`;

  it.each([
    ['answer', /^b'\\x1b\]7501;\?\\x1b\\\\\\x1b\[\?/],
    ['read', /^b'\\x1b\[\?/],
    ['off', /^b'\\x1b\[\?/],
  ])('has with program_status %j an answer like %s', async (program_status, answer) => {
    await request(daemon, { cmd: 'config', program_status });
    const terminal = await TestTerminal.start(daemon, ['python3', '-c', ASK]);
    await terminal.exited();
    expect((await terminal.lines()).join('')).toMatch(answer);
    await terminal.end();
    await request(daemon, { cmd: 'config', program_status: 'answer' });
  });
});

describe('the status of a program', () => {
  it('is that of its most urgent record, with who said it and since when', async () => {
    const terminal = await reporter();
    expect((await terminal.do('status'))['reported']).toBeNull();
    const before = Date.now();
    expect(await report(terminal, `state=working:app=claude:progress=40:msg=${base64('at work')}`)).toMatchObject({
      state: 'working',
      kind: null,
      id: '',
      app: 'claude',
      title: null,
      msg: 'at work',
      progress: 40,
      by: { pid: (await terminal.do('status'))['pid'], process: expect.stringContaining('python') },
      records: 1,
    });
    const asked = (await report(terminal, `state=blocked:id=tool:kind=permission:msg=${base64('rm -f x')}`)) as {
      since: number;
    };
    expect(asked).toMatchObject({ state: 'blocked', kind: 'permission', id: 'tool', app: 'claude', records: 2 });
    expect(asked.since).toBeGreaterThanOrEqual(before);
    expect(await report(terminal, 'state=clear:id=tool')).toMatchObject({ state: 'working', records: 1 });
    expect(await report(terminal, 'state=nope')).toMatchObject({ state: 'working', records: 1 });
    await terminal.end();
  });

  it('changes with an event, which wait and triggers know', async () => {
    const terminal = await reporter();
    const waiting = terminal.do('wait', { until: { event: 'reported' } });
    await report(terminal, 'state=blocked:kind=question');
    expect(await waiting).toMatchObject({
      outcome: 'matched',
      event: { event: 'reported', was: null, record: { state: 'blocked', kind: 'question' } },
    });
    await report(terminal, 'state=clear');
    expect(await terminal.until('reported', ({ was }) => was === 'blocked')).toMatchObject({
      record: { state: 'clear', id: '' },
    });
    await terminal.end();
  });

  it('makes few events in a flood of reports, and one for the last report', async () => {
    const flood = `import sys
for i in range(20000):
    sys.stdout.write("\\x1b]7501;state=%s:id=%d:progress=%d\\x07" % ("working" if i % 2 else "blocked", i % 60, i % 101))
sys.stdout.write("\\x1b]7501;state=done:id=last\\x07")
sys.stdout.flush()
sys.stdin.read()`;
    const terminal = await TestTerminal.start(daemon, ['python3', '-c', flood]);
    let told = 0;
    let leftOut = 0;
    await terminal.until('reported', ({ record, skipped }) => {
      told++;
      leftOut += Number(skipped ?? 0);
      return (record as { id: string }).id === 'last';
    });
    // Fifty a second, for the seconds that the flood and its rest take: 60 records are told once more at the end.
    expect(told).toBeLessThan(400);
    expect(told + leftOut).toBe(20_001);
    expect((await terminal.do('status'))['reported']).toMatchObject({ records: 61 });
    await terminal.end();
  });

  it('is dropped by a reset of the terminal, and not by a soft one', async () => {
    const terminal = await reporter();
    expect(await report(terminal, 'state=done')).toMatchObject({ state: 'done' });
    expect(await report(terminal, 'state=done\\x07\\x1b[!p\\x1b[?1049h\\x1b[?1049l')).toMatchObject({ state: 'done' });
    const resetter = await TestTerminal.start(daemon, [
      'sh',
      '-c',
      `printf '\\033]7501;state=done\\007\\033c\\033]7501;state=working:id=b\\007'; cat`,
    ]);
    await resetter.until('reported', ({ record }) => (record as { id: string }).id === 'b');
    expect((await resetter.do('status'))['reported']).toMatchObject({ state: 'working', id: 'b', records: 1 });
    await resetter.end();
    await terminal.end();
  });

  it('of what ran is gone with its process, and with the exit', async () => {
    const script = `printf '\\033]7501;state=working\\007\\033]7501;state=error:id=b\\007'`;
    const terminal = await TestTerminal.start(daemon, ['sh', '-c', script]);
    await terminal.exited();
    expect((await terminal.do('status'))['reported']).toBeNull();
    await terminal.end();
  });

  itNeeds('bash')('that is printed at a shell counts for nothing', async () => {
    const terminal = await TestTerminal.start(daemon, ['bash']);
    await terminal.do('run', { command: `printf '\\033]7501;state=blocked:kind=permission\\007'` });
    expect((await terminal.do('status'))['reported']).toBeNull();
    await terminal.end();
  });

  itNeeds('bash')('of a program in a shell ends with the next prompt', async () => {
    const terminal = await TestTerminal.start(daemon, ['bash']);
    const line = `sh -c 'printf "\\033]7501;state=working\\007"; read x'`;
    await terminal.do('type', { text: line, submit: true, wait: { until: { event: 'reported' } } });
    expect((await terminal.do('status'))['reported']).toMatchObject({ state: 'working', by: { process: 'sh' } });
    await terminal.press('Enter');
    expect(await terminal.until('reported', ({ was }) => was === 'working')).toMatchObject({
      record: { state: 'clear' },
    });
    expect((await terminal.do('status'))['reported']).toBeNull();
    await terminal.end();
  });

  it('begins anew when the program is started again', async () => {
    const terminal = await reporter();
    await report(terminal, 'state=done');
    await terminal.do('restart');
    expect((await terminal.do('status'))['reported']).toBeNull();
    await terminal.end();
  });
});
