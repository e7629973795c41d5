/** A command in another pid namespace, as in a container, asks: it is found by the numbers that the daemon sees. */
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, type it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { findProgram, itCannot, itNeeds } from '../support/programs.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const INTO: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'of unshare': ['unshare', '-p', '-f', '--mount-proc'],
  'of unshare, with the /proc of the outer one': ['unshare', '-p', '-f'],
  'of bwrap, in a session of its own': [
    'bwrap',
    '--bind',
    '/',
    '/',
    '--proc',
    '/proc',
    '--unshare-pid',
    '--new-session',
  ],
  'of nsenter': ['nsenter', '-t', String(process.pid), '-m', '-p'],
  'of script in unshare': ['unshare', '-p', '-f', '--mount-proc', 'script', '-qec'],
};

/** A sandbox may forbid it, and not every user may. */
function itInto([program, ...args]: readonly [string, ...string[]]): typeof it {
  if (findProgram(program) === undefined) return itNeeds(program, 'bash');
  const isScript = args.includes('script');
  const tried = spawnSync(program, isScript ? [...args, 'true', '/dev/null'] : [...args, 'true'], { stdio: 'ignore' });
  return tried.status === 0 ? itNeeds('bash') : itCannot(`a pid namespace by ${program}`);
}

describe.each(Object.entries(INTO))('a question in the pid namespace %s', { concurrent: true }, (_, words) => {
  const asks = `bash -c 'read -p "name? " x; exit 3'`;
  const line = words.includes('script')
    ? `${words.join(' ')} "${asks.replaceAll('"', '\\"')}" /dev/null`
    : `${words.join(' ')} ${asks}`;

  itInto(words)(
    'ends a run, in a new terminal and at the prompt of a shell, and its answer ends the command',
    async () => {
      const asked = { outcome: 'awaiting_input', awaiting_input: { kind: 'line', process: 'bash', certain: true } };
      const alone = await request(daemon, { cmd: 'run', command: line, timeout_ms: 20_000, keep: false });
      expect(alone).toMatchObject(asked);
      const wait = { until: { done: true }, timeout_ms: 20_000 };
      const { id } = await request(daemon, { cmd: 'create', cmd_args: ['bash'], wait });
      expect(await request(daemon, { cmd: 'run', id, command: line, timeout_ms: 20_000 })).toMatchObject(asked);
      const answered = await request(daemon, { cmd: 'type', id, text: 'me', submit: true, wait });
      expect(answered).toMatchObject({ wait: { outcome: 'matched', code: 3 } });
      await request(daemon, { cmd: 'kill', id });
    },
  );
});
