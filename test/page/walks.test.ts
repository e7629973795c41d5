/** Walks over the page by random steps, judged by what is not the page. */
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/index.js';
import { takeNotes } from '../../trials/people/browser-notes.js';
import { wrongKey, wrongNeed, wrongRow } from '../../trials/people/judge.js';
import { Walk } from '../../trials/people/walk.js';
import { builtDaemonEntry } from '../support/daemon.js';
import { needs } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';
import { runsOf, seedOfRun } from '../support/trial.js';
import { browserOfFile, DESK, openedByLink } from './browser.js';
import { slowProxy } from './slow-proxy.js';

needs('chromium');
browserOfFile();

const { walks, steps } = runsOf({
  suite: { walks: 1, steps: 18 },
  trial: { walks: Number(process.env['T4A_WALKS'] ?? 20), steps: 200 },
});

/** Of what does not change any more. */
const SHORT_MS = 100;

async function begun(seed: number): Promise<Walk> {
  const network = await slowProxy(0);
  const { page, client } = await openedByLink(
    { ...DESK, proxy: { server: network.server, bypass: '<-loopback>' } },
    async () => {},
  );
  const { socketPath } = client;
  const agent = await connect({ socketPath, as: 'claude-1', daemonEntry: builtDaemonEntry });
  const walk = await Walk.begin({ page, client, agent, dir: tempDir().path, seed, network });
  onTestFinished(async () => {
    walk.dispose();
    await agent.close();
  });
  return walk;
}

const first = Number(process.env['T4A_TEST_SEED'] ?? seedOfRun());

test.each(Array.from({ length: walks }, (_, i) => first + i))(
  'on the walk %i each row is right, and keys, clicks and needs are where they belong',
  async (seed) => {
    const walk = await begun(seed);
    for (let i = 0; i < steps; i++) expect(await walk.step(), `step ${i} of the walk ${seed}`).toBeUndefined();
  },
  20 * 60_000,
);

test('the judge finds a row that is blank, a key that came twice and a need that is hidden', async () => {
  const { page, client, recorders } = await begun(0);
  const [ann] = recorders;
  if (ann === undefined) throw new Error('no terminal');
  expect([await wrongRow(page, client), await wrongNeed(page, client)]).toEqual([undefined, undefined]);
  await page.keyboard.type('a');
  const { keys } = await takeNotes(page);
  expect(keys).toEqual([{ key: 'a', focus: 'terminal', terminal: 'ann' }]);
  expect(await wrongKey(page, recorders, keys)).toBeUndefined();
  await client.call('type', { id: 'ann', text: 'a' });
  await expect.poll(() => ann.read).toBe('aa');
  expect(await wrongKey(page, recorders, [], SHORT_MS)).toBe('ann has read "aa", not "a"; the page says: ');
  await page.evaluate(`document.querySelector('.row').textContent = ''`);
  expect(await wrongRow(page, client, SHORT_MS)).toBe('ann: row 0 of 24 is "", not "ready"');
  await page.evaluate(`document.querySelector('.item .dot').className = 'dot is-waits'`);
  expect(await wrongNeed(page, client, SHORT_MS)).toBe('shown as needing a person: ann; named: ');
});
