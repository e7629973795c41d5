// `npm run house`: what can be counted of how src/ is divided. It fails if a figure of house/budget.json has risen; the others inform.
// A figure that has fallen is written there; `-- --check` writes nothing.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { budgetFigures, keepBudget } from './house/budget.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Longer files may have two nouns; tables are long for other reasons. */
const LONG_LINES = 300;
/** Shorter ones with one importer may belong in it. */
const SHORT_LINES = 20;

const files = readdirSync(join(root, 'src'), { recursive: true })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ file: `src/${name}`, text: readFileSync(join(root, 'src', name), 'utf8') }));
const importers = new Map(files.map(({ file }) => [file, []]));
for (const { file, text } of files) {
  for (const [, path] of text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
    importers.get(relative(root, join(root, dirname(file), path)).replace(/\.js$/, '.ts'))?.push(file);
  }
}
const linesOf = ({ text }) => text.split('\n').length - 1;
const importedOnce = ({ file }) => new Set(importers.get(file)).size === 1;
const under = (folder) => files.filter(({ file }) => file.startsWith(folder));
const sum = (list) => list.reduce((total, one) => total + linesOf(one), 0);
const members = (name) => {
  const { text } = files.find(({ file }) => file.endsWith(`/${name}.ts`));
  const body = text.slice(text.search(/^export class /m)).split(/^}/m)[0];
  return [...body.matchAll(/^ {2}(?:readonly |get |async |static )?[a-z]\w*(?:[(:<?]| =)/gm)].filter(
    ([line]) => !line.includes('constructor'),
  ).length;
};
const page = readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8');
/** Handlers live in features. */
const allowed = [...page.matchAll(/^\| `features\/\w+` \| ([^|]*)/gm)].map(([, names]) => names.split(',').length);

const show = (name, value) => console.log(`${String(value).padStart(8)}  ${name}`);
show('files of src', files.length);
show(
  'lines of src without comments and blank lines',
  files.flatMap(({ text }) => text.split('\n')).filter((line) => !/^\s*(\/\/|\/?\*|$)/.test(line)).length,
);
show('files of daemon/', under('src/daemon/').length);
show('lines of daemon/', sum(under('src/daemon/')));
show(
  'files that import `Daemon`',
  files.filter(({ text }) => /import (?:type )?\{[^}]*\bDaemon\b[^}]*\} from '[^']*daemon\.js'/.test(text)).length,
);
show('public members of Daemon', members('daemon/daemon'));
show('public members of Terminal', members('terminal/terminal'));
show(
  'side tables by terminal',
  files.filter(({ text }) => /WeakMap<Terminal\b/.test(text)).flatMap(({ text }) => text.match(/WeakMap<Terminal\b/g))
    .length,
);
const rooms = [...page.matchAll(/^\| `[a-z]+\/` \|/gm)].length;
show('rooms', rooms);
show('inner rooms', [...page.matchAll(/^\| `[a-z]+\/[a-z/]+` \|/gm)].length);
show('names allowed where handlers live', Math.max(...allowed));
show('files of terminal/', under('src/terminal/').length);
show('lines of terminal/', sum(under('src/terminal/')));
show('files of features/', under('src/features/').length);
show('lines of features/', sum(under('src/features/')));
show('files with one importer', files.filter(importedOnce).length);
console.log(`\nMore than ${LONG_LINES} lines:`);
for (const one of files.filter((each) => linesOf(each) > LONG_LINES)) show(one.file, linesOf(one));
console.log(`\nFewer than ${SHORT_LINES} lines, and one importer:`);
for (const one of files.filter((each) => linesOf(each) < SHORT_LINES && importedOnce(each)))
  show(`${one.file} <- ${importers.get(one.file)[0]}`, linesOf(one));
console.log('\nWithin the budget:');
const figures = budgetFigures(files, rooms);
for (const [name, value] of Object.entries(figures)) show(name, value);
if (!keepBudget(root, figures, process.argv.includes('--check'))) process.exitCode = 1;
