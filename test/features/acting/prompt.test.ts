import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../../src/base/clock.js';
import { lineAtPrompt, shellBusy, untilPrompt } from '../../../src/features/acting/prompt.js';
import { MARKS, ownTerminal, print } from '../../support/own-terminal.js';

const NEVER = new AbortController().signal;
const PASTES_ON = '\x1b[?2004h';
/** Of a shell that has marked the end of a prompt before. */
const UNFINISHED_PROMPT = `${MARKS.prompt}\n\x1b]133;A\x07`;

const withCode = (code: string): Error => expect.objectContaining({ code }) as Error;

/** Typed, whether or not the shell has read it. */
const typed = (text: string): Buffer => Buffer.from(text);

describe('an empty prompt', () => {
  test('exists once its end is marked', async () => {
    const terminal = ownTerminal({ hasIntegratedShell: true });
    expect(lineAtPrompt(terminal)).toBeUndefined();
    await print(terminal, MARKS.prompt);
    expect(lineAtPrompt(terminal)).toBe('empty');
  });

  test('is expected while only its beginning is marked', async () => {
    const terminal = ownTerminal();
    await print(terminal, UNFINISHED_PROMPT);
    expect(lineAtPrompt(terminal)).toBeUndefined();
  });

  test('is unknown for a shell without marks', async () => {
    const terminal = ownTerminal();
    expect(() => lineAtPrompt(terminal)).toThrow(withCode('no_shell_prompt'));
    await print(terminal, '$ ');
    expect(() => lineAtPrompt(terminal)).toThrow('No shell in terminal "t1" has reported a prompt.');
  });

  test('is not awaited if the injected scripts report that they cannot mark', async () => {
    const terminal = ownTerminal({ hasIntegratedShell: true });
    await print(terminal, '\x1b]7777;shell;bash;off=its DEBUG trap is taken\x07');
    expect(() => lineAtPrompt(terminal)).toThrow(': bash does not mark its prompts, since its DEBUG trap is taken.');
  });

  test('does not exist while a command runs', async () => {
    const terminal = ownTerminal();
    await print(terminal, `${MARKS.prompt}\n${MARKS.started('make')}`);
    expect(() => lineAtPrompt(terminal)).toThrow('The shell of terminal "t1" runs "make".');
    await print(terminal, `${MARKS.done(0)}${MARKS.prompt}\n\x1b]133;C\x07`);
    expect(() => lineAtPrompt(terminal)).toThrow('runs a command.');
  });

  test('is unknown while input is unanswered', async () => {
    const terminal = ownTerminal();
    await print(terminal, MARKS.prompt);
    terminal.feed.input(typed('a'));
    expect(lineAtPrompt(terminal)).toBeUndefined();
  });

  test.each([
    ['a', false],
    ['a\b \b', true],
    // Back in the same column, of another row.
    ['\x1b[B', false],
  ])('is empty while the cursor is at its end: after %j', async (echo, isEmpty) => {
    const terminal = ownTerminal();
    await print(terminal, MARKS.prompt);
    terminal.feed.input(typed('a'));
    await print(terminal, echo);
    if (isEmpty) expect(lineAtPrompt(terminal)).toBe('empty');
    else expect(() => lineAtPrompt(terminal)).toThrow('has text on its command line');
  });

  test('may have the cursor elsewhere if nothing was typed', async () => {
    const terminal = ownTerminal();
    await print(terminal, `${MARKS.prompt}\x1b[5;10H`);
    expect(lineAtPrompt(terminal)).toBe('empty');
  });

  test('does not exist after the shell has exited', async () => {
    const terminal = ownTerminal({ script: 'exit 3' });
    await terminal.exited();
    expect(() => lineAtPrompt(terminal)).toThrow(withCode('terminal_exited'));
  });
});

describe('the wait for a prompt', () => {
  async function started(printed = '') {
    const clock = new FakeClock();
    const terminal = ownTerminal({ clock, hasIntegratedShell: true });
    if (printed !== '') await print(terminal, printed);
    return { clock, terminal };
  }

  test('ends at once at a prompt that accepts pastes', async () => {
    const { clock, terminal } = await started(MARKS.prompt + PASTES_ON);
    const { pendingTimers } = clock;
    await untilPrompt(terminal, clock, 0, NEVER);
    expect(clock.pendingTimers).toBe(pendingTimers);
  });

  test('ends with the prompt', async () => {
    const { clock, terminal } = await started();
    const waiting = untilPrompt(terminal, clock, 1000, NEVER);
    await print(terminal, MARKS.prompt + PASTES_ON);
    await waiting;
  });

  test('ends a little later if the shell has not requested pastes yet', async () => {
    const { clock, terminal } = await started(MARKS.prompt);
    let isOver = false;
    const waiting = untilPrompt(terminal, clock, 1000, NEVER).finally(() => (isOver = true));
    await terminal.settle();
    clock.advance(249);
    await terminal.settle();
    expect(isOver).toBe(false);
    clock.advance(1);
    await waiting;
  });

  test('ends when the shell is seen reading', async () => {
    const { clock, terminal } = await started(MARKS.prompt);
    const waiting = untilPrompt(terminal, clock, 1000, NEVER);
    await terminal.settle();
    await terminal.settle();
    terminal.detectors.shell.onWaiting.emit(0);
    await waiting;
  });

  test('fails at its deadline', async () => {
    const { clock, terminal } = await started();
    const waiting = untilPrompt(terminal, clock, 1000, NEVER);
    const failure = expect(waiting).rejects.toThrow('has not reached its prompt');
    await terminal.settle();
    await print(terminal, 'starting');
    clock.advance(1000);
    await failure;
  });

  test('fails if a command begins, or if the shell waits for the rest of one', async () => {
    const { clock, terminal } = await started(UNFINISHED_PROMPT);
    const waiting = untilPrompt(terminal, clock, 1000, NEVER);
    const failure = expect(waiting).rejects.toThrow('runs "vi"');
    await terminal.settle();
    await print(terminal, MARKS.started('vi'));
    await failure;

    await print(terminal, MARKS.done(0) + UNFINISHED_PROMPT);
    const another = untilPrompt(terminal, clock, 1000, NEVER);
    const anotherFailure = expect(another).rejects.toThrow('waits for the rest of a command');
    await terminal.settle();
    await terminal.settle();
    terminal.detectors.shell.onUnfinished.emit(false);
    await anotherFailure;
  });

  test('fails for a disconnected caller', async () => {
    const { clock, terminal } = await started(MARKS.prompt + PASTES_ON);
    await expect(untilPrompt(terminal, clock, 1000, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });

  test('fails when the shell exits', async () => {
    const clock = new FakeClock();
    const terminal = ownTerminal({ clock, hasIntegratedShell: true, script: 'stty -echo; read line; exit 1' });
    const waiting = untilPrompt(terminal, clock, 1000, NEVER);
    const failure = expect(waiting).rejects.toThrow(withCode('terminal_exited'));
    await terminal.input.take(1, (writer) => writer.write(typed('\n')));
    await failure;
  });
});

test('the error for a busy shell names the command to wait for it', () => {
  const error = shellBusy(ownTerminal(), 'is busy');
  expect(error).toMatchObject({ code: 'shell_busy', message: 'The shell of terminal "t1" is busy.' });
  expect(error.details.hint).toContain('t4a wait t1 --done');
});
