/** Profiles of agents on what the real programs printed (scripts/record-agents.mjs records them, with a model of a script). */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { EntryChange } from '../../src/activity/entry.js';
import { CLAUDE } from '../../src/activity/profiles/claude.js';
import { CODEX } from '../../src/activity/profiles/codex.js';
import { GEMINI } from '../../src/activity/profiles/gemini.js';
import { OPENCODE } from '../../src/activity/profiles/opencode.js';
import { profileFor, type Profile } from '../../src/activity/rule.js';
import { parseRules } from '../../src/activity/rules-file.js';
import { show } from '../vt/screens.js';
import { entriesAfter, watched } from './watched.js';

const COMMAND = 'rm -f build.log && ls';
const ASKED: readonly (readonly [string, object])[] = [
  ['user_message', { text: expect.stringContaining('List the files and clean the log') }],
  ['agent_message', { text: expect.stringContaining('I will look at the files first.') }],
  ['tool_call', { input: COMMAND, result: expect.stringContaining('a.txt') }],
  ['agent_message', { text: expect.stringMatching(/The build is ready\.\n\n.*a\.txt\n.*b\.txt/) }],
];
const AGAIN: readonly (readonly [string, object])[] = [
  ['user_message', { text: expect.stringContaining('Thanks, that is all') }],
  ['agent_message', { text: expect.stringContaining('I will look at the files first.') }],
];

/** Ends of the frames of programs that mark them. */
const SYNCHRONIZED = /(?<=\x1b\[\?2026l)/; // oxlint-disable-line no-control-regex
/** Before a frame of Ink, which begins with the erasure of the one before. */
const ERASED = /(?<!\x1b\[1A)(?=\x1b\[2K\x1b\[1A)/; // oxlint-disable-line no-control-regex

/** The request for permission is refused the second time. */
const AGENTS = [
  codex('codex', '1s'),
  codex('codex-0.171.0', '2s'),
  {
    fixture: 'opencode',
    rules: OPENCODE,
    command: '/opt/bin/opencode',
    cut: SYNCHRONIZED,
    question: { tool: 'Shell command', input: COMMAND, question: 'Permission required' },
    history: [...ASKED, ['turn_end', { mode: 'Build', model: 'Scripted', took: '3.0s' }], ...AGAIN],
  },
  {
    fixture: 'gemini',
    rules: GEMINI,
    command: '/opt/bin/gemini',
    cut: ERASED,
    question: { tool: 'Shell', input: COMMAND, question: 'Allow execution of [Shell]?' },
    history: [...ASKED, ...AGAIN, ['tool_call', { mark: '-', input: COMMAND }], ['turn_end', {}]],
  },
] as const;

function codex(fixture: string, took: string) {
  return {
    fixture,
    rules: CODEX,
    command: '/opt/bin/codex',
    cut: SYNCHRONIZED,
    question: { tool: 'command', input: COMMAND, question: 'Would you like to run the following command?' },
    history: [
      ...ASKED,
      ['turn_end', { took }],
      ...AGAIN,
      ['tool_call', { input: COMMAND, status: 1 }],
      ['turn_end', {}],
    ],
  } as const;
}

/** What is there for as long as it is shown: in the whole output at once it is not seen. */
const PASSING = ['permission_request', 'working'];

/** A look after each piece. */
async function entriesOf(profile: Profile, pieces: readonly string[]): Promise<EntryChange['entry'][]> {
  const { screen, look, all, end } = watched(profile, { cols: 80, rows: 40, scrollback: 1000 });
  for (const piece of pieces) {
    await show(screen, piece);
    look();
  }
  end();
  return entriesAfter(all);
}

describe.each(AGENTS)('of $command, $fixture', ({ fixture, rules, command, cut, question, history }) => {
  const [profile] = parseRules('shipped', JSON.stringify(rules)).profiles as [Profile];
  const output = readFileSync(fileURLToPath(new URL(`fixtures/${fixture}.out`, import.meta.url)), 'utf8');
  const frames = output.split(cut);
  const fives = frames.flatMap((_, i) => (i % 5 === 0 ? [frames.slice(i, i + 5).join('')] : []));

  it.each([
    ['at once', [output]],
    ['frame by frame', frames],
    ['five frames at a time', fives],
  ])('the output %s has the messages, commands and ends of turns, each once', async (_, pieces) => {
    const entries = (await entriesOf(profile, pieces)).filter(({ kind }) => !PASSING.includes(kind));
    expect(entries.map(({ kind }) => kind)).toEqual(history.map(([kind]) => kind));
    expect(entries.map(({ data }) => data)).toMatchObject(history.map(([, data]) => data));
    expect(entries.every(({ open }) => !open)).toBe(true);
  });

  it('a question and the work are open while they are shown, and each question is an entry of its own', async () => {
    const { screen, look, all } = watched(profile, { cols: 80, rows: 40, scrollback: 1000 });
    const openKinds = new Set<string>();
    for (const frame of frames) {
      await show(screen, frame);
      look();
      for (const { kind, open } of entriesAfter(all)) if (open && PASSING.includes(kind)) openKinds.add(kind);
    }
    expect([...openKinds].toSorted()).toEqual(PASSING);
    const entries = entriesAfter(all);
    const questions = entries.filter(({ kind }) => kind === 'permission_request');
    expect(questions.map(({ open }) => open)).toEqual([false, false]);
    expect(questions.map(({ data }) => data)).toMatchObject([question, question]);
    const work = entries.filter(({ kind }) => kind === 'working');
    expect(work).toMatchObject([{ open: false }]);
    // Not a version a frame.
    expect(work[0]?.version).toBeLessThan(10);
  });

  it('is the profile of the program by its name', () => {
    const set = { profiles: [profile] };
    expect(profileFor(set, [command, '--continue'])?.id).toBe(profile.id);
    expect(profileFor(set, [`${command}tte`])).toBeUndefined();
  });
});

/** Questions about an edit, as the programs of the names draw them. */
const EDITS = [
  {
    agent: 'claude',
    rules: CLAUDE,
    rows: [
      ' Edit file',
      '',
      ' ╭────────╮',
      ' │ a.txt  │',
      ' │ 1 - a  │',
      ' ╰────────╯',
      ' Do you want to make this edit to a.txt?',
      ' ❯ 1. Yes',
      '   2. No',
    ],
    question: 'Do you want to make this edit to a.txt?',
  },
  {
    agent: 'codex',
    rules: CODEX,
    rows: [
      '  Would you like to make the following edits?',
      '',
      '  a.txt (+1 -1)',
      '    1 -a',
      '    1 +b',
      '',
      '› 1. Yes, proceed',
    ],
    question: 'Would you like to make the following edits?',
  },
  {
    agent: 'gemini',
    rules: GEMINI,
    rows: [
      '╭──────────────────────────────────╮',
      '│ ? Edit a.txt: a => b             │',
      '│                                  │',
      '│ ╭──────────────────────────────╮ │',
      '│ │ 1 - a                        │ │',
      '│ │ 1 + b                        │ │',
      '│ ╰──────────────────────────────╯ │',
      '│ Apply this change?               │',
      '│ ● 1. Yes, allow once             │',
      '╰──────────────────────────────────╯',
    ],
    question: 'Apply this change?',
  },
] as const;

it.each(EDITS)('$agent asks for an edit', async ({ agent, rules, rows, question }) => {
  const profile = profileFor(parseRules(agent, JSON.stringify(rules)), [`/opt/bin/${agent}`]) as Profile;
  const { screen, look } = watched(profile, { cols: 80, rows: 20 });
  await show(screen, rows.join('\r\n'));
  const asked = look().filter(({ entry }) => entry.kind === 'permission_request');
  expect(asked).toMatchObject([{ op: 'upsert', entry: { open: true, data: { question } } }]);
});
