/** The first door of a page: fields that name files, of every command that a page may reach. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { CommandSpec } from '../../src/protocol/command.js';
import { COMMANDS } from '../../src/protocol/registry.js';
import { admitRequest } from '../../src/web/admission.js';

/** An absolute path, a path within a field, or names with values, as an environment has them. */
const OF_FILES = /"pattern":"\^\\\\\/|"(path|file|cwd|pid)":\{|"propertyNames"/;

/** Words of what a field is about, by which one is found that looks like no path. */
const SAYS_SO = /\bfiles?\b|folder|director|environment|inherit|record from/i;

/** What fits the words or the shape and is neither: each with what it is. */
const HARMLESS: Readonly<Record<string, string>> = {
  'create labels': 'labels of the terminal',
  'create rules': 'a profile that the daemon has',
  'label set': 'labels of the terminal',
  'kill where': 'of terminals: their labels, and the directory that they are in',
  'list where': 'the same',
  'wait where': 'the same',
};

test('no field of any command that takes a path or an environment is taken from a page', () => {
  const found: string[] = [];
  const taken: string[] = [];
  for (const { name: cmd, params, traits } of Object.values(COMMANDS) as readonly CommandSpec[]) {
    if (traits.reach === 'admin') continue;
    for (const [field, schema] of Object.entries(params.shape)) {
      const shape = JSON.stringify(z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' }));
      const isNamed = ['path', 'file', 'cwd', 'env', 'stdin', 'tied'].includes(field);
      const says = (schema as z.ZodType).description ?? '';
      if (!isNamed && !OF_FILES.test(shape) && !SAYS_SO.test(says)) continue;
      if (traits.fieldReach?.[field] === 'admin') continue;
      const { refusal } = admitRequest(JSON.stringify({ cmd, req: 1, [field]: 'x' })) ?? {};
      (refusal?.code === 'not_allowed' ? found : taken).push(`${cmd} ${field}`);
    }
  }
  expect(taken.toSorted()).toEqual(Object.keys(HARMLESS).toSorted());
  expect(found).toEqual(
    expect.arrayContaining([
      'open path',
      'open timing',
      'record path',
      'create cwd',
      'create env',
      'create set_env',
      'create inherit_env',
      'create if_file',
      'create record',
      'create tied',
      'restart if_file',
      'run cwd',
      'run stdin',
    ]),
  );
});
