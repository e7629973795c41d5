/** The start of a daemon's program, and the report if it fails. */
import { chmodSync, linkSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DaemonStart, type StartState } from '../../src/client/start-daemon.js';
import { logPath } from '../../src/protocol/socket-path.js';
import { tempDir, type TempDir } from '../support/temp-dir.js';

interface Place extends TempDir {
  readonly log: string;
  readonly start: (idleTimeoutMs?: number) => DaemonStart;
}

/** A place for a daemon whose program is this script. */
function place(script: string): Place {
  const dir = tempDir();
  const entry = dir.join('daemon.cjs');
  writeFileSync(entry, script);
  return {
    ...dir,
    log: logPath(dir.socketPath),
    start(idleTimeoutMs) {
      const start = new DaemonStart({ socketPath: dir.socketPath, entry, idleTimeoutMs });
      onTestFinished(() => start.release());
      return start;
    },
  };
}

async function ended(start: DaemonStart): Promise<StartState> {
  while (start.state === 'running') await new Promise(setImmediate);
  return start.state;
}

async function failureOf(script: string, before = ''): Promise<string> {
  const { start, log, socketPath } = place(script);
  if (before !== '') writeFileSync(log, before);
  const started = start();
  expect(await ended(started)).toBe('failed');
  const { code, message } = await started.failure();
  expect(code).toBe('daemon_unreachable');
  const prefix = `No daemon could be reached on ${JSON.stringify(socketPath)}: the daemon ended at start-up with `;
  expect(message.slice(0, prefix.length)).toBe(prefix);
  return message.slice(prefix.length);
}

test('a program gets its socket and its idle timeout, a session of its own, and a log for its errors', async () => {
  const isLeader = '(() => { try { return process.kill(-process.pid, 0); } catch { return false; } })()';
  const script = `console.error(process.env.T4A_SOCKET, process.argv.slice(2).join(), ${isLeader});`;
  const { start, log, socketPath } = place(script);
  expect(await ended(start(1234))).toBe('left');
  expect(await ended(start())).toBe('left');
  expect(readFileSync(log, 'utf8')).toBe(`${socketPath} 1234 true\n${socketPath}  true\n`);
  expect(statSync(log).mode & 0o777).toBe(0o600);
});

test('a failed start is reported with the last output of the daemon, and its status', async () => {
  const rows: readonly [script: string, expected: string][] = [
    [`console.error('one\\ntwo'); process.exit(3)`, 'exit status 3: two.'],
    [`console.error('It broke.'); process.exit(3)`, 'exit status 3: It broke.'],
    // Its own sentence, rather than the stack behind it.
    [
      `console.error('t4a daemon: no room.\\n    at main (x.js:1)'); process.exit(2)`,
      'exit status 2: t4a daemon: no room.',
    ],
    ['process.exit(4)', 'exit status 4.'],
    [`process.kill(process.pid, 'SIGKILL')`, 'SIGKILL.'],
    [`console.log('No log.'); process.exit(5)`, 'exit status 5: No log.'],
  ];
  const told = await Promise.all(rows.map(([script]) => failureOf(script)));
  expect(told).toEqual(rows.map(([, expected]) => expected));
});

test('a failed start is reported without the output of an earlier daemon', async () => {
  expect(await failureOf('process.exit(4)', 'earlier words\n')).toBe('exit status 4.');
});

test('the hint of a writable log is given only if the daemon reports an unwritable one', async () => {
  const said = place(`console.log('No log.'); process.exit(5)`);
  const silent = place('process.exit(5)');
  const [one, other] = [said.start(), silent.start()];
  await Promise.all([ended(one), ended(other)]);
  expect((await one.failure()).details.hint).toContain(`The log ${JSON.stringify(said.log)} cannot be written`);
  expect((await other.failure()).details.hint).toBe(`Its log is ${JSON.stringify(silent.log)}.`);
});

describe('the log', () => {
  test('of earlier daemons is kept up to a megabyte', async () => {
    const { start, log } = place('');
    for (const [bytes, kept] of [
      [1024 * 1024, 1024 * 1024],
      [1024 * 1024 + 1, 0],
    ] as const) {
      writeFileSync(log, Buffer.alloc(bytes, 'x'));
      await ended(start());
      expect(statSync(log).size).toBe(kept);
    }
  });

  test.each([
    ['a directory', (path: string) => mkdirSync(path), 'cannot be written (EISDIR)'],
    ['a link', (path: string) => symlinkSync('/etc/passwd', path), 'cannot be written (ELOOP)'],
    ['a link to nothing', (path: string) => symlinkSync(`${path}.other`, path), 'cannot be written (ELOOP)'],
    [
      'a file with another name',
      (path: string) => {
        writeFileSync(`${path}.other`, '');
        linkSync(`${path}.other`, path);
      },
      'is not your log file',
    ],
  ])('that is %s is refused', (_, make, expected) => {
    const { start, log } = place('');
    make(log);
    expect(() => start()).toThrow(
      expect.objectContaining({ code: 'socket_path', message: expect.stringContaining(expected) as string }),
    );
  });

  test('that cannot be created is refused with the problem of its directory', () => {
    const dir = tempDir();
    writeFileSync(dir.join('file'), '');
    chmodSync(dir.join('file'), 0o600);
    const start = (socketPath: string) => () => new DaemonStart({ socketPath, entry: dir.join('x') });
    expect(start(dir.join('missing', 's'))).toThrow('its directory does not exist');
    expect(start(dir.join('file', 's'))).toThrow('its directory is not a directory');
  });
});
