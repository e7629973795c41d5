/** The boxes of agents, in what the real programs printed (scripts/record-agents.mjs records it). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Box, readBox, asPrompt } from '../../src/activity/box.js';
import { CLAUDE } from '../../src/activity/profiles/claude.js';
import { CODEX } from '../../src/activity/profiles/codex.js';
import { GEMINI } from '../../src/activity/profiles/gemini.js';
import { OPENCODE } from '../../src/activity/profiles/opencode.js';
import type { Profile } from '../../src/activity/rule.js';
import { parseRules } from '../../src/activity/rules-file.js';
import { openScreen, show, textOf } from '../vt/screens.js';
import { profileOf } from './watched.js';

const SYNCHRONIZED = /(?<=\x1b\[\?2026l)/; // oxlint-disable-line no-control-regex
/** Before a frame of Ink, which begins with the erasure of the one before. */
const ERASED = /(?<!\x1b\[1A)(?=\x1b\[2K\x1b\[1A)/; // oxlint-disable-line no-control-regex

const DIM = '\x1b[2m';
const PLAIN = '\x1b[m';
const INVERSE = '\x1b[7m';
const LINE = '─'.repeat(80);

interface Agent {
  readonly rules: object;
  readonly cut: RegExp;
  /** A part of each question for permission. */
  readonly question: string;
  /** What it shows around a text of these rows, with the cursor in the last one. */
  readonly box: (...rows: string[]) => string;
}

/** The cursor goes back to the text. */
const below = (rows: readonly string[]): string => `\x1b7\r\n${rows.join('\r\n')}\x1b8`;

const AGENTS: Readonly<Record<string, Agent>> = {
  claude: {
    rules: CLAUDE,
    cut: SYNCHRONIZED,
    question: 'Do you want to proceed?',
    box: (...rows) => `${LINE}\r\n❯\u00a0${rows.join('\r\n  ')}${below([LINE, '  ? for shortcuts'])}`,
  },
  codex: {
    rules: CODEX,
    cut: SYNCHRONIZED,
    question: 'Would you like to run',
    box: (...rows) => `\x1b[1m›\x1b[m ${rows.join('\r\n  ')}${below(['', '  scripted default', '  ? for shortcuts'])}`,
  },
  gemini: {
    rules: GEMINI,
    cut: ERASED,
    question: 'Allow execution of',
    box: (...rows) => `${'▄'.repeat(80)}\r\n > ${rows.join('\r\n   ')}${below(['▀'.repeat(80), ' workspace'])}`,
  },
  opencode: {
    rules: OPENCODE,
    cut: SYNCHRONIZED,
    question: 'Permission required',
    box: (...rows) =>
      `  ┃\r\n  ┃  ${rows.join('\r\n  ┃  ')}${below(['  ┃', '  ┃  Build · Scripted', `  ╹${'▀'.repeat(70)}`])}`,
  },
};

describe.each(Object.entries(AGENTS))('the box of %s', (name, { rules, cut, question, box }) => {
  const [profile] = parseRules('shipped', JSON.stringify(rules)).profiles as [Profile];
  const frames = readFileSync(new URL(`fixtures/${name}.out`, import.meta.url), 'utf8').split(cut);

  /** @returns the box of each recorded screen, in short */
  async function boxes(): Promise<{ readonly shown: string; readonly says: string }[]> {
    const screen = openScreen({ cols: 80, rows: 40, scrollback: 1000 });
    const all: { shown: string; says: string }[] = [];
    for (const frame of frames) {
      const snapshot = await show(screen, frame);
      all.push({ shown: textOf(snapshot).join('\n'), says: inShort(readBox(profile, snapshot)) });
    }
    return all;
  }

  async function boxOf(text: string): Promise<string> {
    const screen = openScreen({ cols: 80, rows: 24 });
    return inShort(readBox(profile, await show(screen, text)));
  }

  it('is empty, or holds what was typed, on the recorded screens', async () => {
    const says = new Set((await boxes()).map((one) => one.says));
    expect([...says].filter((one) => !PREFIX.test(one)).toSorted()).toEqual(['closed', 'empty']);
    expect([...says].some((one) => one === 'text: Thanks, that is all')).toBe(true);
  });

  it('is closed on each recorded screen with a question', async () => {
    const asked = (await boxes()).filter(({ shown }) => shown.includes(question));
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked.map(({ says }) => says))).toEqual(new Set(['closed']));
  });

  it('holds a draft of several rows, with blank ones', async () => {
    expect(await boxOf(box('first', '', 'third'))).toBe('text: first||third');
  });

  it('holds the marker of a paste', async () => {
    expect(await boxOf(box('[Pasted text #1 +39 lines]'))).toBe('text: [Pasted text #1 +39 lines]');
  });

  it('holds no hint that is dim, and a draft on which the cursor stands', async () => {
    expect(await boxOf(box(`${INVERSE}T${PLAIN}${DIM}ry "fix it"${PLAIN}\x1b[11D`))).toBe('empty');
    expect(await boxOf(box(`${INVERSE}T${PLAIN}ry "fix it"\x1b[11D`))).toBe('text: Try "fix it"');
    expect(await boxOf(box(`${INVERSE}a${PLAIN}`))).toBe('text: a');
  });

  it('is closed without its frame', async () => {
    expect(await boxOf('$ ls\r\nfile\r\n$ ')).toBe('closed');
  });
});

/** Beginnings of what was typed while it was recorded. */
const PREFIX = /^text: (?:L|T)/;

function inShort(box: Box | undefined): string {
  if (box === undefined) return 'closed';
  return box.lines.length === 0 ? 'empty' : `text: ${box.lines.join('|')}`;
}

describe('a rule on a box', () => {
  const rule = {
    id: 'box',
    on: 'box',
    start: '^> (?P<text>.*)$',
    hint: '^Ask me$',
    emit: { kind: 'composer' },
  };

  it('has a hint only while the cursor stands before it', async () => {
    const profile = profileOf(rule);
    const screen = openScreen({ cols: 40, rows: 6 });
    expect(inShort(readBox(profile, await show(screen, '> Ask me\x1b[6D')))).toBe('empty');
    expect(inShort(readBox(profile, await show(screen, '\x1b[6C')))).toBe('text: Ask me');
  });

  it('finds one without the cursor if it says so', async () => {
    const screen = openScreen({ cols: 40, rows: 6 });
    const snapshot = await show(screen, '> draft\r\n\r\n');
    expect(inShort(readBox(profileOf(rule), snapshot))).toBe('closed');
    expect(inShort(readBox(profileOf({ ...rule, cursor: false }), snapshot))).toBe('text: draft');
  });

  it('takes a hint only there', () => {
    expect(() => profileOf({ ...rule, on: 'lines' })).toThrow('"profiles.0.rules.0.hint": goes with "on": "box"');
  });
});

it.each([
  ['codex', 'fix @a', 'fix @a '],
  ['codex', 'run $skill', 'run $skill '],
  ['codex', '@a.txt', '@a.txt '],
  ['gemini', 'two lines\nfix @', 'two lines\nfix @ '],
  ['opencode', 'fix @a', 'fix @a '],
  ['codex', 'fix @a now', 'fix @a now'],
  ['codex', 'mail a@b', 'mail a@b'],
  ['claude', 'fix @a', 'fix @a'],
  ['claude', '! touch it', ' ! touch it'],
  ['codex', '! cat @a', ' ! cat @a '],
  ['codex', 'stop!\n! now', 'stop!\n! now'],
  ['gemini', '! touch it', '! touch it'],
])(
  'a prompt to %s that would open a menu at its end or a shell at its begin gets a blank there: %j',
  (agent, text, written) => {
    const { profiles } = parseRules('shipped', JSON.stringify(AGENTS[agent]?.rules));
    expect(asPrompt(profiles[0], text)).toBe(written);
  },
);
