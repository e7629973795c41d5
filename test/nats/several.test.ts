/** Daemons over one server: the trial of `npm run fleet`, which has twenty, with a handful of them. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { trial } from '../../trials/fleet.js';
import { needs } from '../support/programs.js';

needs('nats-server');

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('five daemons join one server, each is found by its name, and no event of any is lost or comes twice as parts of it are killed', async () => {
  const { failures, figures } = await trial({ daemons: 5, events: 5, megabytes: 20, root: ROOT });
  expect(failures).toEqual([]);
  expect(figures.map(([what]) => what)).toContain('the server is killed, and is back');
});
