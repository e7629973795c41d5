import { afterAll, expect, test } from 'vitest';
import { Stty } from '../../../src/terminal/system/stty.js';
import { readTermios } from '../../../src/terminal/system/termios.js';
import { ownTerminal, untilShown } from '../../support/own-terminal.js';

const stty = new Stty();
afterAll(() => stty.dispose());

test('a query is shared by all callers, and repeated after its answer', async () => {
  const { device } = ownTerminal();
  const asked = stty.ask('-a', device);
  expect(stty.ask('-a', device)).toBe(asked);
  const other = stty.ask('-g', device);
  expect(other).not.toBe(asked);
  expect(await asked).toContain('icanon');
  expect(await other).not.toContain('icanon');
  const again = stty.ask('-a', device);
  expect(again).not.toBe(asked);
  expect(await again).toContain('icanon');
});

test('a missing device has no answer, and the next query has one', async () => {
  const gone = stty.ask('-a', '/no/such/device');
  const { device } = ownTerminal();
  const present = stty.ask('-a', device);
  expect(await gone).toBeUndefined();
  expect(await present).toContain('icanon');
  expect(await readTermios(stty, '/no/such/device')).toBeUndefined();
});

test('the line discipline is reported as its program has set it', async () => {
  const terminal = ownTerminal({ script: 'stty -echo -icanon min 3 intr ^K; printf on; exec sleep 1000' });
  await untilShown(terminal, 'on');
  expect(await readTermios(stty, terminal.device)).toMatchObject({
    mode: 'cbreak',
    flags: { echo: false, icanon: false, isig: true },
    characters: { intr: { text: '^K', byte: 11 } },
    min: 3,
  });
});

test('an ended process answers no earlier and no later query', async () => {
  const { device } = ownTerminal();
  const own = new Stty();
  expect(await own.ask('-a', device)).toContain('icanon');
  const asked = own.ask('-a', device);
  await Promise.resolve();
  own.dispose();
  expect(await asked).toBeUndefined();
  expect(await own.ask('-a', device)).toBeUndefined();
  expect(await stty.ask('-a', device)).toContain('icanon');
});
