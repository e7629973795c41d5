import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOf, contentOf, openScreen, show } from '../screens.js';
import { choppedInput } from '../terminal-input.js';
import { runsOf } from '../../support/trial.js';

test('bytes cut anywhere and parsed piece by piece give the same screen as one write', async () => {
  await fc.assert(
    fc.asyncProperty(choppedInput, async (pieces) => {
      const whole = openScreen();
      const chopped = openScreen();
      whole.write(Buffer.concat(pieces));
      await whole.settle(60_000);
      for (const piece of pieces) {
        chopped.write(piece);
        await chopped.settle(60_000);
        chopped.snapshot();
      }
      expect(contentOf(chopped.snapshot())).toEqual(contentOf(whole.snapshot()));
      expect(chopped.totalLines).toBe(whole.totalLines);
      expect(chopped.firstLineNumber).toBe(whole.firstLineNumber);
      expect(chopped.modes).toEqual(whole.modes);
      whole.dispose();
      chopped.dispose();
    }),
    { numRuns: runsOf({ suite: 78, trial: 400 }) },
  );
});

test('a character may be split at every byte', async () => {
  const bytes = bytesOf('aé中\u{1f600}\u{1f468}\u200d\u{1f469}\u{1f1e9}\u{1f1ea}z');
  const whole = await show(openScreen(), new TextDecoder().decode(bytes));
  for (let cut = 0; cut <= bytes.length; cut++) {
    const screen = openScreen();
    screen.write(bytes.subarray(0, cut));
    await screen.settle(60_000);
    screen.write(bytes.subarray(cut));
    await screen.settle(60_000);
    expect(contentOf(screen.snapshot()), `cut at byte ${cut}`).toEqual(contentOf(whole));
  }
});

test('invalid UTF-8 is shown as U+FFFD, and a byte order mark takes no cell', async () => {
  const screen = openScreen();
  screen.write(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0xff, 0x62, 0xc3, 0x28, 0xe2, 0x82, 0x63));
  await screen.settle(60_000);
  const row = screen.snapshot().lines[0];
  const words = Array.from(row?.cells ?? []).filter((_, index) => index % 4 === 0);
  expect(words.slice(0, 8)).toEqual([0x61, 0xfffd, 0x62, 0xfffd, 0x28, 0xfffd, 0x63, 0]);
});

test('split characters between long runs of plain ASCII are shown as in one write', async () => {
  const plain = bytesOf('0123456789 \x1b[31mred\x1b[0m\r\n'.repeat(300));
  const character = bytesOf('é中\u{1f600}');
  for (let cut = 0; cut <= character.length; cut++) {
    const pieces = [
      plain,
      character.subarray(0, cut),
      character.subarray(cut),
      plain,
      character.subarray(0, cut),
      plain,
    ];
    const whole = openScreen();
    const chopped = openScreen();
    whole.write(Buffer.concat(pieces));
    for (const piece of pieces) chopped.write(piece);
    await Promise.all([whole.settle(60_000), chopped.settle(60_000)]);
    expect(contentOf(chopped.snapshot()), `cut at byte ${cut}`).toEqual(contentOf(whole.snapshot()));
    expect(chopped.totalLines).toBe(whole.totalLines);
  }
});
