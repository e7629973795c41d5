// The figures of the house that may fall and not rise: what each counts, and the file that keeps them with the reasons for each rise.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** First words of comments that say something only beside the name below them. */
const LEANING = new Set(
  'Of What That By As Its It Those They Which Where How From Whose Who In On At For Without With Than And Or'.split(
    ' ',
  ),
);
const EXPORT = /^export (?:abstract |declare |async )*(?:class|function\*?|const|let|interface|type|enum) (\w+)/gm;

/**
 * Counts by their names.
 * @param files path from the root and text of each file of src/
 */
export function budgetFigures(files, rooms) {
  const written = files.filter(({ file }) => !basename(file).includes('generated'));
  const imports =
    (folder, into) =>
    ({ file, text }) =>
      file.startsWith(folder) ? [...text.matchAll(into)].map(([, path]) => path) : [];
  return {
    'lines of src': files.reduce((total, { text }) => total + text.split('\n').length - 1, 0),
    'files of src': files.length,
    rooms,
    'files of terminal/ that features import': new Set(
      files.flatMap(imports('src/features/', /from '(?:\.\.\/)+terminal\/([^']+)'/g)),
    ).size,
    'names exported twice': twice(written),
    'comments that lean on a neighbour': written.reduce((total, { text }) => total + leaning(text), 0),
  };
}

/** @returns whether each figure is within its bound; writes those that have fallen */
export function keepBudget(root, figures, isCheck) {
  const place = join(root, 'scripts/house/budget.json');
  const budget = JSON.parse(readFileSync(place, 'utf8'));
  const risen = Object.entries(figures).filter(([name, value]) => value > (budget[name]?.most ?? -1));
  for (const [name, value] of risen) {
    console.error(
      `${name}: ${value}, at most ${budget[name]?.most ?? 0}. Cut something, or write the figure and why into ${place}.`,
    );
  }
  const fallen = Object.entries(figures).filter(([name, value]) => value < (budget[name]?.most ?? 0));
  if (!isCheck && fallen.length > 0) {
    for (const [name, value] of fallen) budget[name].most = value;
    writeFileSync(place, `${JSON.stringify(budget, undefined, 2)}\n`);
  }
  return risen.length === 0;
}

function twice(files) {
  const counts = new Map();
  for (const { text } of files) {
    for (const name of new Set([...text.matchAll(EXPORT)].map(([, each]) => each))) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts.values()].filter((count) => count > 1).length;
}

function leaning(text) {
  return [...text.matchAll(/\/\*\*\s*(?:\*\s*)?(\w+)/g)].filter(([, word]) => LEANING.has(word)).length;
}
