/** What a screen reader reads, in its order: the accessibility tree of the list, the wall, the cards and the feed. */
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { connect, type Client } from '../../src/client/index.js';
import { needs } from '../support/programs.js';
import { browserOfFile, DESK, opened, rowWith } from './browser.js';

needs('chromium');
browserOfFile();

const PROGRAMS = {
  ann: 'printf shown; exec sleep 600',
  bob: 'printf "\\033]2;the build\\007a.c:1:9: error: undeclared\\r\\nshown"; exit 3',
  cid: 'printf "\\033]2;notes\\007shown"; exec cat',
} as const;

async function make({ client }: { readonly client: Client }): Promise<void> {
  for (const [name, script] of Object.entries(PROGRAMS))
    await client.call('create', {
      name,
      rules: 'generic',
      cmd_args: ['sh', '-c', script],
      wait: { until: { text: 'shown' } },
    });
  await expect.poll(async () => (await client.call('entries', { id: 'bob' })).entries.length).toBe(1);
}

/** Without times, and the name that the daemon has by its socket. */
async function spoken(page: Page, selector: string): Promise<string> {
  const tree = await page.locator(selector).ariaSnapshot();
  return tree
    .replaceAll(/\d\d:\d\d(:\d\d)?/g, 'TIME')
    .replaceAll(/text: \S+ \/ /g, 'text: DAEMON / ')
    .replace(/text: \S+ 3\b/, 'text: DAEMON 3');
}

const LIST = `
- navigation "Terminals":
  - text: t4a
  - button "Light theme"
  - searchbox "Find a terminal"
  - group:
    - text: DAEMON 3
    - list:
      - listitem:
        - button "ann 1 question unknown sleep Go on with make? TIME"
      - listitem:
        - button "cid waiting cat notes TIME"
      - listitem:
        - button "bob exited 3 sh the build"
  - navigation "More":
    - button "Recordings"
    - button "Health"
  - button "New terminal"
`.trim();

const WALL = `
- region "All terminals":
  - list:
    - listitem:
      - button "ann 1 question unknown sleep Go on with make? TIME"
    - listitem:
      - button "cid waiting cat notes TIME"
  - heading "Idle and ended" [level=2]
  - list:
    - listitem:
      - button "bob exited 3 sh"
`.trim();

const CARDS = `
- region "Questions":
  - article "Question of claude-1":
    - group:
      - strong: claude-1
      - text: DAEMON / ann · sleep
      - alert:
        - text: "claude-1 asks: Go on with"
        - code: make
        - text: "?"
      - button "Yes"
      - button "No"
      - button "Decline"
  - article "Question of claude-1":
    - group:
      - strong: claude-1
      - text: DAEMON / no terminal
      - alert: "claude-1 asks: Which name?"
      - textbox "Answer":
        - /placeholder: Your answer
      - button "Send"
      - button "Decline"
`.trim();

const FEED = `
- complementary "What happened":
  - heading "What happened" [level=2]
  - text: generic
  - button "Close what happened"
  - list "Entries, oldest first":
    - listitem:
      - 'button "diagnostic TIME a.c:1:9: error: undeclared"':
        - text: diagnostic
        - time: TIME
        - text: "a.c:1:9: error: undeclared"
`.trim();

test('list, wall, cards and feed are read in one order: a name, what needs a person, what it does, its program, a title', async () => {
  const { page, client } = await opened(DESK, make);
  const agent = await connect({ socketPath: client.socketPath, as: 'claude-1', autoStart: false });
  onTestFinished(() => agent.close());
  await rowWith(page, 'shown').waitFor();
  await agent.call('ask', { id: 'ann', question: 'Go on with `make`?', kind: 'confirm', timeout_ms: 0 });
  await agent.call('ask', { question: 'Which name?', kind: 'text', timeout_ms: 0 });
  await page.locator('.ask').nth(1).waitFor();
  await expect.poll(() => spoken(page, '.tree')).toBe(LIST);
  await expect.poll(() => spoken(page, '.asks')).toBe(CARDS);
  await page.getByRole('button', { name: 'All terminals at a glance' }).click();
  await page.mouse.move(1, 1);
  await expect.poll(() => spoken(page, '.wall')).toBe(WALL);
  await page.getByRole('button', { name: 'Back to the terminal' }).click();
  await page.evaluate(`location.hash = '#/bob'`);
  await page.getByRole('button', { name: 'What happened', exact: true }).click();
  await expect.poll(() => spoken(page, '.feed')).toBe(FEED);
});
