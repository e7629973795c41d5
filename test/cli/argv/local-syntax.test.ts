import { expect, test } from 'vitest';
import { commandTable } from '../../../src/cli/argv/command-table.js';
import { FIELD_FLAGS } from '../../../src/cli/argv/local-syntax.js';

/** One that was changed without `npm run generate` is found here. */
test.each(['env', 'screenshot'])(
  'the table of commands has the flags for the field %s as they are written',
  (field) => {
    const flags = FIELD_FLAGS[field]?.({ reads: true, has: () => false }) ?? [];
    expect(flags).not.toEqual([]);
    const inTable = commandTable().flatMap((command) => command.flags.filter((flag) => flag.flag === field));
    expect(inTable).toEqual(expect.arrayContaining([...flags]));
  },
);
