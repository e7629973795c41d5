/** The rules of terminals on the page: chosen, edited, tested and used. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Client } from '../../src/client/index.js';
import { needs } from '../support/programs.js';
import { casesOf } from '../support/trial.js';
import { axe, isSampled } from './axe.js';
import { browserOfFile, DESK, opened, openedByLink, PHONE, rowWith } from './browser.js';

needs('chromium');
browserOfFile();

const ALLOWED = ['--allow-rules'];

async function prints(client: Client, text: string): Promise<void> {
  await client.call('create', {
    name: 'build',
    rules: 'generic',
    cmd_args: ['sh', '-c', `printf '${text}shown'; exec sleep 600`],
    wait: { until: { text: 'shown' } },
  });
}

const DEPLOYS = 'deploy web1 ok\\n';

async function command(page: Page, words: string): Promise<void> {
  await rowWith(page, 'shown').waitFor();
  await page.keyboard.press('Control+Shift+P');
  await page.getByRole('combobox').fill(words);
  await page.keyboard.press('Enter');
}

async function toRules(page: Page): Promise<ReturnType<Page['locator']>> {
  await command(page, 'rules of terminals');
  const rules = page.getByRole('region', { name: 'Rules' });
  await rules.getByRole('button', { name: 'New profile' }).waitFor();
  return rules;
}

async function write(rules: ReturnType<Page['locator']>, start: string): Promise<void> {
  await rules.getByRole('button', { name: 'New profile' }).click();
  await rules.getByLabel('Profile', { exact: true }).fill('deploy');
  await rules.getByLabel('Kind of its entries').fill('deployed');
  await rules.getByLabel('Starts with (a pattern)').fill(start);
}

test('without --allow-rules the page has no rules', async () => {
  const { page } = await opened(DESK, ({ client }) => prints(client, DEPLOYS));
  await rowWith(page, 'shown').waitFor();
  await page.keyboard.press('Control+Shift+P');
  await page.getByRole('combobox').fill('rules of terminals');
  await page.getByText('None of that name.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'What happened', exact: true }).click();
  await page.getByRole('complementary').waitFor();
  expect(await page.getByRole('button', { name: 'Rules of terminals' }).count()).toBe(0);
});

test('rules in place of a terminal offer no search, no past and no size of what is not to be seen', async () => {
  const { page } = await openedByLink(DESK, ({ client }) => prints(client, DEPLOYS), ALLOWED);
  await rowWith(page, 'shown').waitFor();
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('search').waitFor();
  const rules = await toRules(page);
  for (const key of ['F', 'H']) await page.keyboard.press(`Control+Shift+${key}`);
  for (const name of ['Search', 'The past', 'What happened', 'Fit to this page']) {
    expect(await page.getByRole('button', { name }).count(), name).toBe(0);
  }
  expect(await page.getByRole('search').count()).toBe(0);
  expect(await page.locator('.scrub').count()).toBe(0);
  await rules.getByRole('button', { name: /^Close/ }).click();
  await page.getByRole('button', { name: 'The past' }).waitFor();
});

test('the profile of a terminal is shown, and another is chosen', async () => {
  const { page, client, complaints } = await openedByLink(DESK, ({ client }) => prints(client, DEPLOYS), ALLOWED);
  const rules = await toRules(page);
  await expect.poll(() => rules.getByRole('radio', { name: /^generic/ }).isChecked()).toBe(true);
  await rules.getByRole('radio', { name: /^none/ }).click();
  await expect.poll(async () => (await client.call('rules', { terminal: 'build' })).profile).toBe(null);
  await rules.getByRole('radio', { name: /^codex/ }).click();
  await expect.poll(async () => (await client.call('rules', { terminal: 'build' })).profile).toBe('codex');
  expect(complaints).toEqual([]);
});

test('a profile is made, tested with its differences, used, and its rule turned off again', async () => {
  const { page, client } = await openedByLink(DESK, ({ client }) => prints(client, DEPLOYS), ALLOWED);
  const rules = await toRules(page);
  await write(rules, '^deploy (?P<host>\\S+) (?P<result>ok|failed)');
  await rules.getByRole('button', { name: 'Test' }).click();
  await rules.getByText('1 entry found, 1 difference').waitFor();
  expect(await rules.getByRole('list', { name: 'Differences' }).textContent()).toContain('deploy web1 ok');
  expect(await rules.locator('.found-cells').count()).toBe(1);
  // So far nothing of it is used.
  expect((await client.call('rules', { with_text: true })).text).toBe(null);
  await rules.getByRole('button', { name: 'Use these rules' }).click();
  await page.getByText('These rules are in use now.').waitFor();
  await rules.getByRole('radio', { name: /^deploy/ }).click();
  const kinds = async (): Promise<string[]> =>
    (await client.call('entries', { id: 'build' })).entries.map(({ kind }) => kind);
  await expect.poll(kinds).toEqual(['deployed']);
  await rules.getByLabel('Enabled').uncheck();
  await rules.getByRole('button', { name: 'Use these rules' }).click();
  await expect.poll(kinds).toEqual([]);
});

test('an error stands at its field, in the words of the daemon, and goes with the next change', async () => {
  const { page } = await openedByLink(DESK, ({ client }) => prints(client, DEPLOYS), ALLOWED);
  const rules = await toRules(page);
  await write(rules, '(unclosed');
  await rules.getByRole('button', { name: 'Test' }).click();
  const field = rules.getByLabel('Starts with (a pattern)');
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  expect(await rules.getByRole('alert').textContent()).toContain('profiles.0.rules.0.start');
  expect(await field.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
  await field.fill('^deploy');
  await rules.getByRole('alert').waitFor({ state: 'detached' });
  await rules.getByLabel('Kind of its entries').fill('Not A Kind');
  await rules.getByRole('button', { name: 'Use these rules' }).click();
  await expect.poll(() => rules.getByLabel('Kind of its entries').getAttribute('aria-invalid')).toBe('true');
  await rules.getByLabel('Kind of its entries').fill('kind');
  await rules.getByLabel('Other fields (JSON)').fill('{"steps":');
  await rules.getByRole('alert').waitFor();
  await rules.getByLabel('Other fields (JSON)').fill('{"colour":1}');
  await rules.getByRole('button', { name: 'Test' }).click();
  await expect.poll(() => rules.getByRole('alert').textContent()).toContain('colour');
});

test('a new profile extends one that comes with t4a', async () => {
  const { page } = await openedByLink(DESK, ({ client }) => prints(client, 'a.c:1:7: error: no\\n'), ALLOWED);
  const rules = await toRules(page);
  await rules.getByLabel('What a new profile extends').selectOption('generic');
  await rules.getByRole('button', { name: 'New profile' }).click();
  expect(await rules.getByLabel('Extends (names of profiles)').inputValue()).toBe('generic');
  await rules.getByRole('button', { name: 'Test' }).click();
  await rules.getByText('1 entry found, as the terminal has them.').waitFor();
});

test('a region is picked by dragging over the snapshot', async () => {
  const { page, client } = await openedByLink(DESK, ({ client }) => prints(client, DEPLOYS), ALLOWED);
  const rules = await toRules(page);
  await write(rules, 'deploy');
  await rules.getByLabel('Reads').selectOption('region');
  await rules.getByRole('button', { name: 'Pick on the snapshot' }).click();
  const grid = rules.locator('.snapshot-grid');
  await grid.waitFor();
  const box = (await grid.boundingBox()) as { x: number; y: number; width: number; height: number };
  const { cols, rows } = await client.call('status', { id: 'build' });
  const at = (row: number, col: number): [number, number] => [
    box.x + ((col + 0.5) * box.width) / cols,
    box.y + ((row + 0.5) * box.height) / rows,
  ];
  await page.mouse.move(...at(0, 3));
  await page.mouse.down();
  await page.mouse.move(...at(2, 30), { steps: 4 });
  await page.mouse.up();
  const values = ['top', 'left', 'bottom', 'right'].map((name) => rules.getByLabel(name, { exact: true }).inputValue());
  expect(await Promise.all(values)).toEqual(['0', '3', '3', '31']);
  await rules.getByRole('button', { name: 'Use these rules' }).click();
  await page.getByText('These rules are in use now.').waitFor();
  const { text } = await client.call('rules', { with_text: true });
  expect(JSON.parse(text ?? '')).toMatchObject({
    profiles: [{ id: 'deploy', rules: [{ on: 'region', region: { top: 0, left: 3, bottom: 3, right: 31 } }] }],
  });
});

test('rules are tested on all of the history, also of what is long gone', async () => {
  const { page } = await openedByLink(
    DESK,
    async ({ client }) => {
      await client.call('create', {
        name: 'build',
        rules: 'generic',
        cmd_args: [
          'sh',
          '-c',
          'echo "a.c:1:7: error: no"; echo "deploy web1 ok"; read x; printf "\\033[H\\033[2J\\033[3Jshown"; exec sleep 600',
        ],
        wait: { until: { event: 'entry' } },
      });
      await client.call('send', { id: 'build', input: '\n', wait: { until: { text: 'shown' } } });
    },
    ALLOWED,
  );
  const rules = await toRules(page);
  await write(rules, '^deploy');
  await rules.getByRole('button', { name: 'Test' }).click();
  await rules.getByText('0 entries found').waitFor();
  await rules.getByLabel('Its whole history').check();
  await rules.getByRole('button', { name: 'Test' }).click();
  await rules.getByText('1 entry found, 2 differences').waitFor();
  expect(await rules.getByRole('list', { name: 'Differences' }).textContent()).toContain('added');
});

test('rules that another has changed since are not overwritten', async () => {
  const { page, client } = await openedByLink(DESK, ({ client }) => prints(client, DEPLOYS), ALLOWED);
  const rules = await toRules(page);
  await write(rules, '^deploy');
  const text = JSON.stringify({ version: 1, profiles: [{ id: 'other', rules: [] }] });
  await client.call('rules', { action: 'set', rules: text });
  await rules.getByRole('button', { name: 'Use these rules' }).click();
  await rules.getByText(/The rules have version/).waitFor();
  expect((await client.call('rules', { with_text: true })).text).toBe(text);
});

test('what a rule has beside the fields of the form is kept, and goes into the file that is saved', async () => {
  const rule = {
    id: 'host',
    steps: [{ match: '^a' }, { match: '^b', repeat: true }],
    emit: { kind: 'deployed', key: '{host}', numbers: ['n'] },
    min_confidence: 0.5,
  };
  const { page } = await openedByLink(
    DESK,
    async ({ client }) => {
      await prints(client, DEPLOYS);
      const profiles = [{ id: 'mine', match: { command_regex: 'x', args_regex: 'y' }, rules: [rule] }];
      await client.call('rules', { action: 'set', rules: JSON.stringify({ version: 1, profiles }) });
    },
    ALLOWED,
  );
  const rules = await toRules(page);
  await rules.getByLabel('Kind of its entries').fill('changed');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    rules.getByRole('button', { name: 'Save as a file' }).click(),
  ]);
  const saved = JSON.parse(readFileSync((await download.path()) ?? '', 'utf8')) as unknown;
  expect(saved).toEqual({
    version: 1,
    profiles: [
      {
        id: 'mine',
        match: { command_regex: 'x', args_regex: 'y' },
        rules: [{ ...rule, emit: { ...rule.emit, kind: 'changed' } }],
      },
    ],
  });
});

test('Escape leaves, and drops what was changed at the second press alone', async () => {
  const { page } = await openedByLink(DESK, ({ client }) => prints(client, DEPLOYS), ALLOWED);
  const rules = await toRules(page);
  await rules.getByRole('button', { name: 'New profile' }).click();
  await page.keyboard.press('Escape');
  await rules.getByText('Close again to drop it').waitFor();
  await page.keyboard.press('Escape');
  await rules.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('hands');
});

/** A daemon from before: it lacks these commands and fields. */
async function asOlder(page: Page, cmds: readonly string[], fields: readonly string[]): Promise<void> {
  await page.routeWebSocket(/socket/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      const request = JSON.parse(String(message)) as Record<string, unknown>;
      const code = cmds.includes(String(request['cmd']))
        ? 'unknown_command'
        : fields.some((name) => Object.hasOwn(request, name))
          ? 'unknown_field'
          : undefined;
      if (code === undefined) server.send(message);
      else socket.send(JSON.stringify({ ok: false, code, error: `It is ${code}.`, req: request['req'] }));
    });
  });
}

test('an older daemon lists its profiles, has no entries and no commands, and says what it lacks', async () => {
  const { page, complaints, origin } = await openedByLink(DESK, ({ client }) => prints(client, DEPLOYS), ALLOWED);
  await rowWith(page, 'shown').waitFor();
  await asOlder(page, ['entries', 'commands'], ['with_text']);
  await page.goto(origin);
  await rowWith(page, 'shown').waitFor();
  await page.getByRole('button', { name: 'What happened', exact: true }).click();
  await page.getByText('too old to say what happened').waitFor();
  await page.getByRole('button', { name: 'Rules of terminals' }).click();
  const rules = page.getByRole('region', { name: 'Rules' });
  await rules.getByText('The daemon does not give the text of its rules').waitFor();
  expect(await rules.getByRole('radio', { name: /^generic/ }).isChecked()).toBe(true);
  expect(complaints).toEqual([]);
});

test.each(
  casesOf(
    [
      ['laptop', 'dark', DESK],
      ['laptop', 'light', DESK],
      ['phone', 'dark', PHONE],
      ['phone', 'light', PHONE],
    ] as const,
    isSampled,
  ),
)('on a %s axe finds nothing serious in the %s theme while rules are edited', async (_name, theme, size) => {
  const { page } = await openedByLink(
    { ...size, colorScheme: theme },
    ({ client }) => prints(client, DEPLOYS),
    ALLOWED,
  );
  const rules = await toRules(page);
  await write(rules, '^deploy');
  await rules.getByLabel('Reads').selectOption('region');
  await rules.getByRole('button', { name: 'Test' }).click();
  await rules.locator('.snapshot').waitFor();
  await rules.getByLabel('Starts with (a pattern)').fill('(');
  await rules.getByRole('button', { name: 'Test' }).click();
  await rules.getByRole('alert').waitFor();
  expect(await axe(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
});
