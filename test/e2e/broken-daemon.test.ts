/**
 * A daemon that answers late, incompletely or with invalid data, or that is stopped: in every client each call fails
 * with an error that names the reason, and the next call works. (killed-daemon.test.ts kills one.)
 */
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CALLERS, type Caller } from '../support/callers.js';
import { runCli } from '../support/cli.js';
import { endDaemonAt } from '../support/end-daemon.js';
import { fakeDaemon, replyLine, type Answer } from '../support/fake-daemon.js';
import { itNeeds } from '../support/programs.js';
import { RawConnection, rawRequest } from '../support/raw.js';
import { tempDir } from '../support/temp-dir.js';
import { casesOf } from '../support/trial.js';

const LOST = /^connection_lost$/;
const NOT_OURS = /^daemon_unreachable$/;
const STOPPED = /^daemon_stopped$/;

/** Answers that are none, and what is to be said of them. */
const NO_ANSWERS: Readonly<Record<string, readonly [Answer, RegExp]>> = {
  'closes the connection': [(socket) => void socket.destroy(), LOST],
  'closes in the middle of a line': [(socket) => void socket.end('{"ok":true,"re'), LOST],
  'closes in the middle of a picture': [(socket, req) => void socket.end(`${replyLine(req, { len: 100 })}half`), LOST],
  'speaks another protocol': [(socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), NOT_OURS],
  'sends bytes that are no text': [(socket) => void socket.write(Buffer.from([0xff, 0xfe, 0x0a])), NOT_OURS],
  'sends an array': [(socket) => void socket.write('[1]\n'), NOT_OURS],
  'sends null': [(socket) => void socket.write('null\n'), NOT_OURS],
  'sends an empty line': [(socket) => void socket.write('\n'), NOT_OURS],
  'announces bytes without a number': [(socket, req) => void socket.write(replyLine(req, { len: 'many' })), NOT_OURS],
  'announces a negative number of bytes': [(socket, req) => void socket.write(replyLine(req, { len: -1 })), NOT_OURS],
  'announces a fractional number of bytes': [
    (socket, req) => void socket.write(replyLine(req, { len: 0.5 })),
    NOT_OURS,
  ],
};

const IN_EACH_PROCESS = ['closes the connection', 'closes in the middle of a line', 'speaks another protocol'];

/** Answers that are complete in the end. */
const ODD_ANSWERS: Readonly<Record<string, Answer>> = {
  'byte by byte': (socket, req) => {
    let text = replyLine(req);
    const next = (): void => {
      socket.write(text.slice(0, 1));
      text = text.slice(1);
      if (text !== '') setImmediate(next);
    };
    next();
  },
  'with unknown fields': (socket, req) =>
    void socket.write(replyLine(req, { terminals: [], later: { a: [1] }, __proto__: 1 })),
  'after an answer to an unknown request': (socket, req) => void socket.write(replyLine(4711) + replyLine(req)),
};

const NO_JSON = 'a line that is no JSON';

/** First answers of what is no daemon. */
const HELLOS: Readonly<Record<string, Answer>> = {
  [NO_JSON]: (socket) => void socket.write('220 smtp ready\r\n'),
  'an object without fields': (socket, req) => void socket.write(replyLine(req, {})),
};

describe.each(Object.entries(CALLERS))('the %s client', (name, open) => {
  const run = /python|asyncio/i.test(name) ? itNeeds('python3') : it;
  /** One request after the other: the sync Python client has no other answers to expect. */
  const isSequential = name === 'Python';
  /** Each call is a process of its own, and its connection the library's. */
  const isProcess = name === 'command line';
  /** Who has connected for it is the library, which has both cases. */
  const isOfLibrary = isProcess || name === 'MCP';
  const noAnswers = casesOf(Object.entries(NO_ANSWERS), ([what]) => !isProcess || IN_EACH_PROCESS.includes(what));

  // In one test: the start of a client takes longer than its calls.
  run('fails when the daemon sends no answer, accepts odd answers, and waits for a late one', async () => {
    const daemon = await fakeDaemon();
    const caller = open(daemon.socketPath);
    expect(await caller.call('list')).toEqual({});
    for (const [what, [answer, code]] of noAnswers) {
      daemon.answers.push(answer);
      expectFailure(await caller.call('list'), code, what);
      expect(await caller.call('list'), `after one that ${what}`).toEqual({});
    }
    for (const [what, answer] of Object.entries(ODD_ANSWERS)) {
      if (isSequential && what === 'after an answer to an unknown request') continue;
      // The first of them is for the first request of a new connection.
      if (!isProcess) {
        daemon.answers.push((socket) => void socket.destroy());
        await caller.call('list');
      }
      daemon.answers.push(...(isProcess ? [answer] : [answer, answer]));
      expect(await caller.call('list'), what).toEqual({});
      if (!isProcess) expect(await caller.call('list'), what).toEqual({});
    }
    const asked = new Promise<() => void>((resolve) => {
      daemon.answers.push((socket, req) => resolve(() => void socket.write(replyLine(req))));
    });
    const outcome = caller.call('list');
    (await asked)();
    expect(await outcome).toEqual({});
  });

  run.each(casesOf(Object.entries(HELLOS), ([what]) => !isOfLibrary || what === NO_JSON))(
    'fails if the first ping is answered with %s',
    async (_, hello) => {
      const { socketPath } = await fakeDaemon(hello);
      expectFailure(await open(socketPath).call('list'), /^(daemon_unreachable|version_mismatch)$/);
    },
  );

  run('reaches a new daemon with its second call after a shutdown at the latest', async () => {
    const { caller, pid, socketPath } = await callerOfOwnDaemon(open);
    const gone = new RawConnection(socketPath);
    await once(gone.socket, 'connect');
    await runCli(['shutdown'], { socketPath });
    await gone.rest();
    gone.close();
    const first = await caller.call('list');
    // Who reads in the background may not have read of the end yet; who looks before each call has.
    if (isSequential || first.code === undefined) expect(first).toEqual({});
    else expectFailure(first, LOST);
    expect(await caller.call('list')).toEqual({});
    expect(await daemonPid(socketPath)).not.toBe(pid);
  });
});

describe('while the daemon is stopped', () => {
  const named = Object.keys(CALLERS);
  const inPython = (name: string): boolean => ['Python', 'asyncio'].includes(name);

  it('every client except those in Python fails, and works after the daemon continues', () =>
    standingStill(named.filter((name) => !inPython(name))));
  itNeeds('python3')('the clients in Python fail, and work after the daemon continues', () =>
    standingStill(named.filter(inPython)),
  );

  async function standingStill(names: readonly string[]): Promise<void> {
    const { caller, pid, socketPath } = await callerOfOwnDaemon(CALLERS['TypeScript']!);
    process.kill(pid, 'SIGSTOP');
    onTestFinished(() => void process.kill(pid, 'SIGCONT'));
    const late = names.map((name) => CALLERS[name]!(socketPath));
    for (const outcome of await Promise.all(late.map((each) => each.call('list')))) expectFailure(outcome, STOPPED);
    const underWay = caller.call('list');
    process.kill(pid, 'SIGCONT');
    expect(await underWay).toEqual({});
    for (const each of late) expect(await each.call('list')).toEqual({});
  }
});

function expectFailure({ code, message }: { code?: string; message?: string }, expected: RegExp, what = ''): void {
  expect(code, `${what}: ${message}`).toMatch(expected);
  expect(message).toMatch(/\S.{15,}/);
  expect(message).not.toMatch(/undefined|\[object|Traceback|KeyError|NaN/);
}

async function callerOfOwnDaemon(
  open: (socketPath: string) => Caller,
): Promise<{ caller: Caller; pid: number; socketPath: string }> {
  const { socketPath } = tempDir();
  onTestFinished(() => endDaemonAt(socketPath));
  const caller = open(socketPath);
  expect(await caller.call('list')).toEqual({});
  return { caller, pid: await daemonPid(socketPath), socketPath };
}

async function daemonPid(socketPath: string): Promise<number> {
  return (await rawRequest(socketPath, { cmd: 'ping' })).header['pid'] as number;
}
