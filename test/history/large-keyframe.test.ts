import { expect, test } from 'vitest';
import { openScreen } from '../vt/screens.js';
import { logged, replayed, settled, shownBy } from './logged-screens.js';

test('the keyframe of a large screen is not copied, and begins the same screen before it is packed and after', async () => {
  const screen = openScreen({ cols: 400, rows: 300 });
  const log = logged(screen);
  await settled(screen, `${'\x1b[31mred \x1b[4:3;58;5;9mcurly e\u0301 '.repeat(2000)}\x1b]8;;http://a/\x07link`);
  await screen.resize(401, 300);
  await settled(screen, 'after');
  const rev = screen.rev;
  const shown = shownBy(screen);
  const last = log.chunks.at(-1)!;
  const there = (): object => {
    const replay = replayed(log, { kind: 'rev', number: rev, before: false });
    const seen = shownBy(replay.screen);
    replay.dispose();
    return seen;
  };
  expect(last.unpacked).toEqual({});
  expect(last.heldBytes).toBeGreaterThan(401 * 300 * 12);
  expect(there()).toEqual(shown);
  last.trim();
  const [, words] = last.unpacked.keyframe!;
  expect([words!.length, words!.buffer.byteLength]).toEqual([401 * 300 * 12, 401 * 300 * 12]);
  const before = log.heldBytes;
  log.trim();
  expect(log.heldBytes).toBeLessThan(before / 4);
  expect(there()).toEqual(shown);
  // Once it is closed, its entries are packed by themselves.
  await screen.resize(402, 300);
  expect(last.unpacked).toEqual({});
  expect(there()).toEqual(shown);
  screen.dispose();
});
