/** Questions that agents ask before they take a prompt, on what the real programs printed in a home of their own without a network. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readBox } from '../../src/activity/box.js';
import { CLAUDE } from '../../src/activity/profiles/claude.js';
import { CODEX } from '../../src/activity/profiles/codex.js';
import { GEMINI } from '../../src/activity/profiles/gemini.js';
import { OPENCODE } from '../../src/activity/profiles/opencode.js';
import type { Profile } from '../../src/activity/rule.js';
import { parseRules } from '../../src/activity/rules-file.js';
import { show } from '../vt/screens.js';
import { entriesAfter, watched } from './watched.js';

const SIZE = { cols: 80, rows: 40, scrollback: 1000 };

describe.each([
  ['claude-theme', CLAUDE, { about: 'theme', question: expect.stringContaining('Choose the text style') }],
  ['claude-login', CLAUDE, { about: 'login', question: 'Select login method:' }],
  ['claude-key', CLAUDE, { about: 'login', question: 'Do you want to use this API key?' }],
  ['claude-trust', CLAUDE, { about: 'trust', question: expect.stringContaining('Is this a project you created') }],
  ['claude-bypass', CLAUDE, { about: 'trust', question: expect.stringContaining('Bypass Permissions mode') }],
  ['codex-login', CODEX, { about: 'login', question: 'Choose how you want to use Codex.' }],
  ['codex-trust', CODEX, { about: 'trust', question: 'Trust this folder?' }],
  ['gemini-login', GEMINI, { about: 'login', question: 'How would you like to authenticate for this project?' }],
  ['gemini-trust', GEMINI, { about: 'trust', question: 'Do you trust the files in this folder?' }],
  ['opencode-key', OPENCODE, { question: 'API key' }],
] as const)('the screen %s', (name, rules, data) => {
  const [profile] = parseRules('shipped', JSON.stringify(rules)).profiles as [Profile];
  const output = readFileSync(fileURLToPath(new URL(`fixtures/first-run/${name}.out`, import.meta.url)), 'utf8');

  it('is one open question, and no box', async () => {
    const { screen, look, all } = watched(profile, SIZE);
    await show(screen, output);
    look();
    const open = entriesAfter(all).filter((entry) => entry.open && entry.kind === 'question');
    expect(open.map((entry) => entry.data)).toMatchObject([data]);
    expect(readBox(profile, screen.snapshot())).toBeUndefined();
  });

  it('asks nothing any more once it is gone', async () => {
    const { screen, look, all } = watched(profile, SIZE);
    await show(screen, output);
    look();
    await show(screen, '\x1b[2J\x1b[H');
    look();
    expect(entriesAfter(all).filter((entry) => entry.open)).toEqual([]);
  });
});

it.each([
  [CLAUDE, ' Select login method:\r\n\r\n and then choose it\r\n'],
  [CLAUDE, '● Choose the text style that you like.\r\n\r\n ❯ is the sign\r\n'],
  [CODEX, '• Trust this folder? I would not.\r\n  1. Trust and continue\r\n'],
  [CODEX, '  Choose how you want to use Codex.\r\n\r\n  It is said above.\r\n'],
  [GEMINI, '✦ Do you trust the files in this folder?\r\n  ● 1. Yes\r\n'],
  [OPENCODE, '     Press the key esc\r\n     or esc\r\n'],
])('prose with its words is no question', async (rules, text) => {
  const [profile] = parseRules('shipped', JSON.stringify(rules)).profiles as [Profile];
  const { screen, look, all } = watched(profile, SIZE);
  await show(screen, text);
  look();
  expect(entriesAfter(all).filter(({ kind }) => kind === 'question')).toEqual([]);
});
