import { expect, test } from 'vitest';
import { FakeClock } from '../../../src/base/clock.js';
import { COMMAND_LOG_CAPACITY, CommandLog } from '../../../src/terminal/shell/command-log.js';

const at = (line: number | undefined, col = 0) => ({ line, col });
const start = (command?: string) => ({ mark: 'command_start', command }) as const;
const done = (code: number | null, command?: string) => ({ mark: 'command_done', code, command }) as const;

test('a command is recorded with its command line, directory, exit code, duration and output lines', () => {
  const clock = new FakeClock();
  const log = new CommandLog(clock);
  clock.advance(100);
  log.onMark(start('make'), at(5), '/src');
  expect(log.last).toMatchObject({ n: 1, running: true, output: { first: 5, end: undefined } });
  clock.advance(250);
  log.onMark(done(2, 'make'), at(9), '/src');
  expect(log.last).toEqual({
    n: 1,
    command: 'make',
    cwd: '/src',
    startedAt: 100,
    running: false,
    code: 2,
    durationMs: 250,
    output: { first: 5, end: 9 },
  });
});

test('output includes a last line without a newline, and has no place if it ends on the alternate screen', () => {
  const log = new CommandLog(new FakeClock());
  log.onMark(start('printf x'), at(3), undefined);
  log.onMark(done(0, 'printf x'), at(3, 1), undefined);
  expect(log.last?.output).toEqual({ first: 3, end: 4, endCol: 1 });
  log.onMark(start('vim'), at(4), undefined);
  log.onMark(done(0, 'vim'), at(undefined), undefined);
  expect(log.last?.output).toBeUndefined();
});

test('an end without a start is recorded as a command without a duration', () => {
  const log = new CommandLog(new FakeClock());
  log.onMark(done(4), at(1), '/');
  expect(log.last).toMatchObject({ n: 1, code: 4, running: false, durationMs: undefined, output: undefined });
});

test('the end of an outer command ends the commands nested in it', () => {
  const log = new CommandLog(new FakeClock());
  log.onMark(start('bash'), at(0), '/');
  log.onMark(start('ls'), at(1), '/');
  log.onMark(done(0, 'ls'), at(2), '/');
  log.onMark(start('sleep'), at(2), '/');
  log.onMark(done(130, 'bash'), at(3), '/');
  expect(log.records.map(({ command, code, running }) => [command, code, running])).toEqual([
    ['bash', 130, false],
    ['ls', 0, false],
    ['sleep', null, false],
  ]);
});

test('with the shell ends what it ran, and its output stays in its place', () => {
  const clock = new FakeClock();
  const log = new CommandLog(clock);
  log.onMark(start('bash'), at(0), '/');
  log.onMark(start('exec false'), at(1), '/', 1);
  clock.advance(20);
  log.exited();
  expect(log.last).toMatchObject({ command: 'exec false', running: false, code: null, durationMs: 20 });
  expect(log.records).toMatchObject([{ running: false }, { running: false }]);
  log.onRows({ change: 'erased', from: 5 });
  expect(log.last?.output).toMatchObject({ first: 1, end: undefined });
});

test('commands are found by number or from the end, and the oldest are dropped', () => {
  const log = new CommandLog(new FakeClock());
  for (let i = 1; i <= COMMAND_LOG_CAPACITY + 5; i++) {
    log.onMark(start(`c${i}`), at(i), '/');
    log.onMark(done(0, `c${i}`), at(i), '/');
  }
  expect(log.records).toHaveLength(COMMAND_LOG_CAPACITY);
  expect(log.find(5)).toBeUndefined();
  expect(log.find(6)?.command).toBe('c6');
  expect(log.find(-2)?.command).toBe(`c${COMMAND_LOG_CAPACITY + 4}`);
});

test('output keeps its place while lines are renumbered, unless it is lost, cut or added during that time', () => {
  const log = new CommandLog(new FakeClock());
  const run = (command: string, first: number, end: number): void => {
    log.onMark(start(command), at(first), '/');
    log.onMark(done(0, command), at(end), '/');
  };
  run('lost', 0, 2);
  run('kept', 2, 5);
  run('cut', 5, 7);
  log.onMark(start('running'), at(7), '/');
  let held = 0;
  const follow = (line: number) => {
    held++;
    return { line: line < 2 ? undefined : line * 10, dispose: () => void held-- };
  };
  const renumbered = log.followPlaces(follow, ({ command }) => command === 'cut');
  log.onMark(done(0, 'running'), at(9), '/');
  log.onMark(start('meanwhile'), at(9), '/');
  renumbered();
  expect(log.records.map(({ command, output }) => [command, output])).toEqual([
    ['lost', undefined],
    ['kept', { first: 20, end: 50 }],
    ['cut', undefined],
    ['running', undefined],
    ['meanwhile', undefined],
  ]);
  expect(held).toBe(0);
});

test('an end with a command line ends the innermost command and names it', () => {
  const log = new CommandLog(new FakeClock());
  log.onMark(start('bash'), at(0), '/');
  log.onMark(start(), at(1), '/');
  log.onMark(done(3, 'ls'), at(2), '/');
  expect(log.records.map(({ command, code, running }) => [command, code, running])).toEqual([
    ['bash', null, true],
    ['ls', 3, false],
  ]);
});

test('a prompt is not recorded, and a number outside the log finds no command', () => {
  const log = new CommandLog(new FakeClock());
  expect(log.onMark({ mark: 'prompt_start' }, at(0), '/')).toBeUndefined();
  expect([log.last, log.find(-1)]).toEqual([undefined, undefined]);
  const record = log.onMark(start('ls'), at(0), '/');
  expect([log.find(0), log.find(1), log.find(-1), log.find(-2)]).toEqual([undefined, record, record, undefined]);
});

test('output that began below its end has no place', () => {
  const log = new CommandLog(new FakeClock());
  log.onMark(start('clear'), at(7), '/');
  log.onMark(done(0, 'clear'), at(6), '/');
  expect(log.last?.output).toBeUndefined();
  log.onMark(start('true'), at(7), '/');
  log.onMark(done(0, 'true'), at(7), '/');
  expect(log.last?.output).toEqual({ first: 7, end: 7 });
});

test('renumbering drops the place of output whose end is lost, and moves the place of running output', () => {
  const log = new CommandLog(new FakeClock());
  log.onMark(start('ends too late'), at(1), '/');
  log.onMark(done(0, 'ends too late'), at(9), '/');
  log.onMark(start('running'), at(2), '/');
  log.onMark(start('on the alternate screen'), at(undefined), '/');
  const follow = (line: number) => ({ line: line > 5 ? undefined : line + 100, dispose: () => {} });
  log.followPlaces(follow, () => false)();
  expect(log.records.map(({ output }) => output)).toEqual([undefined, { first: 102, end: undefined }, undefined]);
});

test('what was erased before a start that is reported late is followed to its new number', () => {
  const log = new CommandLog(new FakeClock());
  log.onMark({ mark: 'input_start' }, at(5), '/');
  log.onRows({ change: 'erased', from: 2 });
  log.onRows({ change: 'written', first: 2, last: 3 });
  log.followPlaces(
    (line) => ({ line: line + 100, dispose: () => {} }),
    () => false,
  )();
  log.onMark(start('clear'), { ...at(106), agoMs: 1 }, '/');
  expect(log.last?.output).toEqual({ first: 102, end: undefined });
});

test('the place of output above the alternate screen is followed while that screen is shown', () => {
  const log = new CommandLog(new FakeClock());
  log.onMark(start('less'), at(4), '/');
  log.onRows({ change: 'screen', alternate: true, left: 5 });
  log.followPlaces(
    (line) => ({ line: line + 10, dispose: () => {} }),
    () => false,
  )();
  log.onRows({ change: 'screen', alternate: false, left: 15 });
  expect(log.last?.output).toEqual({ first: 14, end: undefined });
});
