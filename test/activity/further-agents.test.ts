/** Profiles of pi, Qwen Code and Copilot CLI, on screens that the real programs have shown. */
import { describe, expect, it } from 'vitest';
import { readBox } from '../../src/activity/box.js';
import { COPILOT } from '../../src/activity/profiles/copilot.js';
import { GEMINI } from '../../src/activity/profiles/gemini.js';
import { PI } from '../../src/activity/profiles/pi.js';
import { QWEN } from '../../src/activity/profiles/qwen.js';
import type { Profile } from '../../src/activity/rule.js';
import { parseRules } from '../../src/activity/rules-file.js';
import { openScreen, show } from '../vt/screens.js';
import { watched } from './watched.js';

const LINE = '─'.repeat(80);
const INVERSE = '\x1b[7m \x1b[27m';

interface Screens {
  readonly rules: object;
  /** What is below the last thing that was said: the box with a text. */
  readonly box: (text: string) => readonly string[];
  readonly said: readonly string[];
  readonly working: readonly string[];
  readonly failed: readonly string[];
  readonly asks: readonly string[] | undefined;
}

const AGENTS: Readonly<Record<string, Screens>> = {
  pi: {
    rules: PI,
    box: (text) => [
      '',
      LINE,
      `\x1b7${text}${INVERSE}`,
      LINE,
      '/home/ada/project',
      '0.0%/100k (auto)      scripted\x1b8',
    ],
    said: [' hello there', '', '', ' All right.'],
    working: ['', ' ⠧ Working...'],
    failed: [' a prompt', '', '', ' Error: 400 The script fails here.'],
    asks: undefined,
  },
  qwen: {
    rules: QWEN,
    box: (text) => [
      '',
      LINE,
      text === '' ? `>${INVERSE}  Type your message or @path/to/file` : `> ${text}${INVERSE}`,
      LINE,
      '  ? for shortcuts',
      '',
    ],
    said: ['  > hello there', '', '  ✦ All right.'],
    working: ["  ⠋ Hold tight, I'm crafting a masterpiece... (3s · ↓ 20 tokens · esc to cancel)"],
    failed: ['  > a prompt', '', '  ✕ [API Error: 400 The script fails here.]'],
    asks: [
      '  ╭──────────────────────────────────────────────────────────────╮',
      '  │ ?  Shell touch ran (why) ←                                   │',
      '  │                                                              │',
      '  │   touch ran                                                  │',
      '  │                                                              │',
      "  │ Allow execution of: 'touch'?                                 │",
      '  │                                                              │',
      '  │ › 1. Yes, allow once                                         │',
      '  │   4. No, suggest changes (esc)                               │',
      '  │                                                              │',
      '  ╰──────────────────────────────────────────────────────────────╯',
    ],
  },
  copilot: {
    rules: COPILOT,
    box: (text) => [
      ' /home/ada/project',
      LINE,
      `❯ \x1b7${text}`,
      LINE,
      ' ← open sidebar · Interactive          gpt-4.1\x1b8',
    ],
    said: [' ❯ hello there                                     19:55', '', ' ● All right.', ''],
    working: [],
    failed: [
      ' ❯ a prompt                                        19:56',
      '',
      ' ✗ 400 The script fails here.     ┃',
      '     ┃',
    ],
    asks: [
      '╭──────────────────────────────────────────────────────────────╮',
      '│ touch ran                                                    │',
      '│                                                              │',
      '│ Do you want to run this command?                             │',
      '│                                                              │',
      '│ ❯ 1. Yes                                                     │',
      '│   3. No, and tell Copilot what to do differently             │',
      '╰──────────────────────────────────────────────────────────────╯',
    ],
  },
};

function profileOf(rules: object): Profile {
  const [profile] = parseRules('shipped', JSON.stringify(rules)).profiles as [Profile];
  return profile;
}

async function entriesOn(rules: object, rows: readonly string[]): Promise<{ kind: string; text: unknown }[]> {
  const { screen, look } = watched(profileOf(rules), { cols: 90, rows: 24, scrollback: 100 });
  await show(screen, rows.join('\r\n'));
  return look()
    .filter(({ op }) => op === 'upsert')
    .map(({ entry: { kind, data } }) => ({ kind, text: data['question'] ?? data['text'] }));
}

async function boxOn(rules: object, rows: readonly string[]): Promise<readonly string[] | undefined> {
  const screen = openScreen({ cols: 90, rows: 24 });
  return readBox(profileOf(rules), await show(screen, rows.join('\r\n')))?.lines;
}

describe.each(Object.entries(AGENTS))('%s', (_, { rules, box, said, working, failed, asks }) => {
  it('has a box that is empty, or holds a draft', async () => {
    expect(await boxOn(rules, [...said, ...box('')])).toEqual([]);
    expect(await boxOn(rules, [...said, ...box('half of a thought')])).toEqual(['half of a thought']);
  });

  it('has failed until the next prompt', async () => {
    const failure = { kind: 'failed', text: expect.stringContaining('400 The script fails here.') };
    expect(await entriesOn(rules, [...failed, ...box('')])).toContainEqual(failure);
    expect(await entriesOn(rules, [...failed, '', ...said, ...box('')])).not.toContainEqual(failure);
  });

  it.runIf(working.length > 0)('works', async () => {
    const found = await entriesOn(rules, [...said, ...working, ...box('')]);
    expect(found.map(({ kind }) => kind)).toContain('working');
    expect(found.find(({ kind }) => kind === 'working')?.text).not.toMatch(/\d/);
  });

  it.runIf(asks !== undefined)('asks, and has no box meanwhile', async () => {
    const rows = [...said, ...(asks ?? [])];
    const question = {
      kind: 'permission_request',
      text: expect.stringMatching(/^(Allow execution|Do you want to run)/),
    };
    expect(await entriesOn(rules, rows)).toContainEqual(question);
    expect(await boxOn(rules, rows)).toBeUndefined();
  });
});

describe('copilot', () => {
  it('works while its last row says how to interrupt it', async () => {
    const rows = [
      ' ● w0',
      '',
      ' /home/ada/project',
      LINE,
      '❯',
      LINE,
      ' ● Working · 50 B esc esc interrupt     gpt-4.1',
    ];
    const filled = [...Array.from({ length: 24 - rows.length }, () => ''), ...rows];
    expect(await entriesOn(COPILOT, filled)).toContainEqual({ kind: 'working', text: 'Working' });
  });
});

describe('gemini', () => {
  // Recorded of 0.61.0. The column of the mode has no heading.
  const BELOW = [
    '                     workspace (/directory)                  sandbox',
    ' [INSERT]            /home/ada/project                       no sandbox',
  ];

  it('has an empty box in both modes of vi: it takes pastes in each', async () => {
    const box = (text: string): string[] => ['▄'.repeat(60), ` > ${INVERSE} ${text}`, '▀'.repeat(60), ...BELOW, ''];
    expect(await boxOn(GEMINI, box("Press 'Esc' for NORMAL mode."))).toEqual([]);
    expect(await boxOn(GEMINI, box("Press 'i' for INSERT mode."))).toEqual([]);
    expect(await boxOn(GEMINI, box('a draft'))).toEqual(['  a draft']);
  });

  it('has no box in what was sent, which has the same frame', async () => {
    const sent = ['▄'.repeat(60), ' > sent before', '▀'.repeat(60)];
    for (const next of [
      ['✦ All right.'],
      ['', '✦ All right.'],
      ['   ? for shortcuts'],
      [' ⠏ Thinking... (esc to cancel, 1s)'],
    ]) {
      expect(await boxOn(GEMINI, [...sent, ...next])).toBeUndefined();
    }
  });
});
