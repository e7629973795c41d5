import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Names of values that the one file imports from the other. */
export function importedNames(importer, path) {
  const statement = new RegExp(`^(?:import|export) \\{([^}]*)\\} from '${path.replaceAll('.', '\\.')}';`, 'gm');
  const names = [...readFileSync(importer, 'utf8').matchAll(statement)].flatMap(([, list]) => list.split(','));
  const values = names
    .map((name) => name.trim().split(' '))
    .filter(([name, more]) => name !== '' && (name !== 'type' || more === undefined))
    .map(([name]) => name);
  if (values.length > 0 && !path.startsWith('.')) return values;
  const exported = readFileSync(join(dirname(importer), path.replace(/\.js$/, '.ts')), 'utf8');
  const unknown = values.filter(
    (name) =>
      !new RegExp(`^export (const|(async )?function|(abstract )?class|\\{[^}]*)\\b\\*? ?${name}\\b`, 'm').test(
        exported,
      ),
  );
  if (values.length === 0 || unknown.length > 0) {
    throw new Error(`${importer}: the imports from ${path} are not of a form that is read here: ${unknown.join(', ')}`);
  }
  return values;
}
