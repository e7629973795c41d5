import { parseArgs } from 'node:util';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type OptionSyntax, tokensOf } from '../../../src/cli/argv/tokens.js';

const OPTIONS = {
  cols: { type: 'string', short: 'c' },
  output: { type: 'string', short: 'o' },
  json: { type: 'boolean', short: 'j' },
  help: { type: 'boolean', short: 'h' },
} as const;

const syntaxes = Object.entries(OPTIONS).map(([name, { type, short }]) => {
  const syntax: OptionSyntax = { name, takesValue: type === 'string' };
  return { name, short, syntax };
});
const LONG = new Map(syntaxes.map(({ name, syntax }) => [name, syntax]));
const SHORT = new Map(syntaxes.map(({ short, syntax }) => [short as string, syntax]));

const words = [
  '',
  '-',
  '--',
  '---',
  '=',
  '-=',
  '--=',
  '--cols',
  '--cols=',
  '--cols=1=2',
  '--cols 1',
  '--col',
  '--json',
];
const more = ['--json=yes', '--no-json', '-c', '-c5', '-jc', '-jc5', '-cj', '-o=f', '-x', '-xjo', '-5', 'text', 't1'];
const anyWord = fc
  .oneof(
    fc.constantFrom(...words, ...more),
    fc.string({ unit: fc.constantFrom('-', '=', 'c', 'o', 'j', 'x', 'é', '5'), maxLength: 6 }),
  )
  // Node takes `-x-` for `-x --`, which ends the options, and `--==` for an option without a name. Here a dash among letters
  // is a letter, and an equals sign behind the dashes begins a name.
  .filter((word) => !/^-[^-].*-|^--=/.test(word));

it('tokens of any arguments are the same as those of util.parseArgs', () => {
  fc.assert(
    fc.property(fc.array(anyWord, { maxLength: 6 }), (args) => {
      const { tokens } = parseArgs({ args, options: OPTIONS, strict: false, tokens: true, allowPositionals: true });
      expect(tokensOf(args, LONG, SHORT)).toEqual(tokens);
    }),
    { numRuns: 2000 },
  );
});
