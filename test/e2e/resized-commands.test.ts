/** Commands whose terminal gets other sizes while they run: the lines that they printed, in each shell. */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds, requireProgram } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ env: { HOME: '/dev/null/home', XDG_CONFIG_HOME: '/dev/null/home' } });
});
afterAll(() => daemon.stop());

const LONG = `${'long '.repeat(30)}end`;
const SIZES = [
  { cols: 50, rows: 30 },
  { cols: 110, rows: 12 },
  { cols: 80, rows: 24 },
];

const MARKS_STARTS: ReadonlySet<string> = new Set(['bash', 'zsh', 'fish']);

/** The lines of a command that waits for a file in its middle, while sizes change. */
async function linesThrough(shell: string, script: string, shown: string): Promise<{ lines: unknown; lost: unknown }> {
  const wait = { until: { done: true }, timeout_ms: 20_000 };
  const { id } = await request(daemon, { cmd: 'create', cmd_args: [requireProgram(shell)], wait });
  await request(daemon, { cmd: 'run', id, command: 'seq 60' });
  const file = tempDir().join('release');
  const words = ['sh', '-c', `${script}; until [ -e ${file} ]; do sleep 0.01; done; echo ${LONG}; echo last`];
  const run = request(daemon, { cmd: 'run', id, cmd_args: words, timeout_ms: 20_000 });
  await request(daemon, { cmd: 'wait', id, until: { regex: shown }, timeout_ms: 20_000 });
  for (const size of SIZES) await request(daemon, { cmd: 'resize', id, ...size });
  writeFileSync(file, '');
  const ran = await run;
  expect(ran).toMatchObject({ outcome: 'done', exit_code: 0 });
  await request(daemon, { cmd: 'kill', id });
  return { lines: ran['lines'], lost: ran['lost_lines'] };
}

describe.each(['bash', 'zsh', 'fish', 'dash', 'mksh'])('in %s', (shell) => {
  itNeeds(shell)('lines stay those of the command', async () => {
    const ran = await linesThrough(shell, `echo first; echo ${LONG}; echo second`, '^second');
    expect(ran).toEqual({ lines: ['first', LONG, 'second', LONG, 'last'], lost: 0 });
  });

  itNeeds(shell)('lines after a clear stay those of the command', async () => {
    const ran = await linesThrough(shell, String.raw`echo before; printf '\033[H\033[2J'; echo second`, '^second');
    const right = { lines: ['second', LONG, 'last'], lost: 1 };
    // A shell that marks no starts may clear in the same moment in which it takes the line.
    const unknown = { lines: [], lost: null };
    expect(MARKS_STARTS.has(shell) ? [right] : [right, unknown]).toContainEqual(ran);
  });
});
