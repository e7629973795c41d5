/** What the marks of shells mean where several speak, and what is due after each of them. */
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

test('of a fresh terminal nothing is known, and nothing is due', () => {
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

describe('what is due', () => {
  test.each([
    ['the end of a prompt whose source marks such ends', '133;A 133;B 133;A', [false, true]],
    ['nothing, where the source does not', '133;A 133;A', [false, false]],
    ['the end of the first prompt of an injected script', '7777;shell;zsh 133;A;aid=1', [false, true]],
    ['the end of that prompt, where another source marks it before the script', '7777;shell;zsh 633;A', [false, true]],
    [
      'nothing, of another source beside a script that has marked',
      '7777;shell;zsh 133;A;aid=1 133;B;aid=1 633;A',
      [false, false],
    ],
    ['nothing, of a script that has said it cannot mark anything', '7777;shell;zsh;off=x 633;A', [false, false]],
    ['nothing, once a prompt is complete', '133;A 133;B', [false, false]],
    ['nothing, while a command runs', '133;A 133;B 133;A 133;C', [false, false]],
    ['the next prompt and its end, after a command', '133;A 133;B 133;C 133;D', [true, true]],
    ['the next prompt, of a source that marks no ends', '133;A 133;C 133;D', [true, false]],
    ['nothing, after an end by a source without prompts', '7777;done;0', [false, false]],
    [
      'nothing, of a script that cannot mark anything any more',
      '133;A 133;B 133;C 133;D 7777;shell;x;off=y',
      [false, false],
    ],
  ])('is %s', (_, sequences, expected) => {
    const { promptIsDue, inputStartIsDue } = after(sequences);
    expect([promptIsDue, inputStartIsDue]).toEqual(expected);
  });

  test('is remembered of each source', () => {
    expect(after('133;B;aid=1 133;B;aid=2 133;A;aid=1').inputStartIsDue).toBe(true);
    expect(after('133;A;aid=1 133;A;aid=2 133;C;aid=1 133;D;0;aid=1').promptIsDue).toBe(true);
  });
});

describe('a command', () => {
  test('goes on when the shell in it says its name', () => {
    const marks = after('133;C;cmdline_url=zsh 7777;shell;zsh');
    expect([marks.phase, marks.depth, marks.shell]).toEqual(['running', 1, 'zsh']);
    expect(story('133;D;0', marks)).toBe('-0:zsh');
  });

  test('of a shell in a shell has the line that was reported at its prompt', () => {
    expect(story('133;C;aid=1 133;A;aid=2 633;E;ls 133;C;aid=2 133;D;0;aid=2 133;D;1;aid=1')).toBe('+ +ls -0:ls -1:');
  });

  test('has its line also from a report after the start, and none from a report of another', () => {
    expect(story('133;C 633;E;ls 133;D;0')).toBe('+ -0:ls');
    expect(story('133;C;cmdline_url=ls 633;E;other 133;D;0 133;C 133;D;0')).toBe('+ls -0:ls + -0:');
  });

  test('has no line that was reported before an earlier prompt', () => {
    expect(story('633;E;ls 133;A 133;C 133;D;0')).toBe('+ -0:');
  });

  test('is ended by the prompt of any source that has marked its start', () => {
    expect(story('133;C 633;C 633;A')).toBe('+ -null:');
  });
});

describe('an end', () => {
  test('that a source marks twice is two ends', () => {
    expect(story('7777;done;1 133;D;1 133;D;5')).toBe('-1: -5:');
  });

  test('at the prompt of a shell within a command is an end', () => {
    expect(story('133;C;aid=1;cmdline_url=bash 133;A;aid=2 7777;done;3')).toBe('+bash -3:');
  });

  test('after that of a command is another, and reopens nothing', () => {
    const marks = new CommandMarks();
    expect(story('133;C 133;D;0 7777;done;0 7777;done;1', marks)).toBe('+ -0: -1:');
    expect(marks.depth).toBe(0);
    expect(story('133;C 133;D;2', marks)).toBe('+ -2:');
  });
});

describe('the reason why a shell marks nothing', () => {
  test('holds until one of the injected scripts marks something', () => {
    const marks = after('7777;shell;zsh;off=x 133;A 633;A');
    expect(marks.off).toBe('x');
    story('133;A;aid=1', marks);
    expect(marks.off).toBeUndefined();
  });

  test('is no mark where nothing ran', () => {
    expect(new CommandMarks().feed({ code: 7777, data: 'shell;zsh;off=x' })).toEqual([]);
    expect(new CommandMarks().feed({ code: 7777, data: 'shell;zsh' })).toEqual([]);
  });
});

describe('a shell that gets lines', () => {
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

  test('waits for the rest of a line although the prompt was drawn again for the one before', () => {
    const { turns, marks, types, tells } = shell(true);
    tells('A', 'B');
    types('one\r');
    tells('B');
    types('echo "two\r');
    expect(turns.onWaiting(marks)).toBe(false);
  });

  test('does not wait at a prompt that is not complete', () => {
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

  test('is done with as many lines as it has drawn prompts for', () => {
    const { isDone, types, tells } = shell(true);
    tells('A', 'B');
    types('one\ntwo\r\nthree\r');
    for (const expected of [false, false, true]) {
      tells('C', 'D;0', 'A', 'B');
      expect(isDone()).toBe(expected);
    }
  });

  test('is done with lines that are given up', () => {
    const { turns, isDone, types, tells } = shell(true);
    tells('A', 'B');
    types('one\rtwo\r');
    expect(isDone()).toBe(false);
    turns.forget();
    expect(isDone()).toBe(true);
  });
});
