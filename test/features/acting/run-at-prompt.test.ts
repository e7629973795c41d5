import { expect, test } from 'vitest';
import { type Clock, FakeClock, systemClock } from '../../../src/base/clock.js';
import { runAtPrompt } from '../../../src/features/acting/run-at-prompt.js';
import { MARKS, ownTerminal, print } from '../../support/own-terminal.js';

const NEVER = new AbortController().signal;

/** Marks its prompts and commands, and prints its input. */
const SHELL = `stty -echo
while printf '\\033]133;A\\007$ \\033]133;B\\007' && read -r line; do
  printf '%s\\n\\033]133;C;cmdline=%s\\007<%s>\\n\\033]133;D;3\\007' "$line" "$line" "$line"
done`;

function start(script?: string, clock: Clock = systemClock) {
  const terminal = ownTerminal({ clock, hasIntegratedShell: true, ...(script === undefined ? {} : { script }) });
  const run = (line: string, signal = NEVER, timeoutMs?: number) =>
    runAtPrompt(
      terminal,
      clock,
      { line: () => line, field: 'command', timeoutMs, signal },
      ({ outcome, record, output }) => ({
        outcome,
        code: record?.code,
        lines:
          output &&
          Array.from({ length: output.end - output.first }, (_, i) => terminal.screen.lineText(output.first + i)),
      }),
    );
  return { terminal, run };
}

test('a command is typed at the prompt, and its output is read at the next prompt', async () => {
  const { run } = start(SHELL);
  expect(await run('one')).toEqual({ outcome: 'done', code: 3, lines: ['<one>'] });
  expect(await run('two')).toEqual({ outcome: 'done', code: 3, lines: ['<two>'] });
});

test('a line that cannot be typed is refused before anything is written', async () => {
  const { run } = start(SHELL);
  await expect(run('a\x1bb')).rejects.toThrow(expect.objectContaining({ code: 'invalid_field' }) as Error);
  expect(await run('one')).toMatchObject({ outcome: 'done', lines: ['<one>'] });
});

test('a busy shell is not disturbed', async () => {
  const { terminal, run } = start();
  await print(terminal, `${MARKS.prompt}\n${MARKS.started('vi')}`);
  await expect(run('one')).rejects.toThrow('runs "vi"');
  expect(terminal.pendingInputBytes).toBe(0);
});

test('a prompt is awaited until the deadline', async () => {
  const clock = new FakeClock();
  const { terminal, run } = start(undefined, clock);
  const failed = expect(run('one', NEVER, 500)).rejects.toThrow('has not reached its prompt');
  await terminal.settle();
  clock.advance(500);
  await failed;
});

test('a disconnected caller runs nothing', async () => {
  const { run } = start(SHELL);
  await expect(run('one', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
});
