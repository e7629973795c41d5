import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../../src/base/clock.js';
import { ShellCommand, type ShellRun } from '../../../src/daemon/shell/running-line.js';
import { canProbeInput } from '../../../src/daemon/system/proc/input-probe.js';
import { MARKS, ownTerminal, type OwnTerminalOptions, print } from '../../support/own-terminal.js';

const NEVER = new AbortController().signal;
/** The mark of a user's hook that reports only ends. */
const ENDED = '\x1b]7777;done;0\x07$ ';

interface TypedOptions extends OwnTerminalOptions {
  readonly prompt?: string;
  readonly input?: string;
}

/** At a prompt, with a line typed that the shell has not shown yet. */
async function typed(line: string, { prompt = MARKS.prompt, input, ...options }: TypedOptions = {}) {
  const clock = new FakeClock();
  const terminal = ownTerminal({ clock, ...options });
  await print(terminal, prompt);
  const command = new ShellCommand(terminal, clock, line);
  terminal.feed.input(Buffer.from(input ?? `\x1b[200~${line}\x1b[201~\r`));
  const end = (deadlineMs = Infinity, signal = NEVER): Promise<{ seen: ShellRun; keepsText: boolean }> =>
    command.end(deadlineMs, signal, (run) => run);
  return { clock, terminal, command, end };
}

describe('a command line is over', () => {
  test('when its command has ended and the prompt is back', async () => {
    const { clock, terminal, end } = await typed('ls');
    const ended = end();
    clock.advance(50);
    await print(terminal, `ls\n${MARKS.started('ls')}one\ntwo\n`);
    clock.advance(200);
    await print(terminal, MARKS.done(3) + MARKS.prompt);
    expect(await ended).toMatchObject({
      seen: {
        outcome: 'done',
        record: { command: 'ls', code: 3 },
        durationMs: 200,
        output: { first: 1, end: 3, lost: 0, endCol: undefined },
      },
      keepsText: false,
    });
  });

  test('when its last command has ended, with the time of all of them', async () => {
    const { clock, terminal, end } = await typed('one\ntwo', { input: 'one\rtwo\r' });
    const ended = end();
    clock.advance(50);
    await print(terminal, `one\n${MARKS.started('one')}1\n${MARKS.done(1)}${MARKS.prompt}`);
    clock.advance(200);
    await print(terminal, `two\n${MARKS.started('two')}2\n${MARKS.done(2)}${MARKS.prompt}`);
    expect((await ended).seen).toMatchObject({
      outcome: 'done',
      record: { command: 'two', code: 2 },
      durationMs: 250,
      output: { first: 1, end: 4, lost: 0 },
    });
  });

  test('when a prompt comes without a command: it was not run', async () => {
    const { clock, terminal, end } = await typed('');
    const ended = end();
    clock.advance(70);
    await print(terminal, `\n${MARKS.prompt}`);
    expect(await ended).toMatchObject({
      seen: { outcome: 'not_run', record: undefined, durationMs: 70 },
      keepsText: false,
    });
  });

  describe.runIf(canProbeInput)('when an unnamed shell draws its prompt again, with the line', () => {
    const refused = async () => {
      const { clock, terminal, end } = await typed('echo )');
      let isOver = false;
      const ended = end().finally(() => (isOver = true));
      await print(terminal, `echo )\nfish: Unexpected ')'\n${MARKS.prompt}echo )`);
      clock.advance(249);
      await print(terminal, `\r\x1b[J${MARKS.prompt}echo )`);
      expect(isOver).toBe(false);
      return { clock, terminal, ended };
    };

    test('and is seen waiting', async () => {
      const { terminal, ended } = await refused();
      terminal.detectors.shell.onWaiting.emit(null);
      expect(await ended).toMatchObject({ seen: { outcome: 'not_run' }, keepsText: true });
    });

    test('and no process is seen waiting', async () => {
      const { clock, ended } = await refused();
      clock.advance(1);
      expect(await ended).toMatchObject({ seen: { outcome: 'not_run' }, keepsText: true });
    });
  });

  test('when the shell reads on at the same prompt: the typed text is still there', async () => {
    const { terminal, end } = await typed('x');
    const ended = end();
    terminal.detectors.shell.onWaiting.emit(null);
    expect(await ended).toMatchObject({ seen: { outcome: 'not_run' }, keepsText: true });
  });

  test('when the shell waits for the rest of a command: the typed text is still there', async () => {
    const { terminal, end } = await typed('x');
    const ended = end();
    terminal.detectors.shell.onUnfinished.emit();
    expect(await ended).toMatchObject({ seen: { outcome: 'not_run' }, keepsText: true });
  });

  test('not while its command runs, even if that waits for input', async () => {
    const { terminal, end } = await typed('cat');
    const ended = end();
    await print(terminal, `cat\n${MARKS.started('cat')}`);
    terminal.detectors.shell.onWaiting.emit(null);
    await print(terminal, MARKS.done(0) + MARKS.prompt);
    expect((await ended).seen).toMatchObject({ outcome: 'done', record: { code: 0 } });
  });

  test('not before the shell has reported anything about it', async () => {
    // As before the line is written.
    const { clock, terminal, end } = await typed('ls', { input: '' });
    const ended = end(1000);
    await print(terminal, ' ');
    clock.advance(1000);
    expect((await ended).seen.outcome).toBe('timeout');
  });

  test('when the shell exits', async () => {
    const clock = new FakeClock();
    const terminal = ownTerminal({ clock, script: 'stty -echo; read line; printf out; exit 1' });
    await print(terminal, MARKS.prompt);
    const command = new ShellCommand(terminal, clock, 'exit 1');
    const ended = command.end(Infinity, NEVER, ({ outcome, output }) => ({ outcome, output }));
    await terminal.input.take(1, (writer) => writer.write(Buffer.from('\n')));
    expect(await ended).toMatchObject({ seen: { outcome: 'exited' }, keepsText: false });
  });

  test('at its deadline, and at once after it', async () => {
    const { clock, terminal, end } = await typed('sleep');
    clock.advance(100);
    const ended = end(1100);
    await print(terminal, `sleep\n${MARKS.started('sleep')}out`);
    clock.advance(999);
    clock.advance(1);
    expect((await ended).seen).toMatchObject({
      outcome: 'timeout',
      record: { running: true },
      durationMs: 1100,
      // With the row of the cursor: it is the command's.
      output: { first: 1, end: 2 },
    });
    const late = end(500);
    clock.advance(0);
    expect((await late).seen.outcome).toBe('timeout');
  });

  test('when its caller disconnects, or cannot read the screen', async () => {
    const { terminal, command, end } = await typed('ls');
    await expect(end(Infinity, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    const failing = command.end(Infinity, NEVER, () => {
      throw new Error('no look');
    });
    terminal.detectors.shell.onUnfinished.emit();
    await expect(failing).rejects.toThrow('no look');
  });
});

describe('the output', () => {
  test.each([
    ['after the line', 'ls', 'ls\n', 1],
    [
      'after all rows of a line that is longer than a row',
      'echo 12345678901234567890',
      'echo 12345678901234567890\n',
      2,
    ],
    ['after all lines of the command line', 'a\nb', 'a\n> b\n', 2],
  ])('begins %s if the shell reports no start', async (_, line, shown, first) => {
    const { terminal, end } = await typed(line, { prompt: ENDED });
    const ended = end();
    await print(terminal, `${shown}one\ntwo\n${ENDED}`);
    expect((await ended).seen).toMatchObject({ outcome: 'done', output: { first, end: first + 2, lost: 0 } });
  });

  test('is what the scrollback still has', async () => {
    const { terminal, end } = await typed('seq', { scrollback: 3 });
    const ended = end();
    const lines = Array.from({ length: 20 }, (_, i) => `${i}\n`).join('');
    await print(terminal, `seq\n${MARKS.started('seq')}${lines}${MARKS.done(0)}${MARKS.prompt}`);
    // 22 lines, of which 8 are left.
    expect((await ended).seen.output).toEqual({ first: 0, end: 7, lost: 13, endCol: undefined });
  });

  test('ends within the row of the prompt if its last line has no line break', async () => {
    const { terminal, end } = await typed('printf');
    const ended = end();
    await print(terminal, `printf\n${MARKS.started('printf')}one\ntwo${MARKS.done(0)}${MARKS.prompt}`);
    expect((await ended).seen.output).toMatchObject({ first: 1, end: 3, endCol: 3 });
  });

  test('is the content of an alternate screen', async () => {
    const { terminal, end } = await typed('vi');
    const ended = end(0);
    await print(terminal, `vi\n${MARKS.started('vi')}\x1b[?1049hfile`);
    terminal.detectors.shell.onUnfinished.emit();
    expect((await ended).seen.output).toEqual({ first: 0, end: 5, lost: 0, endCol: undefined });
  });

  test('is unknown after a new layout', async () => {
    const { terminal, end } = await typed('ls');
    const ended = end();
    await print(terminal, `ls\n${MARKS.started('ls')}one\n`);
    await terminal.resize(10, 5);
    await print(terminal, MARKS.done(0) + MARKS.prompt);
    expect((await ended).seen).toMatchObject({ outcome: 'done', output: undefined });
  });

  test('is unknown for a line typed on an alternate screen if the shell reports no start', async () => {
    const { terminal, end } = await typed('ls', { prompt: `\x1b[?1049h${ENDED}` });
    const ended = end();
    await print(terminal, `\x1b[?1049lls\none\n${ENDED}`);
    expect((await ended).seen).toMatchObject({ outcome: 'done', output: undefined });
  });
});
