/** The meaning of shell marks from several sources, and the prompt marks that are due after each of them. */
import { describe, expect, test } from 'vitest';
import { CommandMarks, CommandTurns } from './one-shell.js';

/** Starts as `+name`, ends as `-code:name`; prompts are left out. */
function story(sequences: string, marks = new CommandMarks()): string {
  const told: string[] = [];
  for (const sequence of sequences.trim().split(/\s+/)) {
    const [code = '', ...data] = sequence.split(';');
    for (const mark of marks.feed({ code: Number(code), data: data.join(';') })) {
      if (mark.mark === 'command_start') told.push(`+${mark.command ?? ''}`);
      if (mark.mark === 'command_done') told.push(`-${mark.code ?? 'null'}:${mark.command ?? ''}`);
    }
  }
  return told.join(' ');
}

function after(sequences: string): CommandMarks {
  const marks = new CommandMarks();
  story(sequences, marks);
  return marks;
}

test('a fresh terminal has no known shell and expects no marks', () => {
  const { phase, atPrompt, depth, promptIsDue, inputStartIsDue, shell, off } = new CommandMarks();
  expect([phase, atPrompt, depth, promptIsDue, inputStartIsDue, shell, off]).toEqual([
    'unknown',
    false,
    0,
    false,
    false,
    undefined,
    undefined,
  ]);
});

describe('the state of a shell', () => {
  test.each([
    ['the end of a prompt if its source marks such ends', '133;A 133;B 133;A', [false, true]],
    ['no mark if its source marks no ends of prompts', '133;A 133;A', [false, false]],
    ['the end of the first prompt of an injected script', '7777;shell;zsh 133;A;aid=1', [false, true]],
    [
      'the end of the first prompt even if another source marks its start before the script',
      '7777;shell;zsh 633;A',
      [false, true],
    ],
    [
      'no mark of another source after the injected script has marked a prompt',
      '7777;shell;zsh 133;A;aid=1 133;B;aid=1 633;A',
      [false, false],
    ],
    [
      'no mark of a script that has reported that it cannot mark commands',
      '7777;shell;zsh;off=x 633;A',
      [false, false],
    ],
    ['no mark after a complete prompt', '133;A 133;B', [false, false]],
    ['no mark while a command runs', '133;A 133;B 133;A 133;C', [false, false]],
    ['the next prompt and its end after a command', '133;A 133;B 133;C 133;D', [true, true]],
    ['only the next prompt after a command if its source marks no ends of prompts', '133;A 133;C 133;D', [true, false]],
    ['no mark after an end from a source without prompts', '7777;done;0', [false, false]],
    [
      'no mark of a script that can no longer mark commands',
      '133;A 133;B 133;C 133;D 7777;shell;x;off=y',
      [false, false],
    ],
  ])('expects %s', (_, sequences, expected) => {
    const { promptIsDue, inputStartIsDue } = after(sequences);
    expect([promptIsDue, inputStartIsDue]).toEqual(expected);
  });

  test('expects the marks of each source separately', () => {
    expect(after('133;B;aid=1 133;B;aid=2 133;A;aid=1').inputStartIsDue).toBe(true);
    expect(after('133;A;aid=1 133;A;aid=2 133;C;aid=1 133;D;0;aid=1').promptIsDue).toBe(true);
  });
});

describe('a command', () => {
  test('continues when a shell in it reports its name', () => {
    const marks = after('133;C;cmdline_url=zsh 7777;shell;zsh');
    expect([marks.phase, marks.depth, marks.shell]).toEqual(['running', 1, 'zsh']);
    expect(story('133;D;0', marks)).toBe('-0:zsh');
  });

  test('of a nested shell has the command line that was reported at its prompt', () => {
    expect(story('133;C;aid=1 133;A;aid=2 633;E;ls 133;C;aid=2 133;D;0;aid=2 133;D;1;aid=1')).toBe('+ +ls -0:ls -1:');
  });

  test('takes its command line from a later report if its start had none, and ignores other reports', () => {
    expect(story('133;C 633;E;ls 133;D;0')).toBe('+ -0:ls');
    expect(story('133;C;cmdline_url=ls 633;E;other 133;D;0 133;C 133;D;0')).toBe('+ls -0:ls + -0:');
  });

  test('has no command line if that was reported before an earlier prompt', () => {
    expect(story('633;E;ls 133;A 133;C 133;D;0')).toBe('+ -0:');
  });

  test('ends at the prompt of any source that has marked its start', () => {
    expect(story('133;C 633;C 633;A')).toBe('+ -null:');
  });
});

describe('an end', () => {
  test('that a source marks a second time is another end', () => {
    expect(story('7777;done;1 133;D;1 133;D;5')).toBe('-1: -5:');
  });

  test('at the prompt of a nested shell is reported', () => {
    expect(story('133;C;aid=1;cmdline_url=bash 133;A;aid=2 7777;done;3')).toBe('+bash -3:');
  });

  test('after the end of a command is a separate end and opens no command', () => {
    const marks = new CommandMarks();
    expect(story('133;C 133;D;0 7777;done;0 7777;done;1', marks)).toBe('+ -0: -1:');
    expect(marks.depth).toBe(0);
    expect(story('133;C 133;D;2', marks)).toBe('+ -2:');
  });
});

describe('the reason why a shell marks nothing', () => {
  test('is kept until an injected script marks something', () => {
    const marks = after('7777;shell;zsh;off=x 133;A 633;A');
    expect(marks.off).toBe('x');
    story('133;A;aid=1', marks);
    expect(marks.off).toBeUndefined();
  });

  test('is not reported as a mark if no command was running', () => {
    expect(new CommandMarks().feed({ code: 7777, data: 'shell;zsh;off=x' })).toEqual([]);
    expect(new CommandMarks().feed({ code: 7777, data: 'shell;zsh' })).toEqual([]);
  });
});

describe('a shell that receives lines', () => {
  function shell(seesWaiting: boolean) {
    const marks = new CommandMarks();
    const turns = new CommandTurns({ seesWaiting });
    return {
      turns,
      marks,
      isDone: () => turns.isDone(marks),
      types: (text: string) => turns.onInput(text, marks),
      tells: (...sequences: string[]) => {
        for (const data of sequences) for (const mark of marks.feed({ code: 133, data })) turns.onMark(mark);
      },
    };
  }

  test('waits for the rest of a line even if the prompt was redrawn for the line before', () => {
    const { turns, marks, types, tells } = shell(true);
    tells('A', 'B');
    types('one\r');
    tells('B');
    types('echo "two\r');
    expect(turns.onWaiting(marks)).toBe(false);
  });

  test('does not wait for a command at an incomplete prompt', () => {
    const { turns, marks, types, tells } = shell(true);
    tells('A', 'B');
    types('one\r');
    tells('A');
    expect(turns.onWaiting(marks)).toBe(false);
    tells('B');
    expect(turns.onWaiting(marks)).toBe(true);
  });

  test('is done with a line whose command began before the prompt that was due', () => {
    const { isDone, types, tells } = shell(false);
    tells('A', 'B', 'C', 'D;0');
    types('ls\r');
    tells('C', 'D;0', 'A');
    expect(isDone()).toBe(false);
    tells('B');
    expect(isDone()).toBe(true);
  });

  test('is done with several lines at the prompt after the last one', () => {
    const { isDone, types, tells } = shell(true);
    tells('A', 'B');
    types('one\ntwo\r\nthree\r');
    for (const expected of [false, false, true]) {
      tells('C', 'D;0', 'A', 'B');
      expect(isDone()).toBe(expected);
    }
  });

  test('is done with its lines after its marks are lost', () => {
    const { turns, isDone, types, tells } = shell(true);
    tells('A', 'B');
    types('one\rtwo\r');
    expect(isDone()).toBe(false);
    turns.forget();
    expect(isDone()).toBe(true);
  });
});
