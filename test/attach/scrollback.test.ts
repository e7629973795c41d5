/** The scrollback of an attached terminal: a search in it, and what is copied of it. */
import { expect, onTestFinished, test } from 'vitest';
import type { Terminal } from '../../src/client/index.js';
import { attached, ATTACHED } from './attached.js';

const LINES = 'seq -f "line %g" 1 200; cat';

/** Where a word is drawn on another ground than the screen's. */
async function marked(person: Terminal): Promise<{ row: number; text: string; bg: unknown }[]> {
  const { highlights = [] } = await person.call('text', { highlights: true });
  const { rows } = await person.call('status', {});
  return highlights.filter(({ row }) => row < rows - 1).map(({ row, text, bg }) => ({ row, text, bg }));
}

/** Texts that programs in the person's terminal write to its clipboard. */
async function copiesOf(person: Terminal): Promise<() => Promise<string>> {
  const events = person.client.events({ terminal: 'person', types: ['clipboard'] });
  onTestFinished(() => events.close());
  await events.subscribed;
  const seen = events[Symbol.asyncIterator]();
  return async () => ((await seen.next()).value as unknown as { text: string }).text;
}

test('/ searches downwards and ? upwards from what is seen, n and N go on, and matches are marked', async () => {
  const { person, inner } = await attached({ command: LINES });
  await person.waitForText('line 200');
  await person.press(['Ctrl+B', '[']);
  await person.waitForText('Scrollback:');
  await person.type('?LINE 15\r');
  await person.waitForText('11 of 11: LINE 15');
  await person.waitFor({ regex: '^line 159' });
  await person.type('n');
  await person.waitForText('10 of 11');
  await person.type('NN');
  await person.waitForText('1 of 11, wrapped');
  await person.waitFor({ regex: '^line 15 ' });
  const marks = await marked(person);
  expect(marks).toContainEqual({ row: expect.any(Number), text: 'line 15', bg: 14 });
  await person.type('/line 7\r');
  await person.waitForText('2 of 11: line 7');
  // The status line comes before the rows above it.
  await expect
    .poll(async () => (await marked(person)).map(({ text }) => text))
    .toEqual(Array.from({ length: 10 }, () => 'line 7'));
  expect((await marked(person)).map(({ bg }) => bg)).toEqual([14, ...Array.from({ length: 9 }, () => 3)]);
  await person.type('/\r');
  await person.waitForText('3 of 11: line 7');
  await person.type('/nowhere\r');
  await person.waitForText('No match of "nowhere".');
  await person.press('Escape');
  await person.waitForText(ATTACHED);
  expect(await inner.text()).not.toContain('nowhere');
});

test('a search that is typed ends by Escape, by Backspace and by Enter, and no key of it reaches the program', async () => {
  const { person, inner } = await attached({ command: LINES });
  await person.waitForText('line 200');
  await person.press(['Ctrl+B', '[']);
  await person.type('/q漢');
  await person.waitForText('/q漢');
  await person.press('Escape');
  await person.waitForText('Scrollback:');
  await person.type('?x');
  await person.waitForText('?x');
  await person.press(['Backspace', 'Backspace']);
  await person.waitForText('Scrollback:');
  await person.type('n');
  await person.waitForText('Nothing is found');
  await person.type('q');
  await person.waitForText(ATTACHED);
  expect((await inner.text()).trimEnd()).toMatch(/line 200$/);
});

test('a match in a line that wraps, behind wide characters, is found in its row and column', async () => {
  const script = String.raw`i=0; while [ $i -lt 60 ]; do printf '漢漢漢漢漢漢漢漢漢漢'; i=$((i+1)); done; echo 'x needle y'; seq 1 100; exec cat`;
  const { person } = await attached({ inner: { cmd_args: ['sh', '-c', script], cols: 81, rows: 24 } });
  await person.waitForText('100');
  await person.press(['Ctrl+B', '[']);
  await person.type('?needle\r');
  await person.waitForText('needle y');
  expect((await marked(person)).map(({ text }) => text)).toEqual(['needle']);
});

test('what was printed since is searched by n, and what one reads does not move', async () => {
  const { person, inner } = await attached({
    command: 'seq -f "line %g" 1 100; echo needle; read -r _; seq -f "more %g" 1 50; echo needle; cat',
  });
  await person.waitForText('needle');
  await person.press(['Ctrl+B', '[']);
  await person.type('?needle\r');
  await person.waitForText('1 of 1: needle');
  const before = (await person.text()).split('\n').slice(0, 20);
  await inner.press('Enter');
  await inner.waitFor({ regex: '^more 50' });
  await person.waitForText('rows above the screen');
  expect((await person.text()).split('\n').slice(0, 20)).toEqual(before);
  await person.type('N');
  await person.waitForText('2 of 2');
  await person.waitForText('more 50');
});

test('lines that the scrollback drops are gone for who reads them, too, and the rest is in its place', async () => {
  const { person, inner } = await attached({
    inner: {
      cmd_args: ['sh', '-c', 'seq -f "line %g" 1 150; read -r _; seq -f "more %g" 1 300; exec cat'],
      scrollback: 100,
    },
  });
  await person.waitForText('line 150');
  await person.press(['Ctrl+B', '[', 'g']);
  await person.waitFor({ regex: '^line (28|29|30) ' });
  await inner.press('Enter');
  await inner.waitForText('more 300');
  await person.press('Down');
  await person.waitFor({ regex: '^more 1[78]\\d ' });
});

test('v selects with the arrows, and y copies after one question a session', async () => {
  const { person, inner } = await attached({ command: LINES });
  const copied = await copiesOf(person);
  await person.waitForText('line 200');
  await person.press(['Ctrl+B', '[']);
  await person.type('?line 150\r');
  await person.waitForText('1 of 1');
  await person.type('v');
  await person.waitForText('Selected: 1 column');
  await person.press(['Down', 'Right', 'Right']);
  await person.waitForText('Selected: 2 rows');
  await person.type('y');
  await person.waitForText('Copy 12 characters to the clipboard of your terminal (OSC 52)? (y/n)');
  await person.type('y');
  expect(await copied()).toBe('line 150\nlin');
  await person.waitForText('Copied 12 characters.');
  await person.type('v');
  await person.press('End');
  await person.press('Enter');
  expect(await copied()).toBe('line 150');
  await person.type('y');
  await person.waitForText('Nothing is selected');
  await person.type('vjj');
  await person.waitForText('Selected: 3 rows');
  await person.press('Escape');
  await person.waitForText('Scrollback:');
  await person.type('q');
  await person.waitForText(ATTACHED);
  expect((await inner.text()).trimEnd()).toMatch(/line 200$/);
});

test('who has declined the clipboard is not asked again, and nothing is written to it', async () => {
  const { client, person } = await attached({ command: LINES });
  const events = client.events({ terminal: 'person', types: ['clipboard', 'exit'] });
  onTestFinished(() => events.close());
  await events.subscribed;
  await person.waitForText('line 200');
  await person.press(['Ctrl+B', '[']);
  for (const answer of ['Escape', 'n']) {
    await person.type('vy');
    await person.waitForText('(OSC 52)? (y/n)');
    await person.press(answer);
    await person.waitForText('Not copied');
  }
  await person.type('vy');
  await person.waitForText('you have declined OSC 52');
  await person.press(['q']);
  await person.waitForText(ATTACHED);
  await client.call('kill', { id: 'person' });
  expect((await events[Symbol.asyncIterator]().next()).value).toMatchObject({ event: 'exit' });
});

test('rows of one line are copied as one, without the blank in which a wide character did not fit', async () => {
  // 9 columns: four wide characters leave a cell, which has the colour of the text around it the second time.
  const script = String.raw`printf '漢字漢字漢字\n'; printf '\033[31m漢字漢字漢字\033[0m\n'; printf '\033[31mabcdefgh 漢\033[0m\n'; printf 'abc   \nend\n'; exec cat`;
  const { person } = await attached({ inner: { cmd_args: ['sh', '-c', script], cols: 9, rows: 12 } });
  const copied = await copiesOf(person);
  await person.waitForText('end');
  await person.press(['Ctrl+B', '[', 'g']);
  await person.type('v');
  await person.press(Array.from({ length: 7 }, () => 'Down'));
  await person.press('End');
  await person.type('y');
  await person.waitForText('(OSC 52)? (y/n)');
  await person.type('y');
  expect(await copied()).toBe('漢字漢字漢字\n漢字漢字漢字\nabcdefgh 漢\nabc\nend');
});

test('at most 64 KiB are copied, and more is refused whole', async () => {
  const { person } = await attached({ command: 'seq -f "line %06g" 1 6000; cat' });
  const copied = await copiesOf(person);
  await person.waitForText('line 006000');
  await person.press(['Ctrl+B', '[', 'g']);
  await person.waitForText('line 000001');
  await person.type('vG');
  await person.waitForText('Selected: 6001 rows');
  await person.type('y');
  await person.waitForText('Not copied: it has more than 64 KiB.');
  await person.type('g/line 005001\r');
  await person.waitForText('1 of 1');
  await person.type('vG');
  await person.waitForText('Selected: 1001 rows');
  await person.type('y');
  await person.waitForText('Copy 11999 characters');
  await person.type('y');
  const text = await copied();
  expect(text).toBe(Array.from({ length: 1000 }, (_, i) => `line 00${5001 + i}`).join('\n'));
});

test('a drag of the mouse selects where the program has no mouse, and copies when the button is released', async () => {
  const { person, inner } = await attached({ command: 'echo first words; echo second line; exec cat' });
  const copied = await copiesOf(person);
  await person.waitForText('second line');
  await person.waitForText(ATTACHED);
  expect((await person.call('status', {})).modes).toMatchObject({ mouse_tracking: 'button', mouse_encoding: 'sgr' });
  await person.call('mouse', { action: 'click', row: 0, col: 3 });
  await person.call('mouse', { action: 'drag', row: 0, col: 6, to_row: 1, to_col: 5 });
  await person.waitForText('(OSC 52)? (y/n)');
  await person.type('y');
  expect(await copied()).toBe('words\nsecond');
  // The keyboard is the program's again.
  await person.waitForText('Copied 12 characters.');
  await person.type('typed\r');
  await inner.waitForText('typed');
  // Upwards, without a question.
  await person.call('mouse', { action: 'drag', row: 1, col: 0, to_row: 0, to_col: 10 });
  await person.waitForText('Copied');
  expect(await copied()).toBe('s\ns');
});

test('the mouse of a program stays its own, and a drag with Shift selects', async () => {
  const { person, inner } = await attached({
    inner: {
      cmd_args: ['sh', '-c', String.raw`stty raw -echo; printf '\033[?1002h\033[?1006hsome words'; exec cat -v`],
    },
  });
  const copied = await copiesOf(person);
  await person.waitForText('some words');
  await person.waitForText(ATTACHED);
  await person.call('mouse', { action: 'drag', row: 0, col: 5, to_row: 0, to_col: 9, modifiers: ['shift'] });
  await person.waitForText('(OSC 52)? (y/n)');
  await person.type('y');
  expect(await copied()).toBe('words');
  await person.waitForText('Copied');
  await person.call('mouse', { action: 'click', row: 0, col: 0 });
  await inner.waitForText('^[[<0;1;1M^[[<0;1;1m');
  expect(await inner.text()).not.toContain('<4;');
});

test('the wheel reads the scrollback of a program without a mouse, and leads back', async () => {
  const { person, inner } = await attached({ command: LINES });
  await person.waitForText('line 200');
  await person.waitForText(ATTACHED);
  await person.call('mouse', { action: 'scroll', row: 3, col: 3, direction: 'down' });
  await person.call('mouse', { action: 'scroll', row: 3, col: 3, direction: 'up', steps: 2 });
  await person.waitForText('Scrollback: 6 rows above the screen');
  await person.call('mouse', { action: 'scroll', row: 3, col: 3, direction: 'down', steps: 3 });
  await person.waitForText(ATTACHED);
  expect((await inner.text()).trimEnd()).toMatch(/line 200$/);
});

test('on the alternate screen the wheel is arrows, as the program wants them', async () => {
  const script = String.raw`stty raw -echo; printf '\033[?1049h\033[?1hready '; exec cat -v`;
  const { person, inner } = await attached({ inner: { cmd_args: ['sh', '-c', script] } });
  await person.waitForText('ready');
  await person.waitForText(ATTACHED);
  await person.call('mouse', { action: 'scroll', row: 3, col: 3, direction: 'up' });
  await inner.waitForText('^[OA^[OA^[OA');
  await person.call('mouse', { action: 'scroll', row: 3, col: 3, direction: 'down' });
  await inner.waitForText('^[OB^[OB^[OB');
});

test('with --read-only the wheel and a drag are the person’s, also where the program has asked for the mouse', async () => {
  const script = String.raw`stty -echo; printf '\033[?1002h\033[?1006h'; seq -f "line %g" 1 200; exec cat -v`;
  const { person, inner } = await attached({ inner: { cmd_args: ['sh', '-c', script] }, flags: ['--read-only'] });
  const copied = await copiesOf(person);
  await person.waitForText('line 200');
  await person.waitForText('read only');
  await person.call('mouse', { action: 'scroll', row: 3, col: 3, direction: 'up' });
  await person.waitForText('Scrollback:');
  await person.type('q');
  await person.waitForText('read only');
  await person.call('mouse', { action: 'drag', row: 0, col: 0, to_row: 0, to_col: 3 });
  await person.waitForText('(OSC 52)? (y/n)');
  await person.type('y');
  expect(await copied()).toBe('line');
  expect(await inner.text()).not.toContain('[<');
});

test('m leaves the mouse to the person’s own terminal, and takes it back', async () => {
  const { person } = await attached({ command: LINES });
  await person.waitForText(ATTACHED);
  await person.press(['Ctrl+B', 'm']);
  await person.waitForText('Your terminal has the mouse');
  await expect.poll(async () => (await person.call('status', {})).modes).toMatchObject({ mouse_tracking: 'none' });
  await person.press(['Ctrl+B', 'm']);
  await person.waitForText('The mouse is taken back.');
  await expect.poll(async () => (await person.call('status', {})).modes).toMatchObject({ mouse_tracking: 'button' });
});
