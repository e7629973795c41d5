import { expect, test } from 'vitest';
import { askStty } from '../../../src/daemon/system/stty.js';
import { readTermios } from '../../../src/daemon/system/termios.js';
import { ownTerminal, untilShown } from '../../support/own-terminal.js';

test('a question is asked once for all who have it, and anew once it has been answered', async () => {
  const { device } = ownTerminal();
  const asked = askStty('-a', device);
  expect(askStty('-a', device)).toBe(asked);
  const other = askStty('-g', device);
  expect(other).not.toBe(asked);
  expect(await asked).toContain('icanon');
  expect(await other).not.toContain('icanon');
  const again = askStty('-a', device);
  expect(again).not.toBe(asked);
  expect(await again).toContain('icanon');
});

test('a device that is gone has no answer, and the next question has one', async () => {
  const gone = askStty('-a', '/no/such/device');
  const { device } = ownTerminal();
  const present = askStty('-a', device);
  expect(await gone).toBeUndefined();
  expect(await present).toContain('icanon');
  expect(await readTermios('/no/such/device')).toBeUndefined();
});

test('the line discipline of a terminal is told as its program has set it', async () => {
  const terminal = ownTerminal({ script: 'stty -echo -icanon min 3 intr ^K; printf on; exec sleep 1000' });
  await untilShown(terminal, 'on');
  expect(await readTermios(terminal.device)).toMatchObject({
    mode: 'cbreak',
    flags: { echo: false, icanon: false, isig: true },
    characters: { intr: { text: '^K', byte: 11 } },
    min: 3,
  });
});
