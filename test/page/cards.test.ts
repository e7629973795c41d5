/** Cards of questions: they hide nothing that is to be pressed, are announced, and keep what was half written. */
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { connect, type Client } from '../../src/client/index.js';
import { needs } from '../support/programs.js';
import { browserOfFile, DESK, opened, PHONE, rowWith } from './browser.js';

needs('chromium');
browserOfFile();

async function printed({ client }: { readonly client: Client }): Promise<void> {
  const cmd_args = ['sh', '-c', 'seq 1 200; printf ready; exec cat'];
  await client.call('create', { cmd_args, name: 'build', wait: { until: { text: 'ready' } } });
}

async function agentOf(client: Client): Promise<Client> {
  const agent = await connect({ socketPath: client.socketPath, as: 'claude-1', autoStart: false });
  onTestFinished(() => agent.close());
  return agent;
}

/** What a click in the middle of an element meets. */
const isOnTop = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate(`[...document.querySelectorAll('${selector}')].every((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  })`);

test.each([1280, 960, 740])('questions cover no button beside them in a window of %i pixels', async (width) => {
  const { page, client } = await opened({ ...DESK, viewport: { width, height: 600 } }, printed);
  // A headless browser refuses them.
  await page.addInitScript(`Object.defineProperty(Notification, 'permission', { get: () => 'default' })`);
  await page.reload();
  await rowWith(page, 'ready').waitFor();
  const agent = await agentOf(client);
  for (const question of ['One?', 'Two?', 'Three?', 'Four?'])
    await agent.call('ask', { id: 'build', question, kind: 'confirm', timeout_ms: 0 });
  await page.locator('.ask').nth(3).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Call me' }).waitFor();
  await page.evaluate(`document.querySelector('.term').scrollTo(0, 0)`);
  await page.getByRole('button', { name: 'To the end' }).waitFor();
  expect(await isOnTop(page, '.to-end, .line button')).toBe(true);
  await page.getByRole('button', { name: 'To the end' }).click();
  await page.getByRole('button', { name: 'All terminals at a glance' }).click();
  await page.locator('.tile').first().waitFor();
  await page.mouse.move(5, 5);
  await expect.poll(() => isOnTop(page, '.tile, .line button')).toBe(true);
});

test('a question is announced with the name of who asks', async () => {
  const { page, client } = await opened(DESK, printed);
  await rowWith(page, 'ready').waitFor();
  const agent = await agentOf(client);
  await agent.call('ask', { question: 'Deploy?', kind: 'confirm', timeout_ms: 0 });
  await page.getByRole('alert').filter({ hasText: 'claude-1 asks: Deploy?' }).waitFor();
});

test('commands in a question are code', async () => {
  const { page, client } = await opened(DESK, printed);
  await rowWith(page, 'ready').waitFor();
  const agent = await agentOf(client);
  const question =
    'May I run `rm -r build` now?\n  $ make all\nThen:\n```sh\ngit push \\\n  --force\n```\nIt costs $ 5 & more.';
  await agent.call('ask', { question, kind: 'confirm', timeout_ms: 0 });
  await page.locator('.question').waitFor();
  expect(await page.locator('.question code').allTextContents()).toEqual([
    'rm -r build',
    '$ make all',
    'git push \\\n  --force',
  ]);
  expect(await page.locator('.question').textContent()).toBe(
    'claude-1 asks: May I run rm -r build now?\n$ make all\nThen:git push \\\n  --forceIt costs $ 5 & more.',
  );
});

test.each([
  ['a laptop', DESK],
  ['a phone', PHONE],
] as const)('on %s no choice is wider than its card', async (_name, size) => {
  const { page, client } = await opened(size, printed);
  await rowWith(page, 'ready').waitFor();
  const agent = await agentOf(client);
  const choices = ['main', 'x'.repeat(120), `a few words ${'y'.repeat(90)}`];
  await agent.call('ask', { question: 'Which branch?', kind: 'choice', choices, timeout_ms: 0 });
  await page.locator('.ask').waitFor();
  const right = (selector: string): Promise<number[]> =>
    page.evaluate(`[...document.querySelectorAll('${selector}')].map((one) => one.getBoundingClientRect().right)`);
  const [card = NaN] = await right('.ask');
  const buttons = await right('.answers button');
  expect(buttons).toHaveLength(4);
  expect(Math.max(...buttons)).toBeLessThan(card);
});

test('a half-written answer is there again once the page is loaded again, and a secret is not', async () => {
  const { page, client } = await opened(DESK, printed);
  await rowWith(page, 'ready').waitFor();
  const agent = await agentOf(client);
  const { ask } = await agent.call('ask', { question: 'Which branch?', timeout_ms: 0 });
  await agent.call('ask', { id: 'build', question: 'Password?', kind: 'secret', timeout_ms: 0 });
  await page.getByLabel('Answer').fill('mai');
  await page.getByLabel('Secret, typed into the terminal').fill('hunter2');
  await page.reload();
  await expect.poll(() => page.getByLabel('Answer').inputValue()).toBe('mai');
  expect(await page.getByLabel('Secret, typed into the terminal').inputValue()).toBe('');
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).not.toContain('hunter2');
  const answered = agent.call('ask', { resume: ask });
  await page.getByLabel('Answer').press('End');
  await page.keyboard.type('n');
  await page.locator('.ask', { hasText: 'Which branch?' }).locator('.primary[aria-disabled="false"]').waitFor();
  await page.keyboard.press('Enter');
  expect(await answered).toMatchObject({ answer: 'main' });
  await expect.poll(() => page.evaluate(`sessionStorage.getItem('t4a-drafts')`)).toBe('[]');
});

test('the title counts those that need a person, also without a question', async () => {
  const { page, client } = await opened(DESK, printed);
  await rowWith(page, 'ready').waitFor();
  await client.call('report', { id: 'build', state: 'blocked', kind: 'permission' });
  await expect.poll(() => page.title()).toBe('(1) build · t4a');
});
