/** Draws of the trial `places` that are the same each time: some of each kind. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { placeDraw } from '../../trials/places/draws.js';
import { requireProgram } from '../support/programs.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DRAWS = Array.from({ length: 12 }, (_, number) => placeDraw(number));

describe.skipIf(process.platform !== 'linux')('what is beside a socket', { concurrent: true }, () => {
  it('is drawn of each kind', () => {
    expect(new Set(DRAWS.map(({ kind }) => kind)).size).toBe(4);
  });

  it.each(DRAWS.map((draw) => [draw.text, draw] as const))('%s', async (_, draw) => {
    for (const program of ['bash', 'zsh', 'dash', 'fish']) requireProgram(program);
    expect(await draw.wrong(ROOT)).toEqual([]);
  });
});
