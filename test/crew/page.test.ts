/** Agents of a crew in the page of `t4a web`. */
import { expect, test } from 'vitest';
import { FAKE_AGENT } from '../support/fake-agent.js';
import { needs } from '../support/programs.js';
import { browserOfFile, DESK, opened } from '../page/browser.js';

needs('chromium');
browserOfFile();

test('the page shows of an agent of a crew what it does, its name and its preset', async () => {
  const { page, client, complaints } = await opened(DESK, async ({ client }) => {
    await client.call('create', { name: 'plain', cmd_args: ['sleep', '600'] });
  });
  await client.call('create', {
    name: 'claude-1',
    cmd_args: [process.execPath, FAKE_AGENT, 'ask'],
    rules: 'claude',
    labels: {
      'crew.session': 'claude-1',
      'crew.kind': 'agent',
      'crew.name': 'reviewer <b>',
      'crew.preset': 'claude',
    },
  });
  const item = page.locator('.item', { hasText: 'claude-1' });
  await item.getByText('permission', { exact: true }).waitFor();
  expect(await item.locator('.item-title').textContent()).toMatch(/^reviewer <b> · claude/);
  // A title would repeat its program.
  const plain = page.locator('.item', { hasText: 'plain' });
  await plain.locator('.item-program', { hasText: 'sleep' }).waitFor();
  expect(await plain.locator('.item-title').count()).toBe(0);
  expect(complaints).toEqual([]);
});
