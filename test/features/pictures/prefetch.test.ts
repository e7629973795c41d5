import { expect, it } from 'vitest';
import { Parts } from '../../../src/base/parts.js';
import { Prefetch, PREFETCH_EVENTS } from '../../../src/features/pictures/prefetch.js';
import { defaultPicture, type PictureParams } from '../../../src/protocol/picture.js';

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function recorded(draw: () => Promise<unknown> = async () => {}) {
  const drawn: PictureParams[] = [];
  const ahead = new Prefetch<Parts>((_, params) => {
    drawn.push(params);
    return draw();
  });
  return { ahead, drawn };
}

it('prefetch draws the last requested picture, once, in a turn of its own', async () => {
  const { ahead, drawn } = recorded();
  const terminal = new Parts();
  const light = { ...defaultPicture(), theme: 'light' };
  ahead.asked(terminal, defaultPicture());
  ahead.asked(terminal, light);
  ahead.start(terminal);
  ahead.start(terminal);
  expect(drawn).toEqual([]);
  await turn();
  expect(drawn).toEqual([light]);
  ahead.start(terminal);
  await turn();
  expect(drawn).toEqual([light]);
});

it('prefetch draws another one after the next request', async () => {
  const { ahead, drawn } = recorded();
  const terminal = new Parts();
  for (let look = 1; look <= 3; look++) {
    ahead.asked(terminal, defaultPicture());
    ahead.start(terminal);
    await ahead.drawn(terminal);
    expect(drawn).toHaveLength(look);
  }
});

it('prefetch draws nothing of a terminal without requested pictures', async () => {
  const { ahead, drawn } = recorded();
  ahead.asked(new Parts(), defaultPicture());
  ahead.start(new Parts());
  await turn();
  expect(drawn).toEqual([]);
});

it.each([
  { since: 4 },
  { mark: [{ changed_since: 4 }] },
  { scrollback: 100 },
  { format: 'webp' as const },
  { format: 'svg' as const },
])('draws nothing for a request that is not repeatable or not kept: %j', async (fields) => {
  const { ahead, drawn } = recorded();
  const terminal = new Parts();
  ahead.asked(terminal, defaultPicture());
  ahead.asked(terminal, { ...defaultPicture(), ...fields });
  ahead.start(terminal);
  await turn();
  expect(drawn).toEqual([]);
});

it('a request waits for the prefetch under way, and no longer if that fails', async () => {
  const { ahead } = recorded(() => Promise.reject(new Error('outside')));
  const terminal = new Parts();
  ahead.asked(terminal, defaultPicture());
  expect(ahead.drawn(terminal)).toBeUndefined();
  ahead.start(terminal);
  await expect(ahead.drawn(terminal)).resolves.toBeUndefined();
});

it('frequent events do not start a prefetch', () => {
  for (const event of ['bell', 'title', 'activity', 'progress'] as const)
    expect(PREFETCH_EVENTS.has(event)).toBe(false);
});

it('events that end an activity start a prefetch', () => {
  const ends = ['settled', 'idle', 'command_done', 'awaiting_input', 'exit'] as const;
  for (const event of ends) expect(PREFETCH_EVENTS.has(event)).toBe(true);
});

it.each([[['text']], [[{ regex: 'a.b' }]], [[{ row: 0, col: 0, rows: 1, cols: 1 }]]])(
  'draws again what is marked by its looks or its place: %j',
  async (mark) => {
    const { ahead, drawn } = recorded();
    const terminal = new Parts();
    const params = { ...defaultPicture(), mark };
    ahead.asked(terminal, params);
    ahead.start(terminal);
    await ahead.drawn(terminal);
    expect(drawn).toEqual([params]);
  },
);
