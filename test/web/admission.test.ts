/** The first door of a page: fields that name files, of every command that a page may reach. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { CommandSpec } from '../../src/protocol/command.js';
import { COMMANDS } from '../../src/protocol/registry.js';
import { admit } from '../../src/web/admission.js';

/** An absolute path. */
const OF_FILES = /"pattern":"\^\\\\\//;

test('no field of any command that takes a path or an environment is taken from a page', () => {
  const found: string[] = [];
  for (const { name: cmd, params, traits } of Object.values(COMMANDS) as readonly CommandSpec[]) {
    if (traits.reach === 'admin') continue;
    for (const [field, schema] of Object.entries(params.shape)) {
      const shape = JSON.stringify(z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' }));
      if (!['path', 'file', 'cwd', 'env', 'stdin'].includes(field) && !OF_FILES.test(shape)) continue;
      if (traits.fieldReach?.[field] === 'admin') continue;
      const { refusal } = admit(JSON.stringify({ cmd, req: 1, [field]: 'x' })) ?? {};
      expect(refusal?.code, `${cmd} ${field}`).toBe('not_allowed');
      found.push(`${cmd} ${field}`);
    }
  }
  expect(found).toEqual(
    expect.arrayContaining([
      'open path',
      'open timing',
      'record path',
      'create cwd',
      'create env',
      'run cwd',
      'run stdin',
    ]),
  );
});
