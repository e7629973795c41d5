/**
 * The same widths, output and pictures under every supported Node. T4A_NODE_BINARIES lists further binaries, separated by
 * colons; .ci/run fetches them. The one that runs this test is always among them.
 */
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { request, startDaemon } from '../support/daemon.js';
import { NOT_HERE } from '../support/left-out.js';
import { mustTestAll } from '../support/programs.js';
import { rawRequest } from '../support/raw.js';

const binaries = [
  process.execPath,
  ...(process.env['T4A_NODE_BINARIES'] ?? '').split(':').filter((file) => file !== ''),
];
const WANTED_MAJORS = ['22', '24'];

function versionOf(binary: string): string {
  return execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim();
}

const SHEET = String.raw`printf '😀|👨‍👩‍👧|🇫🇷|❤️|👍🏽|1️⃣|世|é|क्षि|각|a|\033[1;31mred\033[0m'`;

describe('every supported Node', () => {
  it('is among those tested', ({ skip }) => {
    const majors = binaries.map((file) => /^v(\d+)/.exec(versionOf(file))?.[1]);
    const missing = WANTED_MAJORS.filter((major) => !majors.includes(major));
    if (missing.length > 0 && !mustTestAll) {
      skip(`${NOT_HERE}${missing.map((major) => `Node ${major} (T4A_NODE_BINARIES)`).join(', ')}`);
    }
    expect(missing).toEqual([]);
  });

  it('draws the same bytes and reads the same text', async () => {
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
