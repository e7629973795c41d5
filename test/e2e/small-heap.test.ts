/** A daemon with a heap of 64 MB survives what programs print: each of these floods once needed several times that. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { TestTerminal } from '../support/screen-fence.js';
import { inTrial } from '../support/trial.js';

let daemon: TestDaemon;
beforeEach(async () => {
  daemon = await startDaemon({ env: { NODE_OPTIONS: '--max-old-space-size=64' } });
});
afterEach(() => daemon.stop());

/** Runs JavaScript that prints into a raw terminal, until it ends and all is parsed. */
async function print(...scripts: string[]): Promise<void> {
  const bystander = await TestTerminal.start(daemon, ['sh', '-c', 'echo still here; exec cat']);
  const printers = scripts.map(async (script) => {
    const raw = 'stty raw -echo; exec "$0" -e "$1"';
    const terminal = await TestTerminal.start(daemon, ['sh', '-c', raw, process.execPath, script]);
    await terminal.until('exit');
    expect(await terminal.do('status')).toMatchObject({ exit_code: 0 });
    await terminal.end();
  });
  await Promise.all(printers);
  expect(await bystander.untilShows('still here')).toBe('still here');
  await bystander.end();
}

const WRITE =
  "const { writeSync } = require('node:fs'); const write = (text) => { for (let b = Buffer.from(text); b.length > 0;) b = b.subarray(writeSync(1, b)); };";

it('the daemon survives strings that do not end', async () => {
  const introducers = [']2;', ']8;;', ']9;', ']52;c;', ']4;', 'P$q', 'P+q', 'Pq', '_G', '^'];
  for (let i = 0; i < introducers.length; i += 2) {
    await print(
      ...introducers.slice(i, i + 2).map((introducer) => `${WRITE} write('\\x1b${introducer}' + 'A'.repeat(4e6))`),
    );
  }
});

inTrial(() => {
  it('the daemon survives thousands of long messages', async () => {
    await print(
      `${WRITE} for (let i = 0; i < 1500; i++) write('\\x1b]777;notify;message number ' + i + ';' + 'x'.repeat(60_000) + '\\x07')`,
    );
  });

  it('the daemon survives cells with a different link each', async () => {
    await print(
      `${WRITE} for (let i = 0; i < 40_000; i++) write('\\x1b]8;;http://a.example/' + i + '/' + 'x'.repeat(2000) + '\\x07x')`,
    );
  });
});
