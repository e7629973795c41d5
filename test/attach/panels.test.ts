/** The mouse, the list of terminals, the scrollback and the size, by a person who has attached. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { launch } from '../../src/client/index.js';
import { spanOf } from '../../src/tty/picker.js';
import { tempDir } from '../support/temp-dir.js';
import { attached, ATTACHED, recorder } from './attached.js';

test('the mouse reaches the program in its encoding, at the cell of its screen', async () => {
  const file = tempDir().join('bytes');
  const { person, inner } = await attached({
    inner: { cmd_args: recorder(file, '\x1b[?1002h\x1b[?1006h\x1b[2J\x1b[20;1H'), rows: 20 },
    person: { rows: 11 },
  });
  await person.waitForText('ready');
  expect((await person.call('status', {})).modes).toMatchObject({ mouse_tracking: 'button', mouse_encoding: 'sgr' });
  // Row 3 of the person is row 13 of the screen, of which the lower ten rows are seen.
  await person.call('mouse', { action: 'click', row: 3, col: 4, modifiers: ['ctrl'] });
  await person.call('mouse', { action: 'scroll', row: 0, col: 0, direction: 'down' });
  // The status line is none of the program's.
  await person.call('mouse', { action: 'click', row: 10, col: 2 });
  await person.type('end');
  await inner.waitForText('got');
  const expected = '\x1b[<16;5;14M\x1b[<16;5;14m\x1b[<65;1;11M\x1b[<0;3;20m';
  await inner.waitForText(`got ${expected.length + 3}.`);
  expect(readFileSync(file, 'latin1')).toBe(`${expected}end`);
});

test('w lists the terminals, narrowed by typed letters, and shows the chosen one', async () => {
  const { client, person } = await attached({ command: 'echo inside; cat' });
  await launch({ client, command: 'echo of-build; cat', name: 'build' });
  await launch({
    client,
    command: String.raw`printf '\033]2;evil\342\200\256title\007'; echo of-zoo; cat`,
    name: 'web-zoo',
  });
  await launch({ client, command: 'echo short', name: 'short' });
  await person.waitForText('inside');
  await person.press(['Ctrl+B', 'w']);
  await person.waitForText('Terminal:');
  const listed = (await person.text()).split('\n').slice(-5, -1);
  expect(listed.map((line) => line.slice(0, 10).trimEnd())).toEqual(['▸ build', '  inner', '  short', '  web-zoo']);
  await person.type('wz');
  await person.waitFor({ gone: '  inner' });
  await person.press('Enter');
  await person.waitFor({ regex: '^of-zoo' });
  await person.press(['Ctrl+B', 'w', 'Down', 'Up', 'Enter']);
  await person.waitFor({ regex: '^of-build' });
  await person.press(['Ctrl+B', 'w']);
  await person.waitForText('Terminal:');
  await person.press('Escape');
  await person.waitFor({ gone: 'Terminal:' });
  await person.press(['Ctrl+B', 'd']);
  await person.waitForText('Detached from build.');
});

test('letters match in their order, and the closest first', () => {
  const best = ['a-b', 'ab', 'cab'].toSorted((a, b) => (spanOf(a, 'ab') ?? 9) - (spanOf(b, 'ab') ?? 9));
  expect(best).toEqual(['ab', 'cab', 'a-b']);
  expect(spanOf('ba', 'ab')).toBe(undefined);
});

test('[ reads the scrollback, which stays while the program prints, and q returns', async () => {
  const { person, inner } = await attached({
    command: 'seq -f "line %g" 1 200; read -r _; seq -f "more %g" 1 100; cat',
  });
  await person.waitForText('line 200');
  await person.press(['Ctrl+B', '[']);
  await person.waitForText('Scrollback:');
  await person.press('g');
  await person.waitFor({ regex: '^line 1 ' });
  await inner.press('Enter');
  await inner.waitForText('more 100');
  await person.press(['Down', 'Down', 'j', 'k']);
  await person.waitFor({ gone: 'line 2 ' });
  expect((await person.text()).split('\n')[0]?.replace(/\s*│$/, '')).toBe('line 3');
  await person.press('PageDown');
  await person.waitFor({ gone: 'line 26 ' });
  expect((await person.text()).split('\n')[0]?.replace(/\s*│$/, '')).toBe('line 27');
  await person.press('q');
  await person.waitForText('more 100');
  expect(await inner.text()).not.toContain('q');
});

test('f fits the terminal to that of the person, follows it, and gives the size back', async () => {
  const { person, inner } = await attached({ command: 'echo here; cat' });
  await person.waitForText('here');
  await person.press(['Ctrl+B', 'f']);
  await person.waitForText('90x25 fitted');
  expect(await inner.call('status', {})).toMatchObject({ cols: 90, rows: 25 });
  // Wide enough for all parts of the bar, a word on what the program does among them.
  await person.call('resize', { cols: 100, rows: 20 });
  await person.waitForText('100x19 fitted');
  await person.press(['Ctrl+B', 'f']);
  await person.waitForText('80x24 ');
  await person.press(['Ctrl+B', 'f']);
  await person.press(['Ctrl+B', 'd']);
  await person.waitForText('status 0');
  expect(await inner.call('status', {})).toMatchObject({ cols: 80, rows: 24 });
});

test('--fit does so from the start, and a size that another client has set since is kept', async () => {
  const { person, inner } = await attached({ command: 'echo here; cat', flags: ['--fit', '--share'] });
  await person.waitForText('90x25 fitted');
  await inner.call('resize', { cols: 100, rows: 30 });
  await person.waitForText('100x30');
  await person.press(['Ctrl+B', 'd']);
  await person.waitForText('status 0');
  expect(await inner.call('status', {})).toMatchObject({ cols: 100, rows: 30 });
});

test('a program without a mouse gets none, and the wheel scrolls in the scrollback', async () => {
  const file = tempDir().join('bytes');
  const { person, inner } = await attached({ inner: { cmd_args: recorder(file, 'ready') } });
  await person.waitForText(ATTACHED);
  await person.call('mouse', { action: 'click', row: 1, col: 1, button: 'right' });
  await person.call('mouse', { action: 'scroll', row: 1, col: 1, direction: 'down' });
  await person.press(['Ctrl+B', '[']);
  await person.waitForText('Scrollback:');
  await person.call('mouse', { action: 'scroll', row: 1, col: 1, direction: 'up' });
  await person.press('q');
  await person.type('end');
  await inner.waitForText('got 3.');
  expect(readFileSync(file, 'latin1')).toBe('end');
});

test('all of a larger terminal can be read, and the status says which part is seen', async () => {
  const script = String.raw`printf '%0190dRIGHT-END\nrow 2\n' 7; printf '\033[58;1HLOWER-END\033[3;1H'; exec cat`;
  const { person } = await attached({
    inner: { cmd_args: ['sh', '-c', script], cols: 200, rows: 60 },
    person: { cols: 90, rows: 26 },
  });
  await person.waitForText('columns 1-90, rows 1-25 of 200x60');
  await person.press(['Ctrl+B', '[']);
  await person.waitForText('columns 1-90 of 200');
  await person.press(['End']);
  await person.waitForText('RIGHT-END');
  await person.waitForText('columns 111-200 of 200');
  await person.press(['Home', 'Right']);
  await person.waitForText('columns 9-98 of 200');
  await person.press('G');
  await person.waitForText('LOWER-END');
  await person.waitForText('Scrollback: row 36 of 60');
  await person.type('q');
  await person.waitForText('columns 1-90, rows 1-25 of 200x60');
});

test('l shows the terminal that was shown before, and reports if there is none', async () => {
  const { client, person } = await attached({ command: 'echo inner "is" here; exec cat' });
  await launch({ client, command: 'echo other "is" here; exec cat', name: 'other' });
  await person.waitForText('inner is here');
  await person.press(['Ctrl+B', 'l']);
  await person.waitForText('There is no last terminal.');
  await person.press(['Ctrl+B', 'w']);
  await person.waitForText('Terminal:');
  await person.type('other\r');
  await person.waitForText('other is here');
  await person.press(['Ctrl+B', 'l']);
  await person.waitForText('inner is here');
  await person.press(['Ctrl+B', 'l']);
  await person.waitForText('other is here');
  await client.call('kill', { id: 'inner' });
  await person.press(['Ctrl+B', 'l']);
  await person.waitForText('There is no last terminal.');
});

test('what a program says it is doing is a word in the list and in the status line', async () => {
  const report = (body: string): string => String.raw`printf '\033]7501;${body}\007up'; exec sleep 60`;
  const { client, person } = await attached({ command: report('state=working') });
  await launch({ client, command: report('state=blocked:kind=permission'), name: 'asks' });
  await person.waitFor({ regex: ' working │' });
  await person.press(['Ctrl+B', 'w']);
  await person.waitFor({ regex: '^▸ asks +permission ' });
  await person.waitFor({ regex: '^  inner +working ' });
});
