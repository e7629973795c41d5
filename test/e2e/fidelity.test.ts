/** From the bytes of a program to the pixels of a picture, through the socket. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cellColors, decoded, isSame, type Pixels } from '../render/support/pixels.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { RawConnection, rawRequest } from '../support/raw.js';

let daemon: TestDaemon;

beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const COLS = 10;
const ESC = '\u001b';
const sgr = (codes: string, text: string): string => `${ESC}[${codes}m${text}${ESC}[0m`;

/** A screen of 10x3 on which a program has printed this. */
async function show(output: string, fields: object = {}): Promise<Pixels> {
  const script = 'stty raw -echo; printf %s "$0"; printf "\\a"; exec cat';
  const { id } = await request(daemon, {
    cmd: 'create',
    cols: COLS,
    rows: 3,
    cmd_args: ['sh', '-c', script, output],
    wait: { until: { event: 'bell' } },
  });
  const { header, bytes } = await rawRequest(daemon.socketPath, {
    cmd: 'screenshot',
    id,
    theme: 'xterm',
    cursor: false,
    minimum_contrast: 1,
    ...fields,
  });
  expect(header).toMatchObject({ ok: true, width: COLS * 8, height: 48 });
  await request(daemon, { cmd: 'kill', id });
  return decoded(bytes);
}

it.each([
  ['DEC special graphics are drawn as box drawing characters', `${ESC}(0lqk${ESC}(B`, '┌─┐'],
  ['blinking text is drawn as visible', sgr('5', 'blink'), 'blink'],
  ['an OSC 8 link is drawn as its text', `${ESC}]8;;https://example.org${ESC}\\link${ESC}]8;;${ESC}\\`, 'link'],
  ['a combining mark is drawn on its letter and takes no cell', 'e\u0301x', '\u00e9x'],
  ['a wide character that does not fit into the last column goes to the next row', '123456789漢', '123456789\r\n漢'],
  ['inverse text has its two colours exchanged', sgr('31;42;7', 'x'), sgr('32;41', 'x')],
  [
    'a colour of the cube equals the colour with the same channels',
    sgr('38;5;196;48;5;21', 'x'),
    sgr('38;2;255;0;0;48;2;0;0;255', 'x'),
  ],
  ['an SGR with colons equals the one with semicolons', sgr('38:2::1:200:3', 'x'), sgr('38;2;1;200;3', 'x')],
  ['erasing fills with the background', `${ESC}[44m${ESC}[2J${ESC}[0m`, sgr('44', ' '.repeat(3 * COLS))],
  ['text past the last row scrolls', 'a\r\nb\r\nc\r\nd', 'b\r\nc\r\nd'],
])('%s', async (_, printed, same) => {
  const [one, other, blank] = [await show(printed), await show(same), await show('')];
  expect(isSame(one, other)).toBe(true);
  expect(isSame(one, blank)).toBe(false);
});

it('OSC 4, 10 and 11 set colours, and OSC 104, 110 and 111 reset them', async () => {
  const set = `${ESC}]4;1;#123456${ESC}\\${ESC}]10;#abcdef${ESC}\\${ESC}]11;#654321${ESC}\\`;
  const printed = `█${sgr('31', '█')}`;
  const pixels = await show(set + printed);
  expect([pixels.at(4, 8), pixels.at(12, 8), pixels.at(20, 8)]).toEqual([0xabcdef, 0x123456, 0x654321]);
  const reset = `${ESC}]104${ESC}\\${ESC}]110${ESC}\\${ESC}]111${ESC}\\`;
  expect(isSame(await show(set + printed + reset), await show(printed))).toBe(true);
});

it('OSC 12 colours the cursor, which covers both cells of a wide character', async () => {
  const pixels = await show(`漢${ESC}[1;2H${ESC}]12;#00ff00${ESC}\\`, { cursor: true });
  expect([pixels.at(0, 0), pixels.at(15, 0), pixels.at(16, 0)]).toEqual([0x00ff00, 0x00ff00, 0]);
});

it('DECSCNM reverses the screen; DECDWL and DECDHL stretch their lines', async () => {
  expect((await show(`${ESC}[?5h`)).at(0, 0)).toBe(0xe5e5e5);
  const wide = await show(`${ESC}#6█ x`);
  expect([wide.at(15, 8), wide.at(16, 8)]).toEqual([0xe5e5e5, 0]);
  const high = await show(`${ESC}#3▀\r\n${ESC}#4▀`);
  expect([high.at(15, 15), high.at(0, 16)]).toEqual([0xe5e5e5, 0]);
});

/** An update is waited for this long, in ms. */
const UPDATE_MS = 150;

it('a picture requested during a synchronized update shows the end of the update', async () => {
  // The kernel's echo begins and ends it: no program has to be quick enough.
  const script = `stty raw echo -echoctl; printf '\\a'; exec sleep 600`;
  const fields = { cmd: 'create', cols: COLS, rows: 3, cmd_args: ['sh', '-c', script] };
  const { id } = await request(daemon, { ...fields, wait: { until: { event: 'bell' } } });
  const connection = new RawConnection(daemon.socketPath);
  const ask = (...requests: object[]): void =>
    connection.write(requests.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const whole = await show('half whole');
  for (;;) {
    const begun = performance.now();
    const half = `${ESC}[2J${ESC}[H${ESC}[?2026hhalf\u0007`;
    ask({ cmd: 'send', req: 0, id, input: half, wait: { until: { event: 'bell' } } });
    await connection.reply();
    ask(
      { cmd: 'screenshot', req: 1, id, theme: 'xterm', cursor: false },
      { cmd: 'send', req: 2, id, input: ` whole${ESC}[?2026l` },
    );
    const replies = [await connection.reply(), await connection.reply()];
    // A machine that was slower has shown what an update shows that does not end.
    if (performance.now() - begun > UPDATE_MS) continue;
    const picture = replies.find(({ header }) => header['req'] === 1);
    expect(isSame(await decoded(picture?.bytes ?? Buffer.alloc(0)), whole)).toBe(true);
    expect(replies.map(({ header }) => header['req'])).toEqual([2, 1]);
    break;
  }
  connection.close();
});

it('invisible text is not drawn, and spaces have their background up to the last cell', async () => {
  expect(isSame(await show(sgr('8', 'secret')), await show(''))).toBe(true);
  const pixels = await show(`${ESC}[3;1H${sgr('45', ' '.repeat(COLS))}`);
  expect(cellColors(pixels, 2, COLS - 1, 8)).toEqual(new Set([0xcd00cd]));
});

it('pictures of the smallest grid, of a grid of 500x200 and of one cell have the right size', async () => {
  for (const [cols, rows] of [
    [2, 1],
    [500, 200],
  ]) {
    const { id } = await request(daemon, { cmd: 'create', cols, rows, cmd_args: ['cat'] });
    const { header } = await rawRequest(daemon.socketPath, { cmd: 'screenshot', id });
    expect(header).toMatchObject({ ok: true, cols, rows, width: cols! * 8, height: rows! * 16 });
    const cell = { row: rows! - 1, col: cols! - 1, rows: 1, cols: 1 };
    const last = await rawRequest(daemon.socketPath, { cmd: 'screenshot', id, region: cell });
    expect(last.header).toMatchObject({ ok: true, cols: 1, rows: 1, width: 8, height: 16 });
    await request(daemon, { cmd: 'kill', id });
  }
});
