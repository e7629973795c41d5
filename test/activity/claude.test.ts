/** The profile "claude" on what the real program printed (scripts/record-agents.mjs records it, with a model of a script). */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CLAUDE } from '../../src/activity/profiles/claude.js';
import type { EntryChange } from '../../src/activity/entry.js';
import { profileFor, type Profile } from '../../src/activity/rule.js';
import { parseRules } from '../../src/activity/rules-file.js';
import { show } from '../vt/screens.js';
import { entriesAfter, watched } from './watched.js';

const RULES = parseRules('claude', JSON.stringify(CLAUDE));
const PROFILE = RULES.profiles[0] as Profile;
/** Ends of the frames of a program that marks them. */
const SYNCHRONIZED = /(?<=\x1b\[\?2026l)/; // oxlint-disable-line no-control-regex

/** A look after each piece; as in a daemon, none within a synchronized update unless the test asks for it. */
async function changesOf(pieces: readonly string[], halfDrawn = false): Promise<readonly EntryChange[]> {
  const { screen, look, all, end } = watched(PROFILE, { cols: 80, rows: 40, scrollback: 1000 });
  for (const piece of pieces) {
    await show(screen, piece);
    if (halfDrawn || !screen.synchronizedOutput) look();
  }
  end();
  return all;
}

const COMMAND = 'rm -f build.log && ls';
const PERMISSION = { tool: 'Bash command', input: COMMAND, question: 'Do you want to proceed?' };

/** What is there for as long as it is shown: in the whole output at once it is not seen. */
const PASSING = ['permission_request', 'working'];

/** What becomes of the call that is allowed, and of the one that is refused. */
const VERSIONS = [
  {
    fixture: 'claude',
    readsHalfDrawn: true,
    done: { tool: 'Bash', input: COMMAND, result: 'a.txt' },
    took: '0s',
    refused: { tool: 'Bash', input: COMMAND, result: 'Interrupted · What should Claude do instead?' },
    // Before the question, and three frames after it.
    work: ['1 Skedaddling…', '2 Skedaddling…', '2 Skedaddling…', '2 Skedaddling…'],
  },
  {
    // It folds calls to a row each, and writes new rows over old ones of other kinds.
    fixture: 'claude-2.1.332',
    readsHalfDrawn: false,
    done: { result: 'Ran 1 shell command' },
    took: '1s',
    refused: { input: COMMAND, result: 'Interrupted · What should Claude do instead?' },
    work: [
      ...Array<string>(3).fill('1 Scampering…'),
      ...Array<string>(4).fill('2 Scampering…'),
      ...Array<string>(3).fill('3 Whirring…'),
    ],
  },
];

describe.each(VERSIONS)('of $fixture', ({ fixture, readsHalfDrawn, done, took, refused, work }) => {
  const output = readFileSync(fileURLToPath(new URL(`fixtures/${fixture}.out`, import.meta.url)), 'utf8');
  const frames = output.split(SYNCHRONIZED);
  const history: readonly (readonly [string, object])[] = [
    ['user_message', { text: 'List the files and clean the log' }],
    ['agent_message', { text: expect.stringMatching(/^● I will look at the files first\.$/) }],
    ['tool_call', done],
    ['agent_message', { text: expect.stringContaining('The build is ready.\n\n  - a.txt\n  - b.txt') }],
    ['turn_end', { took }],
    ['user_message', { text: 'Thanks, that is all' }],
    ['agent_message', { text: expect.stringMatching(/^● I will look at the files first\.$/) }],
    ['tool_call', refused],
  ];

  it.each([
    ['at once', [output]],
    ['in slices of 400 characters', output.match(/[^]{1,400}/g) ?? []],
    ['in slices of 150 characters', output.match(/[^]{1,150}/g) ?? []],
    ['frame by frame', frames],
    ...(readsHalfDrawn
      ? [['in slices that are read half drawn', output.match(/[^]{1,400}/g) ?? [], true] as const]
      : []),
  ] as const)('printed %s, the session has its messages, calls and ends of turns, each once', async (...of) => {
    const entries = entriesAfter(await changesOf(of[1], of[2])).filter(({ kind }) => !PASSING.includes(kind));
    expect(entries.map(({ kind }) => kind)).toEqual(history.map(([kind]) => kind));
    expect(entries.map(({ data }) => data)).toMatchObject(history.map(([, data]) => data));
    expect(entries.every(({ open }) => !open)).toBe(true);
  });

  it('a request for permission is open while it stands, with what it is for', async () => {
    const asked = output.indexOf('Do you want to proceed?');
    const end = output.indexOf('amend', asked);
    const { screen, look } = watched(PROFILE, { cols: 80, rows: 40, scrollback: 1000 });
    await show(screen, output.slice(0, end));
    const { entry } = look().find((change) => change.entry.kind === 'permission_request') ?? {};
    expect(entry).toMatchObject({ open: true, confidence: 1, data: PERMISSION });
    await show(screen, output.slice(end));
    look();
    const all = await changesOf(output.match(/[^]{1,400}/g) ?? [], true);
    const requests = entriesAfter(all).filter(({ kind }) => kind === 'permission_request');
    expect(requests).toMatchObject([
      { open: false, data: PERMISSION },
      { open: false, data: PERMISSION },
    ]);
  });

  it('the work is open while its row is shown, with a version for each time that it is shown and none for its seconds', async () => {
    const { screen, look, all } = watched(PROFILE, { cols: 80, rows: 40, scrollback: 1000 });
    const shown: string[] = [];
    for (const frame of frames) {
      await show(screen, frame);
      look();
      const now = entriesAfter(all).find(({ kind, open }) => kind === 'working' && open);
      if (now !== undefined) shown.push(`${now.version} ${String(now.data['text'])}`);
    }
    expect(shown).toEqual(work);
    expect(entriesAfter(all).filter(({ kind }) => kind === 'working')).toMatchObject([{ open: false }]);
  });
});

it('a message whose rows read like the row of a call is one message', async () => {
  const { screen, look, all, end } = watched(PROFILE, { cols: 80, rows: 40, scrollback: 1000 });
  const said =
    '● Two things.\r\n\r\n  Removing the log and listing files\r\n\r\n  Ran 1 shell command, I think.\r\n\r\n';
  await show(screen, said);
  look();
  end();
  expect(entriesAfter(all).map(({ kind }) => kind)).toEqual(['agent_message']);
});

it('is the profile of the program by its name', () => {
  expect(profileFor(RULES, ['/opt/bin/claude', '--continue'])?.id).toBe('claude');
  expect(profileFor(RULES, ['claudette'])).toBeUndefined();
});
