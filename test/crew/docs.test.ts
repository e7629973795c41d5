/** The table of tools in docs/crew.md is that of their declarations. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { CREW_TOOLS } from '../../src/crew/tools/tool-set.js';

const PAGE = fileURLToPath(new URL('../../docs/crew.md', import.meta.url));

function fields({ shape }: z.ZodObject): string {
  const names = Object.entries(shape).map(([name, field]) =>
    (field as z.ZodType).safeParse(undefined).success ? `${name}?` : name,
  );
  return names.join(', ') || '-';
}

test('docs/crew.md has a row for each tool: fields, result, roles and errors as declared', () => {
  const rows = CREW_TOOLS.map(
    ({ name, params, result, role, errors }) =>
      `| \`${name}\` | ${fields(params)} | ${fields(result)} | ${role.length === 3 ? 'all' : role.join(', ')} | ${errors.join(', ') || '-'} |`,
  );
  const page = readFileSync(PAGE, 'utf8');
  const table = page.split('\n').filter((line) => /^\| `\w+` \| .* \| .* \| .* \| .* \|$/.test(line));
  expect(table).toEqual(rows);
});
