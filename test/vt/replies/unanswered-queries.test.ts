/** Queries without an answer are reported, since a program may hang while it waits for one. */
import { expect, test } from 'vitest';
import type { Query } from '../../../src/vt/replies/sequences.js';
import { openScreen, show } from '../screens.js';

async function queriesOf(output: string): Promise<Query[]> {
  const screen = openScreen({ cols: 80, rows: 24 });
  const queries: Query[] = [];
  screen.onQuery.on((query) => queries.push(query));
  await show(screen, output);
  return queries;
}

test.each([
  ['state of the window', '11t'],
  ['place of the window', '13t'],
  ['size of the screen in pixels', '15t'],
  ['size of the screen in characters', '19t'],
  ['title of the icon', '20t'],
  ['title of the window', '21t'],
])('a query for the %s is reported as unanswered', async (_, text) => {
  expect(await queriesOf(`\x1b[${text}`)).toEqual([{ kind: 'csi', text, answer: undefined }]);
});

test('a command to the window is not a query', async () => {
  expect(await queriesOf('\x1b[1t\x1b[3;0;0t\x1b[8;10;10t\x1b[22;0t\x1b[23;0t')).toEqual([]);
});
