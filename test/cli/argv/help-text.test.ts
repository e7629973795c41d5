/** How help words what the table says. */
import { describe, expect, test } from 'vitest';
import { commandTable } from '../../../src/cli/argv/command-table.js';
import { GLOBAL_FLAGS } from '../../../src/cli/argv/commands.generated.js';
import { commandHelp, flagDescription, flagTable, overviewHelp, synopsis } from '../../../src/cli/argv/help.js';
import type { CommandSyntax, FlagSyntax } from '../../../src/cli/argv/syntax.js';

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
  [{ description: '', minimum: 1 }, '(at least 1)'],
  [{ minimum: 1 }, 'Words. (at least 1)'],
  [{ maximum: 9 }, 'Words.'],
  [{ minimum: 1, maximum: 9 }, 'Words. (1 to 9)'],
  [{ minimum: 0, maximum: 9, default: 5 }, 'Words. (0 to 9; default 5)'],
  [{ default: 'auto' }, 'Words. (default auto)'],
  [{ default: ['a', 'b'] }, 'Words. (default [a,b])'],
  [{ values: ['a', 'b'] }, 'Words.'],
  [{ values: ['a', 'b'], type: 'list' }, 'Words. (one or more of a, b)'],
  [{ type: 'boolean', default: false }, 'Words.'],
  [{ type: 'boolean', default: true }, 'Turn off: Words.'],
  [{ type: 'string', default: true }, 'Words. (default true)'],
])('a flag %j is described as %j', (fields, description) => {
  expect(flagDescription(flag(fields))).toBe(description);
});

test('flags stand in a column, and their descriptions in one beside it', () => {
  const flags = [flag({ flag: 'a', description: 'First.' }), flag({ flag: 'longer', description: 'Second.' })];
  expect(flagTable(flags)).toBe('  --a text       First.\n  --longer text  Second.\n');
});

test('a description is broken at its words where the line would have more than 100 columns', () => {
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
  ])('of the arguments %j is %s', (positionals, expected) => {
    expect(synopsis({ ...COMMAND, positionals })).toBe(expected);
  });

  test('has the flags before the arguments', () => {
    const positionals = [{ field: 'id', label: 'id', type: 'string' as const }];
    expect(synopsis({ ...COMMAND, positionals, flags: [flag({})] })).toBe('draw [flags] [id]');
  });
});

test('the help of a command has the sections that there is something in', () => {
  expect(commandHelp(COMMAND, [])).toBe('Usage: t4a draw\n\nDraw it.\n\nExamples:\n  t4a draw\n  t4a draw --name x\n');
  const whole = commandHelp({ ...COMMAND, notes: 'Notes.', flags: [flag({})] }, [flag({ flag: 'all' })]);
  expect(whole).toBe(
    [
      'Usage: t4a draw [flags]\n\nDraw it.\n\nNotes.\n\nFlags:\n  --name text  Words.\n',
      '\nFlags of every command:\n  --all text  Words.\n\nExamples:\n  t4a draw\n  t4a draw --name x\n',
    ].join(''),
  );
});

test('the overview has a line for each command, their summaries in a column', () => {
  const other = { ...COMMAND, name: 'do', summary: 'Do it.' };
  const text = overviewHelp([COMMAND, other], [flag({ flag: 'all' })]);
  expect(text).toMatch(/^Usage: t4a <command> \[arguments\] \[flags\]\n\n/);
  expect(text).toContain('\nCommands:\n  draw  Draw it.\n  do    Do it.\n');
  expect(text).toContain('\n\nFlags of every command:\n  --all text  Words.\n\n');
  expect(text.endsWith('explains a command.\n')).toBe(true);
});

test("no line of a command's help but an example is longer than 100 columns", () => {
  const lines = commandTable().flatMap((command) => commandHelp(command, GLOBAL_FLAGS).split('\n'));
  const long = lines.filter((line) => line.length > 100 && !line.startsWith('  t4a '));
  expect(long).toEqual([]);
});
