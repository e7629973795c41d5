/** Fixed draws of `npm run trials -- update`: a switch as it should be, one that fails within the state, one that is not the only one, one without its socket. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { draw } from '../../trials/update.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

test.each([7, 15, 19, 30])('draw %i: nothing is lost by a replacement', async (seed) => {
  expect(await draw(root, seed)).toMatchObject({ wrong: [] });
});
