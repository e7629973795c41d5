/** The text of help, made from the table of commands. */
import { describe, expect, test } from 'vitest';
import { commandTable } from '../../../src/cli/argv/command-table.js';
import { GLOBAL_FLAGS } from '../../../src/cli/argv/commands.generated.js';
import { commandHelp, flagDescription, flagTable, overviewHelp, synopsis } from '../../../src/cli/argv/help.js';
import { parseCommandLine } from '../../../src/cli/argv/parse.js';
import type { CommandSyntax, FlagSyntax } from '../../../src/cli/argv/syntax.js';
import { GROUPS } from '../../../src/protocol/groups.js';

const flag = (fields: Partial<FlagSyntax>): FlagSyntax => ({
  flag: 'name',
  field: 'name',
  type: 'string',
  description: 'Words.',
  ...fields,
});

const COMMAND: CommandSyntax = {
  name: 'draw',
  summary: 'Draw it.',
  group: 'look',
  positionals: [],
  flags: [],
  examples: ['draw', 'draw --name x'],
};

test.each<[Partial<FlagSyntax>, string]>([
  [{}, '--name text'],
  [{ short: 'n' }, '-n, --name text'],
  [{ placeholder: 'file', type: 'integer' }, '--name file'],
  [{ type: 'boolean' }, '--name'],
  [{ type: 'boolean', short: 'n' }, '-n, --name'],
  [{ type: 'boolean', default: false }, '--name'],
  [{ type: 'boolean', default: true }, '--no-name'],
  [{ flag: 'wait-ms', type: 'integer' }, '--wait-ms ms'],
  [{ type: 'integer' }, '--name n'],
  [{ type: 'number' }, '--name n'],
  [{ type: 'name' }, '--name name|number'],
  [{ type: 'json' }, '--name json'],
  [{ type: 'list' }, '--name a,b,…'],
  [{ values: ['a', 'b'] }, '--name a|b'],
])('a flag %j is shown as %s', (fields, shown) => {
  expect(flagTable([flag({ ...fields, description: 'W' })]).split(/ {2,}/)[1]).toBe(shown);
});

test.each<[Partial<FlagSyntax>, string]>([
  [{}, 'Words.'],
  [{ description: '' }, ''],
  [{ description: '', minimum: 2 }, '(at least 2)'],
  [{ minimum: 2 }, 'Words. (at least 2)'],
  [{ minimum: 1 }, 'Words.'],
  [{ minimum: 0 }, 'Words.'],
  [{ maximum: 9 }, 'Words. (at most 9)'],
  [{ minimum: 2, maximum: 9 }, 'Words. (2 to 9)'],
  [{ minimum: 1, maximum: 9 }, 'Words. (at most 9)'],
  [{ minimum: 0, maximum: 9, default: 5 }, 'Words. (at most 9; default 5)'],
  [{ flag: 'wait-ms', minimum: 1, maximum: 86_400_000, default: 5 }, 'Words. (default 5)'],
  [{ flag: 'wait-ms', minimum: 50, maximum: 100 }, 'Words. (50 to 100)'],
  [{ default: [] }, 'Words.'],
  [{ default: 'auto' }, 'Words. (default auto)'],
  [{ default: ['a', 'b'] }, 'Words. (default [a,b])'],
  [{ values: ['a', 'b'] }, 'Words.'],
  [{ values: ['a', 'b'], type: 'list' }, 'Words. (one or more of a, b)'],
  [{ type: 'boolean', default: false }, 'Words.'],
  [{ type: 'boolean', default: true }, 'Turn off: Words.'],
  [{ type: 'boolean', default: true, off: 'Be quiet.' }, 'Be quiet.'],
  [{ type: 'boolean', default: false, off: 'Be quiet.' }, 'Words.'],
  [{ type: 'string', default: true }, 'Words. (default true)'],
])('a flag %j is described as %j', (fields, description) => {
  expect(flagDescription(flag(fields))).toBe(description);
});

test('flags are printed in one column, and their descriptions in a second one', () => {
  const flags = [flag({ flag: 'a', description: 'First.' }), flag({ flag: 'longer', description: 'Second.' })];
  expect(flagTable(flags)).toBe('  --a text       First.\n  --longer text  Second.\n');
});

test('a description is wrapped between words if its line would exceed 100 columns', () => {
  // Two columns, the flag with its value, two more: what is left is 85.
  const just = `${'x'.repeat(80)} ${'y'.repeat(4)}`;
  expect(flagTable([flag({ description: just })]).split('\n')).toEqual([`  --name text  ${just}`, '']);
  const over = `${'x'.repeat(80)} ${'y'.repeat(5)} z`;
  expect(flagTable([flag({ description: over })]).split('\n')).toEqual([
    `  --name text  ${'x'.repeat(80)}`,
    `${' '.repeat(15)}yyyyy z`,
    '',
  ]);
});

describe('the synopsis', () => {
  test.each([
    [[], 'draw'],
    [[{ field: 'id', label: 'id', type: 'string' as const }], 'draw [id]'],
    [[{ field: 'what', label: 'what', type: 'string' as const }], 'draw <what>'],
    [[{ field: 'what', label: 'what', type: 'string' as const, optional: true as const }], 'draw [what]'],
    [[{ field: 'words', label: 'word', type: 'string' as const, rest: true as const }], 'draw <-- word...>'],
  ])('for the arguments %j is %s', (positionals, expected) => {
    expect(synopsis({ ...COMMAND, positionals })).toBe(expected);
  });

  test('lists the flags before the arguments', () => {
    const positionals = [{ field: 'id', label: 'id', type: 'string' as const }];
    expect(synopsis({ ...COMMAND, positionals, flags: [flag({})] })).toBe('draw [flags] [id]');
  });
});

test('the help of a command omits empty sections', () => {
  expect(commandHelp(COMMAND, [])).toBe('Usage: t4a draw\n\nDraw it.\n\nExamples:\n  t4a draw\n  t4a draw --name x\n');
  const whole = commandHelp({ ...COMMAND, notes: 'Notes.', flags: [flag({})] }, [flag({ flag: 'all' })]);
  expect(whole).toBe(
    [
      'Usage: t4a draw [flags]\n\nDraw it.\n\nNotes.\n\nFlags:\n  --name text  Words.\n',
      '\nFlags of every command:\n  --all text  Words.\n\nExamples:\n  t4a draw\n  t4a draw --name x\n',
    ].join(''),
  );
});

test('the overview lists commands by group, their summaries in a column, with an example for each group', () => {
  const other: CommandSyntax = { ...COMMAND, name: 'do', summary: 'Do it.', group: 'act' };
  const text = overviewHelp([other, COMMAND], [flag({ flag: 'all' })]);
  expect(text).toMatch(/^Usage: t4a <command> \[arguments\] \[flags\]\n\n/);
  expect(text).toContain(`\nLook:\n  draw  Draw it.\n        Example: t4a ${GROUPS.look.example}\n`);
  expect(text).toContain(`\nAct:\n  do    Do it.\n        Example: t4a ${GROUPS.act.example}\n`);
  expect(text.indexOf('\nLook:')).toBeLessThan(text.indexOf('\nAct:'));
  expect(text).toContain('\n\nFlags of every command:\n  --all text  Words.\n\n');
  expect(text.endsWith('explains a command.\n')).toBe(true);
});

test('the overview lists every command once, and the group "Plumbing" last', () => {
  const text = overviewHelp(commandTable(), GLOBAL_FLAGS);
  for (const { name, summary } of commandTable()) {
    expect(text.split('\n').filter((line) => line.startsWith(`  ${name} `) && line.endsWith(summary))).toHaveLength(1);
  }
  expect([...text.matchAll(/^([A-Z][\w ]+):$/gm)].map(([, title]) => title)).toEqual([
    'Start and end',
    'Look',
    'Act',
    'People',
    'Wait and events',
    'For models',
    'Configuration and help',
    'Plumbing',
    'Words of vtr that are understood as well',
    'Flags of every command',
  ]);
});

test.each(Object.entries(GROUPS))('the example of the group %s runs a command of that group', (group, { example }) => {
  const words = [...example.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
  expect(parseCommandLine(words)?.command.group).toBe(group);
});

test("no line of a command's help is longer than 100 columns, except examples", () => {
  const lines = commandTable().flatMap((command) => commandHelp(command, GLOBAL_FLAGS).split('\n'));
  const long = lines.filter((line) => line.length > 100 && !line.startsWith('  t4a '));
  expect(long).toEqual([]);
});
