import { describe, expect, test } from 'vitest';
import { openScreen, show } from '../screens.js';

const BEL = '\x07';
const ST = '\x1b\\';
const QUERY = '\x1b]7501;?';

/** What is answered to the output, written in these pieces. */
async function answersTo(pieces: readonly string[], answersStatus = true): Promise<string> {
  const screen = openScreen({ answersStatus });
  let replies = '';
  screen.onReply.on((bytes) => {
    replies += bytes;
  });
  for (const piece of pieces) await show(screen, piece);
  return replies;
}

describe('the question whether status is read', () => {
  test.each([BEL, ST])('with the terminator %j has its own bytes as the answer', async (terminator) => {
    expect(await answersTo([QUERY + terminator])).toBe(QUERY + terminator);
  });

  test.each([BEL, ST])('with the terminator %j is answered however it is torn', async (terminator) => {
    const sent = `\x1b]7501;state=idle${terminator === BEL ? ST : BEL}${QUERY}${terminator}`;
    for (let at = 1; at < sent.length; at++) {
      expect(await answersTo([sent.slice(0, at), sent.slice(at)])).toBe(QUERY + terminator);
    }
    expect(await answersTo(sent.split(''))).toBe(QUERY + terminator);
  });

  test('is answered before the query of the device that follows it', async () => {
    expect(await answersTo([`${QUERY}${BEL}\x1b[c`])).toBe(`${QUERY}${BEL}\x1b[?1;2c`);
    expect(await answersTo([`\x1b[5n${QUERY}${ST}\x1b[5n`])).toBe(`\x1b[0n${QUERY}${ST}\x1b[0n`);
  });

  test('keeps its terminator beside text of others', async () => {
    expect(await answersTo([`世\x1b]0;a${BEL}${QUERY}${ST}b\x1b]2;c${BEL}`])).toBe(QUERY + ST);
    expect(await answersTo([`世界\x1b]0;a${ST}${QUERY}${BEL}\x1b\\`])).toBe(QUERY + BEL);
  });

  test.each(['??', '?:state=idle', ' ?', '? ', '', 'state=idle', '?;'])('%j is none', async (body) => {
    expect(await answersTo([`\x1b]7501;${body}${BEL}`])).toBe('');
  });

  test('that is cancelled, or in a paste of its bytes as text, is none', async () => {
    expect(await answersTo([`${QUERY}\x18`])).toBe('');
    expect(await answersTo([`^[]7501;?^G`])).toBe('');
  });

  test('that comes back without end is answered four times, until the program prints', async () => {
    const screen = openScreen({ answersStatus: true });
    let answers = 0;
    screen.onReply.on(() => answers++);
    for (let i = 0; i < 100; i++) await show(screen, QUERY + ST);
    expect(answers).toBe(4);
    await show(screen, 'another program');
    await show(screen, QUERY + ST);
    expect(answers).toBe(5);
  });

  test('has no answer from a screen that shows what was', async () => {
    expect(await answersTo([QUERY + BEL], false)).toBe('');
  });
});
