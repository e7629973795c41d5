/**
 * Equal screens give equal bytes in every daemon, independent of earlier pictures and of the version of Node.
 * T4A_NODE_BINARIES lists further binaries, separated by colons.
 */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { request, startDaemon } from '../support/daemon.js';
import { rawRequest } from '../support/raw.js';
import { casesOf } from '../support/trial.js';

/** Of other versions the suite compares one picture (node-versions.test.ts), and a trial all. */
const BINARIES = casesOf(
  [
    process.execPath,
    process.execPath,
    ...(process.env['T4A_NODE_BINARIES'] ?? '').split(':').filter((file) => file !== ''),
  ],
  (binary) => binary === process.execPath,
);

/** Told by a digit, draws one of its screens and says so by a bell. */
const SCREENS = String.raw`
const sgr = (n) => '\x1b[' + n + 'm';
const rows = (make) => Array.from({ length: 24 }, (_, y) => make(y)).join('\r\n');
const screens = [
  rows((y) => 'plain line ' + y * 977),
  rows((y) => sgr('1;' + (31 + y % 7)) + 'drwxr-xr-x' + sgr('0') + '  ' + y * 31 + '  ' + sgr(36) + 'parser-' + y + '.ts' + sgr(0)),
  rows((y) => Array.from({ length: 70 }, (_, x) => sgr('38;2;' + x * 3 + ';' + y * 9 + ';90;48;2;' + y * 5 + ';' + x + ';200') + '▀').join('') + sgr(0)),
  rows((y) => Array.from({ length: 12 }, (_, x) => sgr('38;5;' + (16 + (x * 24 + y) % 230)) + 'word' + x).join(' ') + sgr(0)),
  rows((y) => '😀 漢字 ─┼╮ ⣿⣶ é️ ℹ ✓ ' + sgr(7) + ' ' + y + ':42 ' + sgr(0)),
];
process.stdin.setRawMode(true);
process.stdin.on('data', (digit) => process.stdout.write('\x1b[0m\x1b[2J\x1b[H' + screens[Number(digit)] + '\x07'));
process.stdout.write('\x07');
`;
const COUNT = 5;
const LOOKS = [{}, { profile: 'cheap' }, { scale: 100, pad: 3, theme: 'light' }, { format: 'webp' }];

it('daemons draw equal screens as equal bytes, in any order', async () => {
  const digests = new Map<string, Set<string>>();
  for (const [place, node] of BINARIES.entries()) {
    const daemon = await startDaemon({ node });
    try {
      const bell = { wait: { until: { event: 'bell' } } };
      const cmdArgs = [process.execPath, '-e', SCREENS];
      const { id } = await request(daemon, { cmd: 'create', cmd_args: cmdArgs, ...bell });
      // Each daemon begins with another screen and goes on in another direction; all of them draw the first once more.
      const order = Array.from({ length: COUNT + 1 }, (_, step) => (place + step * (1 + (place % 2))) % COUNT);
      for (const screen of order) {
        expect(await request(daemon, { cmd: 'send', id, input: String(screen), ...bell })).toMatchObject({ ok: true });
        for (const look of place % 2 === 0 ? LOOKS : LOOKS.toReversed()) {
          const { header, bytes } = await rawRequest(daemon.socketPath, { cmd: 'screenshot', id, ...look });
          expect(header).toMatchObject({ ok: true, len: bytes.length });
          const key = `screen ${screen} as ${JSON.stringify(look)}`;
          const digest = createHash('sha256').update(bytes).digest('hex');
          digests.set(key, (digests.get(key) ?? new Set()).add(digest));
        }
      }
    } finally {
      await daemon.stop();
    }
  }
  expect(digests.size).toBe(COUNT * LOOKS.length);
  expect([...digests].filter(([, each]) => each.size > 1).map(([key]) => key)).toEqual([]);
});
