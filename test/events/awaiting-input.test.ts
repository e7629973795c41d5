import { describe, expect, test } from 'vitest';
import {
  type ThreadActivity,
  decideAwaitingInput,
  mayAwaitInput,
  parseSttyFlags,
} from '../../src/events/awaiting-input.js';

const LINE = { canonical: true, echo: true };
const PASSWORD = { canonical: true, echo: false };
const RAW = { canonical: false, echo: false };

function thread(blockedIn: ThreadActivity['blockedIn'], pid = 7): ThreadActivity {
  return { pid, thread: pid, process: 'program', blockedIn };
}

const readsTerminal = thread({ kind: 'read', terminal: true });
const readsPipe = thread({ kind: 'read', terminal: false });
const pollsTerminalAlone = thread({ kind: 'poll', terminal: true, others: 0, timeLimit: false });
const pollsWithLimit = thread({ kind: 'poll', terminal: true, others: 0, timeLimit: true });
const pollsAmongOthers = thread({ kind: 'poll', terminal: true, others: 2, timeLimit: false });
const pollsSocket = thread({ kind: 'poll', terminal: false, others: 1, timeLimit: false });
const hidden = thread({ kind: 'hidden' });
const sleeps = thread({ kind: 'other' });
const NOT_AT_PROMPT = { atShellPrompt: false };

describe('the decision whether a program waits for input', () => {
  test.each([
    ['cat', [readsTerminal], LINE, 'line', true, 'shown'],
    ['getpass', [readsTerminal], PASSWORD, 'password', true, 'hidden'],
    ['less', [readsTerminal], RAW, 'raw', true, 'unknown'],
    ['readline', [pollsTerminalAlone], RAW, 'raw', true, 'unknown'],
    ['vim with a timer', [pollsWithLimit], RAW, 'raw', false, 'unknown'],
    ['node with sockets', [sleeps, pollsAmongOthers], RAW, 'raw', false, 'unknown'],
    ['sudo, which may not be inspected,', [hidden], PASSWORD, 'password', false, 'hidden'],
    ['a pipeline with a pager at its end', [readsPipe, sleeps, readsTerminal], RAW, 'raw', true, 'unknown'],
    [
      'a program with a likely reader before a certain one',
      [pollsAmongOthers, readsTerminal],
      LINE,
      'line',
      true,
      'shown',
    ],
  ])('%s waits', (_, threads, flags, kind, certain, secrecy) => {
    expect(decideAwaitingInput(threads, flags, NOT_AT_PROMPT)).toEqual({
      kind,
      pid: 7,
      process: 'program',
      certain,
      secrecy,
    });
  });

  test.each([
    ['a program that computes', [thread({ kind: 'other', work: 'runs' })], LINE],
    ['a program that reads a pipe', [readsPipe], LINE],
    ['a program that polls a socket', [pollsSocket], RAW],
    ['a program that may not be inspected, with echo on,', [hidden], LINE],
    ['a program that may not be inspected, in raw mode,', [hidden], RAW],
    ['an empty process group', [], PASSWORD],
  ])('%s does not wait', (_, threads, flags) => {
    expect(decideAwaitingInput(threads, flags, NOT_AT_PROMPT)).toBeUndefined();
  });

  const side = (blockedIn: ThreadActivity['blockedIn']): ThreadActivity => ({ ...thread(blockedIn), thread: 8 });
  const sideReads = side({ kind: 'read', terminal: true });
  const child = (blockedIn: ThreadActivity['blockedIn']): ThreadActivity => thread(blockedIn, 9);
  const runs = { kind: 'other', work: 'runs' } as const;
  const timed = { kind: 'other', work: 'sleeps' } as const;
  const pauses = { kind: 'other', work: 'pauses' } as const;
  test.each([
    ['a main thread that runs', [thread(runs), sideReads], false],
    ['a main thread that waits for a time', [thread(timed), sideReads], false],
    ['a main thread that waits for another one, for a time', [thread(pauses), sideReads], false],
    ['a main thread that waits for another one', [sleeps, sideReads], true],
    ['a main thread that waits for a server', [pollsSocket, sideReads], false],
    ['a main thread that reads a pipe', [readsPipe, sideReads], false],
    ['a child that runs', [readsTerminal, child(runs)], false],
    [
      'a child that waits for a time alone',
      [readsTerminal, child({ ...pollsSocket.blockedIn, others: 0, timeLimit: true } as never)],
      false,
    ],
    ['a child that serves', [readsTerminal, child(pollsSocket.blockedIn)], true],
    ['a child that waits for its own', [readsTerminal, child({ kind: 'other' })], true],
    ['idle threads of a runtime', [readsTerminal, side(pauses), side(pollsSocket.blockedIn)], true],
    ['another reader', [readsTerminal, child({ kind: 'read', terminal: true })], true],
  ])('a reader beside %s: certain is %s', (_, threads, certain) => {
    expect(decideAwaitingInput(threads, LINE, NOT_AT_PROMPT)).toMatchObject({ kind: 'line', certain });
    expect(decideAwaitingInput(threads, LINE, { atShellPrompt: true })?.certain).toBe(true);
  });

  test('a reader is likely where the group computes, and where it passes keys on', () => {
    for (const more of [{ isComputing: true }, { passesOn: () => true }]) {
      expect(decideAwaitingInput([readsTerminal], LINE, { ...NOT_AT_PROMPT, ...more })?.certain).toBe(false);
    }
  });

  test("a shell's event loop is a certain reader while its prompt is up", () => {
    expect(decideAwaitingInput([pollsAmongOthers], RAW, { atShellPrompt: true })?.certain).toBe(true);
  });

  test('the flags of the terminal are needed only if a thread may be reading it', () => {
    expect([readsTerminal, pollsWithLimit, hidden].map((one) => mayAwaitInput([one]))).toEqual([true, true, true]);
    expect([readsPipe, pollsSocket, sleeps].map((one) => mayAwaitInput([one]))).toEqual([false, false, false]);
  });
});

function sttyOutput(icanon: string, echo: string): string {
  return `speed 38400 baud; rows 24; columns 80; line = 0;\nintr = ^C;\nisig ${icanon} iexten ${echo} echoe -echonl\n`;
}

describe('stty', () => {
  test('reports canonical mode and echo', () => {
    expect(parseSttyFlags(sttyOutput('icanon', 'echo'))).toEqual(LINE);
    expect(parseSttyFlags(sttyOutput('icanon', '-echo'))).toEqual(PASSWORD);
    expect(parseSttyFlags(sttyOutput('-icanon', '-echo'))).toEqual(RAW);
  });

  test('reports no flags in other output', () => {
    expect(parseSttyFlags('')).toBeUndefined();
    expect(parseSttyFlags('stty: /dev/pts/9: No such file or directory')).toBeUndefined();
  });
});
