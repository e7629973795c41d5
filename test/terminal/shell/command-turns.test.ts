import { expect, test } from 'vitest';
import { CommandMarks, CommandTurns } from './one-shell.js';

/** Plays OSC sequences and inputs (`>line`), and returns after each step whether the shell is done: `+` or `-`. */
function play(steps: string): string {
  const marks = new CommandMarks();
  const turns = new CommandTurns();
  let told = '';
  for (const step of steps.split(' ')) {
    if (step.startsWith('>')) turns.onInput(step.slice(1).replace('_', '\r'), marks);
    else {
      const semicolon = step.indexOf(';');
      for (const mark of marks.feed({ code: Number(step.slice(0, semicolon)), data: step.slice(semicolon + 1) })) {
        turns.onMark(mark);
      }
    }
    told += turns.isDone(marks) ? '+' : '-';
  }
  return told;
}

test('a fresh shell is done at its first prompt', () => {
  expect(play('133;A 133;B')).toBe('++');
  expect(play('7777;shell;zsh 133;A;aid=1 133;B;aid=1')).toBe('--+');
});

test('a line is done when its command has ended, or at the end of the prompt if the shell marks it', () => {
  expect(play('133;A >ls_ 133;C 133;D;0')).toBe('+--+');
  expect(play('133;A 133;B >ls_ 133;C 133;D;0 133;A')).toBe('++----');
});

test('a line that was sent before the first prompt is not done at that prompt', () => {
  expect(play('>ls_ 133;A 133;B 133;C 133;D;0 133;A 133;B')).toBe('------+');
});

test('a line that was sent between the end of a command and the next prompt is not done at that prompt', () => {
  expect(play('133;A 133;B 133;C 133;D;0 >ls_ 133;A 133;B 133;C 133;D;0 133;A 133;B')).toBe('++--------+');
});

test('a line that starts no command is done at the next prompt', () => {
  expect(play('133;A 133;B >_ 133;A 133;B')).toBe('++--+');
});

test('a line that a program reads is done at the prompt after the program', () => {
  expect(play('133;A 133;B 133;C >yes_ 133;D;0 133;A 133;B')).toBe('++----+');
});

test('text without Enter leaves the shell done', () => {
  expect(play('133;A 133;B >ls')).toBe('+++');
});

test('if reads are observed, two lines are done after two prompts or when the shell is seen waiting', () => {
  const marks = new CommandMarks();
  const turns = new CommandTurns({ seesWaiting: true });
  const feed = (...sequences: string[]): void => {
    for (const data of sequences) for (const mark of marks.feed({ code: 133, data })) turns.onMark(mark);
  };
  feed('A', 'B');
  turns.onInput('one\rtwo\r', marks);
  feed('C', 'D;0', 'A', 'B');
  expect(turns.isDone(marks)).toBe(false);
  feed('C', 'D;0', 'A', 'B');
  expect(turns.isDone(marks)).toBe(true);
  turns.onInput('cat\rfor cat\r', marks);
  feed('C', 'D;0', 'A', 'B');
  expect(turns.isDone(marks)).toBe(false);
  expect(turns.onWaiting(marks)).toBe(true);
  expect(turns.isDone(marks)).toBe(true);
});

test('a shell that reads without a new prompt waits for the rest of a command', () => {
  const marks = new CommandMarks();
  const turns = new CommandTurns({ seesWaiting: true });
  const feed = (...sequences: string[]): void => {
    for (const data of sequences) for (const mark of marks.feed({ code: 133, data })) turns.onMark(mark);
  };
  feed('A', 'B');
  expect(turns.onWaiting(marks)).toBe(true);
  turns.onInput('echo "one\r', marks);
  expect(turns.onWaiting(marks)).toBe(false);
  // The same prompt again, with the line that was refused.
  feed('D;;refused;kept', 'B');
  expect(turns.onWaiting(marks)).toBe(true);
});

test.each(['\x03', '\x1b[99;5u'])('a shell does not wait for the rest of a line that a key (%j) has dropped', (key) => {
  const marks = new CommandMarks();
  const turns = new CommandTurns({ seesWaiting: true });
  for (const data of ['A', 'B']) for (const mark of marks.feed({ code: 133, data })) turns.onMark(mark);
  turns.onInput('echo "one\r', marks);
  turns.onInput('two', marks);
  expect(turns.onWaiting(marks)).toBe(false);
  turns.onInput(key, marks);
  expect(turns.isDone(marks)).toBe(false);
  expect(turns.onWaiting(marks)).toBe(true);
  turns.onInput(`${key}echo "one\r`, marks);
  expect(turns.onWaiting(marks)).toBe(false);
});

test('line breaks in a bracketed paste are text', () => {
  const marks = new CommandMarks();
  const turns = new CommandTurns({ seesWaiting: true });
  for (const mark of marks.feed({ code: 133, data: 'B' })) turns.onMark(mark);
  turns.onInput('\x1b[200~one\rtwo\x1b[201~', marks);
  expect(turns.isDone(marks)).toBe(true);
});

test('a hook that marks only ends marks its first end before any command', () => {
  expect(play('7777;done;0 >ls_ 7777;done;0')).toBe('+-+');
  expect(play('>ls_ 7777;done;0 7777;done;0')).toBe('--+');
});

test('a shell within a command is done at its own ends, and the outer shell at its own prompt', () => {
  const outer = '133;A;aid=1 133;B;aid=1 >bash_ 133;C;aid=1 7777;done;0';
  expect(play(`${outer} >ls_ 7777;done;0 >exit_ 133;D;0;aid=1 133;A;aid=1 133;B;aid=1`)).toBe('++--+-+---+');
});

test.each(['\x03', '\x1b[99;5u'])(
  'a dropped line (%j) is done at the next prompt or when the shell is seen reading',
  (key) => {
    const at = (sequences: string, marks: CommandMarks, turns: CommandTurns): void => {
      for (const sequence of sequences.split(' ')) {
        const semicolon = sequence.indexOf(';');
        const data = sequence.slice(semicolon + 1);
        for (const mark of marks.feed({ code: Number(sequence.slice(0, semicolon)), data })) turns.onMark(mark);
      }
    };
    for (const follows of ['prompt', 'reading']) {
      const marks = new CommandMarks();
      const turns = new CommandTurns({ seesWaiting: true });
      at('133;A;aid=1 133;B;aid=1', marks, turns);
      expect(turns.isDone(marks)).toBe(true);
      turns.onInput(key, marks);
      expect(turns.isDone(marks)).toBe(false);
      if (follows === 'prompt') at('133;A;aid=1 133;B;aid=1', marks, turns);
      else expect(turns.onWaiting(marks)).toBe(true);
      expect(turns.isDone(marks)).toBe(true);
    }
  },
);

test('a prompt that is redrawn at Enter does not count as the prompt after the line', () => {
  const marks = new CommandMarks();
  const turns = new CommandTurns({ seesWaiting: true });
  const see = (data: string): void => marks.feed({ code: 133, data }).forEach((mark) => turns.onMark(mark));
  see('A;aid=1');
  see('B;aid=1');
  turns.onInput('if true\r', marks);
  see('B;aid=1');
  expect(turns.onWaiting(marks)).toBe(false);
  expect(turns.isDone(marks)).toBe(false);
  see('A;aid=1');
  see('B;aid=1');
  expect(turns.onWaiting(marks)).toBe(true);
});

test('a fresh shell is not done at a prompt that its own hooks mark before the injected script does', () => {
  expect(play('7777;shell;zsh 133;D;0 133;A 133;A;aid=1 133;B;aid=1')).toBe('----+');
});
