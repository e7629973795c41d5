import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../../src/base/clock.js';
import { ShellCommand, type ShellRun } from '../../../src/features/acting/running-line.js';
import { outputLines } from '../../../src/features/reading/output-lines.js';
import { commandRange } from '../../../src/terminal/command-range.js';
import type { Terminal } from '../../../src/terminal/terminal.js';
import { canProbeInput } from '../../../src/terminal/system/proc/input-probe.js';
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

function linesOf({ screen }: Terminal, { output }: Pick<ShellRun, 'output'>): [lines: string[], lost: number] {
  if (output === undefined) throw new Error('the place of the output is unknown');
  return [outputLines(screen, output, 100).lines, output.lost];
}

const commandLines = (terminal: Terminal, n: number) => linesOf(terminal, { output: commandRange(terminal, n) });

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
    terminal.detectors.shell.onUnfinished.emit(false);
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
    terminal.detectors.shell.onUnfinished.emit(false);
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
    expect((await ended).seen.output).toEqual({ first: 0, end: 7, lost: 13, endCol: undefined, isTold: true });
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
    terminal.detectors.shell.onUnfinished.emit(false);
    expect((await ended).seen.output).toEqual({ first: 0, end: 5, lost: 0, endCol: undefined });
  });

  test('keeps its place across a new layout while the command runs', async () => {
    const { terminal, end } = await typed('ls');
    const ended = end();
    await print(terminal, `ls\n${MARKS.started('ls')}one and two and three\n`);
    await terminal.resize(10, 5);
    await print(terminal, `four\n${MARKS.done(0)}${MARKS.prompt}`);
    expect(linesOf(terminal, (await ended).seen)).toEqual([['one and two and three', 'four'], 0]);
  });

  const HOME = '\x1b[H';
  test.each<[string, string, readonly string[], number?]>([
    ['after a clear', `${HOME}\x1b[2J\x1b[3Jhi\n`, ['hi']],
    ['after an erasure below the top', `${HOME}\x1b[Jhi\n`, ['hi']],
    ['after an erasure before the move', `\x1b[2J${HOME}hi\n`, ['hi']],
    ['after lines that it has erased itself', `1\n2\n${HOME}\x1b[2Jhi\n`, ['hi'], 2],
    ['with its own blank lines after a clear', `${HOME}\x1b[2J\nhi\n`, ['', 'hi']],
    ['after several clears', `${HOME}\x1b[2Ja\nb\n${HOME}\x1b[2Jc\n`, ['c'], 2],
    ['after a clear, in a row further down', `\x1b[2J\x1b[4;1Hlow\n`, ['low']],
    ['after a clear, without a line break', `${HOME}\x1b[2Jhi`, ['hi']],
    ['none after a clear', `${HOME}\x1b[2J`, []],
    ['after a clear, more than a screen', `${HOME}\x1b[2J1\n2\n3\n4\n5\n6\n7\n`, ['1', '2', '3', '4', '5', '6', '7']],
    ['after a reset', '\x1bchi\n', ['hi']],
    ['over the rows above', '\x1b[2A\x1b[Jone\ntwo\nthree\n', ['one', 'two', 'three']],
    ['over the rows above, without an erasure', '\x1b[2Aone  \nfour\nthree\nfour\n', ['one', 'four', 'three', 'four']],
    ['above, where it ends above its start', '\x1b[2A\x1b[Khi\n', ['hi']],
    ['without a line on top that it drew aside', `\x1b7${HOME}status\x1b8out\n`, ['out']],
    ['after the cursor went up and came back', '\x1b7\x1b[3A\x1b8out\n', ['out']],
    ['on both screens', 'one\n\x1b[?1049hfull\x1b[?1049ltwo\n', ['one', 'two']],
  ])('is what the command wrote %s', async (_, output, lines, lost = 0) => {
    const { terminal, end } = await typed('x', { prompt: `old\nolder\n${MARKS.prompt}` });
    const ended = end();
    await print(terminal, `x\n${MARKS.started('x')}${output}${MARKS.done(0)}${MARKS.prompt}`);
    expect(linesOf(terminal, (await ended).seen)).toEqual([lines, lost]);
  });

  test('is what the command wrote within a scroll region that was left behind', async () => {
    const { terminal, end } = await typed('x', { prompt: `\x1b[2;4r\x1b[4;1H${MARKS.prompt}` });
    const ended = end();
    await print(terminal, `x\n${MARKS.started('x')}1\n2\n${MARKS.done(0)}${MARKS.prompt}`);
    expect(linesOf(terminal, (await ended).seen)).toEqual([['1', '2'], 0]);
    // Of the region two rows are left above the prompt.
    const again = new ShellCommand(terminal, new FakeClock(), 'y').end(Infinity, NEVER, (run) => run);
    await print(terminal, `y\n${MARKS.started('y')}1\n2\n3\n4\n5\n${MARKS.done(0)}${MARKS.prompt}`);
    expect(linesOf(terminal, (await again).seen)).toEqual([['4', '5'], 3]);
    expect(commandLines(terminal, -2)).toEqual([[], 2]);
  });

  test('is found within such a region, too, if the shell reports no start', async () => {
    const { terminal, end } = await typed('x', { prompt: `\x1b[2;4r\x1b[4;1H${ENDED}` });
    const ended = end();
    await print(terminal, `x\n1\n2\n${ENDED}`);
    expect(linesOf(terminal, (await ended).seen)).toEqual([['1', '2'], 0]);
    const again = new ShellCommand(terminal, new FakeClock(), 'y').end(Infinity, NEVER, (run) => run);
    await print(terminal, `y\n1\n2\n3\n4\n5\n${ENDED}`);
    expect(linesOf(terminal, (await again).seen)).toEqual([['4', '5'], 3]);
  });

  describe('on an alternate screen that was left behind', () => {
    const LEFT = `shell\n\x1b[?1049h\x1b[2J${HOME}MENU\n`;
    test.each<[string, string, readonly string[], number?]>([
      ['is that of the command alone', 'hi\n', ['hi']],
      ['is what is left of it', '1\n2\n3\n4\n5\n6\n', ['3', '4', '5', '6'], 2],
      ['follows a clear', `${HOME}\x1b[2J\x1b[3Jhi\n`, ['hi']],
      ['is that on the normal screen, if the command has left the other', '\x1b[?1049lhi\n', ['hi']],
      ['is that of a command that leaves it and comes back', '\x1b[?1049lone\n\x1b[?1049htwo\n', ['two'], 1],
    ])('%s', async (_, output, lines, lost = 0) => {
      const { terminal, end } = await typed('x', { prompt: `${LEFT}${MARKS.prompt}` });
      const ended = end();
      await print(terminal, `x\n${MARKS.started('x')}${output}${MARKS.done(0)}${MARKS.prompt}`);
      expect(linesOf(terminal, (await ended).seen)).toEqual([lines, lost]);
      expect(commandLines(terminal, -1)).toEqual([lines, lost]);
    });

    test('is what the command that left it behind wrote there; its lines before are lost', async () => {
      const { terminal, end } = await typed('x');
      const ended = end();
      const output = `one\n\x1b[?1049h\x1b[2J${HOME}MENU\n`;
      await print(terminal, `x\n${MARKS.started('x')}${output}${MARKS.done(137)}${MARKS.prompt}`);
      expect(linesOf(terminal, (await ended).seen)).toEqual([['MENU'], 1]);
    });

    test('is reported as out of sight once that screen is left', async () => {
      const { terminal } = await typed('x', { prompt: `${LEFT}${MARKS.prompt}` });
      await print(terminal, `x\n${MARKS.started('x')}hi\n${MARKS.done(0)}${MARKS.prompt}\x1b[?1049l`);
      expect(() => commandLines(terminal, -1)).toThrow(/shows the normal screen/);
      await print(terminal, '\x1b[?1049h');
      expect(commandLines(terminal, -1)).toEqual([[], 1]);
    });
  });

  test('is unknown for a line typed on an alternate screen if the shell reports no start', async () => {
    const { terminal, end } = await typed('ls', { prompt: `\x1b[?1049h${ENDED}` });
    const ended = end();
    await print(terminal, `\x1b[?1049lls\none\n${ENDED}`);
    expect((await ended).seen).toMatchObject({ outcome: 'done', output: undefined });
  });
});
