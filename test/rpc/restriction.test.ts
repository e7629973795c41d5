/** What a restricted connection may ask: commands and fields by their traits, of made-up commands. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineCommand } from '../../src/protocol/command.js';
import { REACHES, type Reach } from '../../src/protocol/reach.js';
import { COMMANDS, COMMAND_NAMES } from '../../src/protocol/registry.js';
import { lowered, refusalOf, UNRESTRICTED } from '../../src/rpc/restriction.js';

const BASE = { summary: 'It is.', group: 'act', effect: 'act', reply: () => ({}) } as const;

const control = defineCommand({
  ...BASE,
  name: 'control',
  reach: 'use',
  fieldReach: { force: 'admin', note: 'create' },
  person: ['person', 'force'],
  params: () => ({
    person: z.boolean().default(false),
    force: z.boolean().default(false),
    note: z.string().optional(),
    id: z.string().optional(),
  }),
});

const answer = defineCommand({ ...BASE, name: 'answer', reach: 'read', person: true, params: () => ({}) });

function refused(spec: typeof control | typeof answer, fields: object, reach: Reach, person = true) {
  const error = refusalOf(spec, spec.params.parse(fields), { reach, person });
  return error === undefined ? undefined : { code: error.code, message: error.message, field: error.details.field };
}

test('a command is refused below its reach, and the refusal names what it needs', () => {
  expect(REACHES.map((reach) => refused(control, {}, reach)?.code)).toEqual([
    'not_allowed',
    undefined,
    undefined,
    undefined,
  ]);
  expect(refused(control, {}, 'read')).toEqual({
    code: 'not_allowed',
    message: '"control" needs the reach "use", and this connection is restricted to "read".',
    field: undefined,
  });
});

test('a field that raises the reach is refused by name, unless it is absent or has its default', () => {
  expect(refused(control, { force: true }, 'create')).toEqual({
    code: 'not_allowed',
    message: '"force" of "control" needs the reach "admin", and this connection is restricted to "create".',
    field: 'force',
  });
  expect(refused(control, { note: '' }, 'use')).toMatchObject({ field: 'note' });
  expect(refused(control, { note: '' }, 'create')).toBeUndefined();
  expect(refused(control, { force: false, person: false, id: 'a' }, 'use')).toBeUndefined();
  expect(refused(control, { force: true }, 'admin')).toBeUndefined();
});

test('what needs a person is refused to programs of any reach', () => {
  expect(refused(answer, {}, 'admin', false)).toEqual({
    code: 'not_allowed',
    message: '"answer" needs a person, and this connection is restricted to programs.',
    field: undefined,
  });
  expect(refused(answer, {}, 'read', true)).toBeUndefined();
  expect(refused(control, { person: true }, 'admin', false)).toEqual({
    code: 'not_allowed',
    message: '"person" of "control" needs a person, and this connection is restricted to programs.',
    field: 'person',
  });
  expect(refused(control, { force: true }, 'admin', false)).toMatchObject({ field: 'force' });
  expect(refused(control, { person: true, force: true }, 'admin', true)).toBeUndefined();
  expect(refused(control, { note: 'a' }, 'admin', false)).toBeUndefined();
});

test('a person is needed for nothing unless the command declares it, and only for fields that it has', () => {
  const spec = { ...BASE, name: 'x', reach: 'use', params: () => ({ n: z.int() }) } as const;
  expect(defineCommand(spec).traits).not.toHaveProperty('person');
  expect(defineCommand({ ...spec, person: ['n'] }).traits.person).toEqual(['n']);
  // @ts-expect-error: no such field
  defineCommand({ ...spec, person: ['m'] });
  // @ts-expect-error: absent is the only way to say no
  defineCommand({ ...spec, person: false });
  const ofPersons = COMMAND_NAMES.filter((name) => COMMANDS[name].traits.person !== undefined);
  // "force" against the name that has control, answers to questions, and giving control.
  expect(ofPersons.toSorted()).toEqual(['answer', 'control', 'forget', 'kill', 'label', 'restart', 'untrigger']);
});

test('a restriction only ever lowers', () => {
  const raise = { reach: 'admin' } as const;
  const use = lowered(UNRESTRICTED, { reach: 'use' });
  expect(use).toEqual({ reach: 'use', person: true });
  const program = lowered(use, { ...raise, person: false });
  expect(program).toEqual({ reach: 'use', person: false });
  expect(lowered(program, raise)).toEqual(program);
  expect(lowered(program, { reach: 'read' })).toEqual({ reach: 'read', person: false });
  expect(lowered(UNRESTRICTED, raise)).toEqual(UNRESTRICTED);
});
