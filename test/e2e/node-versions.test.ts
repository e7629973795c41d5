/**
 * The same widths, output and pictures under every supported Node. T4A_NODE_BINARIES lists further binaries, separated by
 * colons; .ci/run fetches them. The one that runs this test is always among them.
 */
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { canProbeInput } from '../../src/terminal/system/proc/input-probe.js';
import { CLI } from '../support/cli.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { NOT_HERE } from '../support/left-out.js';
import { mustTestAll } from '../support/programs.js';
import { rawRequest } from '../support/raw.js';
import { tempDir } from '../support/temp-dir.js';
import { casesOf } from '../support/trial.js';

const binaries = [
  process.execPath,
  ...(process.env['T4A_NODE_BINARIES'] ?? '').split(':').filter((file) => file !== ''),
];
/** The lowest that `engines` names is wanted itself. */
const WANTED = ['20.19', '22', '24', '26'];

function versionOf(binary: string): string {
  return execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim();
}

function byVersion(one: string, other: string): number {
  return versionOf(one).localeCompare(versionOf(other), 'en', { numeric: true });
}

/** What the terminal and its event say of a program of that Node which reads a line. */
async function namesIn(daemon: TestDaemon, binary: string): Promise<unknown[]> {
  const { id, wait } = await request(daemon, {
    cmd: 'create',
    cmd_args: [binary, '-e', 'process.stdin.resume()'],
    wait: { until: { awaiting_input: true } },
  });
  const { foreground, awaiting_input: awaited } = await request(daemon, { cmd: 'status', id });
  expect(wait).toMatchObject({ outcome: 'matched' });
  return [foreground, (awaited as { process: string }).process];
}

const SHEET = String.raw`printf '😀|👨‍👩‍👧|🇫🇷|❤️|👍🏽|1️⃣|世|é|क्षि|각|a|\033[1;31mred\033[0m'`;

describe('every supported Node', () => {
  it('is among those tested', ({ skip }) => {
    const versions = binaries.map(versionOf);
    const missing = WANTED.filter((wanted) => !versions.some((version) => version.startsWith(`v${wanted}.`)));
    if (missing.length > 0 && !mustTestAll) {
      skip(`${NOT_HERE}${missing.map((version) => `Node ${version} (T4A_NODE_BINARIES)`).join(', ')}`);
    }
    expect(missing).toEqual([]);
  });

  it.runIf(canProbeInput)(
    'is reported under the name of its binary, as foreground process and as reader of input',
    async () => {
      const daemon = await startDaemon();
      const called = await Promise.all(binaries.map((binary) => namesIn(daemon, binary)));
      await daemon.stop();
      expect(called).toEqual(binaries.map((binary) => [path.basename(binary), path.basename(binary)]));
    },
  );

  const isOldest = (binary: string): boolean => binary === binaries.toSorted(byVersion)[0];
  it.each(casesOf(binaries, isOldest))('runs the command line and the daemon that it starts: %s', (binary) => {
    const dir = tempDir();
    const env = { ...process.env, HOME: dir.path, XDG_CONFIG_HOME: dir.path };
    const t4a = (...args: string[]): string =>
      execFileSync(binary, [CLI, '--socket', dir.join('s'), ...args], { encoding: 'utf8', env });
    try {
      expect(t4a('run', '--', 'echo', 'hello')).toBe('hello\n');
      expect(JSON.parse(t4a('stats', '--json'))).toMatchObject({ node: versionOf(binary) });
      expect(t4a('doctor')).toContain('ok');
    } finally {
      t4a('shutdown');
    }
  });

  it('draws the same pictures and reads the same text', async () => {
    const seen = new Map<string, string[]>();
    for (const binary of binaries) {
      const daemon = await startDaemon({ node: binary });
      try {
        expect(await request(daemon, { cmd: 'stats' })).toMatchObject({ node: versionOf(binary) });
        const { lines, id } = (await request(daemon, { cmd: 'run', command: SHEET, keep: true })) as {
          lines: string[];
          id: string;
        };
        const { col } = await request(daemon, { cmd: 'cursor', id });
        const { bytes } = await rawRequest(daemon.socketPath, { cmd: 'screenshot', id });
        const digest = createHash('sha256').update(bytes).digest('hex');
        const facts = JSON.stringify({ lines, col, digest });
        seen.set(facts, [...(seen.get(facts) ?? []), binary]);
        expect(daemon.log()).not.toContain('width');
      } finally {
        await daemon.stop();
      }
    }
    expect([...seen.values()]).toEqual([binaries]);
  });
});
