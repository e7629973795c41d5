import { expect, test } from 'vitest';
import { commandSyntax } from '../../../src/cli/argv/command-table.js';
import { OTHER_NAMES } from '../../../src/cli/argv/other-names.js';
import { parseCommandLine } from '../../../src/cli/argv/parse.js';

test.each(Object.entries(OTHER_NAMES))('%s, a word of other tools, suggests %s', (word, command) => {
  expect(commandSyntax(word), word).toBeUndefined();
  expect(commandSyntax(command), command).toBeDefined();
  expect(() => parseCommandLine([word])).toThrow(`There is no command "${word}".`);
});
