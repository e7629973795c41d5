/** The form of each command on a command line agrees with its fields. */
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/protocol/registry.js';

describe('on a command line', () => {
  const commands = Object.values(COMMANDS)
    .filter(({ traits }) => traits.commandLine !== false)
    .map(({ name, params, cli }) => ({
      name,
      fields: Object.keys(params.shape),
      positionals: cli.positionals ?? [],
      hidden: cli.hidden ?? [],
      examples: cli.examples ?? [],
    }));

  it.each(commands)('$name takes its own fields by position or hides them, but not both', ({ fields, ...cli }) => {
    const byPosition = cli.positionals.flatMap((positional) => positional.replace(/(?:\.\.\.)?\??$/, '').split(':'));
    for (const field of [...byPosition, ...cli.hidden]) expect(fields).toContain(field);
    expect(byPosition.filter((field) => cli.hidden.includes(field))).toEqual([]);
  });

  it.each(commands)(
    '$name has required positionals before optional ones, and one that takes the rest last',
    ({ positionals }) => {
      const kinds = positionals.map((positional) => ({
        isOptional: positional.endsWith('?'),
        takesRest: positional.includes('...'),
      }));
      for (const [i, { isOptional, takesRest }] of kinds.entries()) {
        if (isOptional) expect(kinds.slice(i).every((later) => later.isOptional)).toBe(true);
        if (takesRest) expect(i).toBe(kinds.length - 1);
      }
    },
  );

  it.each(commands)('$name has examples, each of which begins with its name', ({ name, examples }) => {
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(example).toMatch(new RegExp(`^${name}(?: |$)`));
  });

  it.each(commands.filter(({ fields }) => fields.includes('id')))(
    '$name takes the id of its terminal as the first positional',
    (command) => {
      if (!['run', 'ask', 'report'].includes(command.name))
        expect(command.positionals[0]).toMatch(/^id(?:\.\.\.)?\??$/);
    },
  );
});
