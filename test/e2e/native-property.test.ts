/** Whatever a caller's process has, a command line ends by the native client as it does by Node. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { anyText } from '../support/any-text.js';
import { useCliDaemon } from '../support/cli-daemon.js';
import { environmentOf } from '../support/cli.js';
import { request } from '../support/daemon.js';
import { endHost, type Ended, endOf, itHasNative, programOf, startHost, type Way } from '../support/native.js';
import { tempDir } from '../support/temp-dir.js';
import { runsOf, seedOfRun } from '../support/trial.js';

const RUNS = { numRuns: runsOf({ suite: 12, trial: 100 }), seed: seedOfRun(), endOnFailure: true };

const cli = useCliDaemon();
let host: ChildProcess | undefined;
let printed = '';
let running = '';

beforeAll(async () => {
  host = await startHost(cli.daemon.socketPath);
  printed = await cli.printed('one\\ntwo\\n');
  running = await cli.create('cat');
});
afterAll(() => host && endHost(host));

interface Start {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin: readonly Uint8Array[];
}

function start(way: Way, { args, env, cwd }: Pick<Start, 'args'> & Partial<Start>): ChildProcess {
  const [program, ...first] = programOf(way);
  return spawn(program, [...first, ...args], {
    env: environmentOf({ env: { ...env, T4A_SOCKET: cli.daemon.socketPath } }),
    ...(cwd === undefined ? {} : { cwd }),
  });
}

/** Each cut is a write of its own, which the process may read before the next. */
async function ended(way: Way, given: Start): Promise<Ended> {
  const child = start(way, given);
  const end = endOf(child);
  child.stdin?.on('error', () => {});
  for (const cut of given.stdin)
    await new Promise<void>((resolve) => void child.stdin?.write(cut, () => setImmediate(resolve)));
  child.stdin?.end();
  return end;
}

const word = fc.oneof(
  fc.constantFrom('text', 'list', 'grep', 'help', 'paste', 'output', 'cells', 'hosts', 'bogus', '--', '-', ''),
  fc.constantFrom('--json', '--help', '--lines', '--bogus', '--as=me', '--color', 'never', '@PRINTED', '@', '0', '-1'),
  anyText({ maxLength: 12 }).map((text) => text.replaceAll('\0', '')),
);
const args = fc.oneof(
  fc.array(word, { maxLength: 6 }),
  fc.array(word, { maxLength: 3 }).map((words) => ['text', '@PRINTED', ...words]),
  fc.constant(['run', '--stdin', '--', 'od', '-c']),
  fc.array(word, { maxLength: 3 }).map((words) => ['run', '--', 'printf', '[%s]', ...words]),
);
const env = fc.record(
  {
    T4A_JSON: fc.constantFrom('', '0', '1', 'maybe'),
    T4A_AS: fc.constantFrom('', 'somebody', 'ä b'),
    NO_COLOR: fc.constantFrom('', '1'),
    COLUMNS: fc.constantFrom('1', '200', 'x'),
    LINES: fc.constantFrom('2', ''),
    XDG_CONFIG_HOME: fc.constantFrom('/nonexistent', 'relative'),
  },
  { requiredKeys: [] },
);
const stdin = fc.array(fc.uint8Array({ minLength: 1, maxLength: 70_000 }), { maxLength: 4 });

itHasNative('for any arguments, variables, directory, and standard input in any cuts', async () => {
  const dir = tempDir();
  mkdirSync(dir.join('a ä'));
  await fc.assert(
    fc.asyncProperty(args, env, fc.constantFrom('/', dir.join('a ä')), stdin, async (words, variables, cwd, cuts) => {
      // The JSON of a run has its times and its terminal.
      const own = words[0] === 'run' ? { ...variables, T4A_JSON: '0' } : variables;
      const given = { args: words.map((each) => each.replace('@PRINTED', printed)), env: own, cwd, stdin: cuts };
      expect(await ended('native', given)).toEqual(await ended('node', given));
    }),
    RUNS,
  );
});

const endless = fc.constantFrom(
  ['wait', '@RUNNING', '--text', 'NEVER'],
  ['events'],
  ['paste', '@RUNNING'],
  ['type', '@RUNNING', '.', '--wait', 'text=NEVER'],
);

itHasNative('a signal at any moment ends what waits', async () => {
  await fc.assert(
    fc.asyncProperty(
      endless,
      fc.constantFrom<NodeJS.Signals>('SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL', 'SIGUSR2'),
      fc.integer({ min: 0, max: 30 }),
      async (words, signal, turns) => {
        const child = start('native', { args: words.map((each) => each.replace('@RUNNING', running)) });
        onTestFinished(() => void child.kill('SIGKILL'));
        await once(child, 'spawn');
        const end = endOf(child);
        // A moment is a number of round trips to the daemon.
        for (let turn = 0; turn < turns; turn++) await request(cli.daemon, { cmd: 'ping' });
        child.kill(signal);
        const ended = await end;
        expect(ended.status, JSON.stringify(ended)).toBe(signal);
      },
    ),
    { ...RUNS, numRuns: runsOf({ suite: 20, trial: 200 }) },
  );
});
