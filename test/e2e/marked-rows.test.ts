/** The rows that a picture marks or fades by a revision, read from its HTML. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

/** Of each row that has one: whether it has a box, and the colour of its text. */
async function rows(id: unknown, options: object): Promise<{ text: string; boxed: boolean; color: string }[]> {
  const { data } = await request(daemon, {
    cmd: 'screenshot',
    id,
    inline: true,
    format: 'html',
    cursor: false,
    ...options,
  });
  const html = Buffer.from(String(data), 'base64').toString();
  return [...html.matchAll(/<div><div[^>]*>(.*?)<\/div>(.*?)<\/div>/g)]
    .map(([, spans = '', over = '']) => ({
      text: spans.replaceAll(/<[^>]*>/g, '').trim(),
      boxed: over.includes('<i '),
      color: /;color:(#\w+)/.exec(spans)?.[1] ?? '',
    }))
    .filter(({ text }) => text !== '');
}

it('a picture boxes rows that changed after a revision, or fades the others, also in the scrollback', async () => {
  const script = 'stty -echo; printf "one\\ntwo\\nthree\\n"; exec cat';
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', script], rows: 4 });
  await request(daemon, { cmd: 'wait', id, until: { text: 'three' } });
  await request(daemon, { cmd: 'wait', id, until: { awaiting_input: true } });
  const { rev } = await request(daemon, { cmd: 'status', id });
  await request(daemon, { cmd: 'send', id, input: 'four\r' });
  await request(daemon, { cmd: 'wait', id, until: { text: 'four' } });
  const plain = await rows(id, {});
  expect(plain.map(({ boxed }) => boxed)).toEqual(plain.map(() => false));
  expect(new Set(plain.map(({ color }) => color)).size).toBe(1);
  const marked = await rows(id, { mark: [{ changed_since: rev }], scrollback: 10 });
  expect(marked.map(({ text, boxed }) => [text, boxed])).toEqual([
    ['one', false],
    ['two', false],
    ['three', false],
    ['four', true],
  ]);
  const faded = await rows(id, { since: rev, scrollback: 10 });
  const full = plain[0]?.color;
  expect(faded.map(({ text, color }) => [text, color === full])).toEqual([
    ['one', false],
    ['two', false],
    ['three', false],
    ['four', true],
  ]);
  const { rev: now } = await request(daemon, { cmd: 'status', id });
  expect((await rows(id, { mark: [{ changed_since: now }] })).filter(({ boxed }) => boxed)).toEqual([]);
  await request(daemon, { cmd: 'resize', id, cols: 70, rows: 4 });
  // A new width makes everything new.
  expect((await rows(id, { mark: [{ changed_since: now }] })).filter(({ boxed }) => !boxed)).toEqual([]);
});

it('a click finds its text only in the same upper and lower case', async () => {
  const script = 'printf "\\033[?1000;1006h[OK]"; exec cat';
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', script] });
  await request(daemon, { cmd: 'wait', id, until: { text: 'OK' } });
  expect(await request(daemon, { cmd: 'mouse', id, action: 'click', on_text: 'ok' })).toMatchObject({
    code: 'no_match',
  });
  expect(await request(daemon, { cmd: 'mouse', id, action: 'click', on_regex: 'o.' })).toMatchObject({
    code: 'no_match',
  });
  expect(await request(daemon, { cmd: 'mouse', id, action: 'click', on_text: 'OK' })).toMatchObject({ row: 0, col: 1 });
});
