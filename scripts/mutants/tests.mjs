// Which tests may find a change of a source file, the likeliest first.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Beside the tests of the room, so many of others that come to the file by imports. */
const OTHERS = 12;
const IMPORT = /^(?:import|export) (?!type\b)[^;]*?['"](\.[^'"]+)['"]|import\(['"](\.[^'"]+)['"]\)/gm;

export function typeScriptFiles(root, folder) {
  return readdirSync(path.join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(folder, name))
    .sort();
}

/** @returns for a source file groups of test files: a later group is only for what survived the ones before */
export function testSelection(root) {
  const sources = [...typeScriptFiles(root, 'src'), ...typeScriptFiles(root, 'test')];
  const texts = new Map(sources.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
  const importers = new Map(sources.map((file) => [file, []]));
  for (const [file, text] of texts) {
    for (const imported of importsOf(root, file, text)) importers.get(imported)?.push(file);
  }
  const tests = sources.filter((file) => file.endsWith('.test.ts'));

  return (file) => {
    const [, roomName, ...rest] = file.split(path.sep);
    const distances = distancesFrom(file, importers);
    const byDistance = tests.filter((test) => distances.has(test)).sort((a, b) => distances.get(a) - distances.get(b));
    const noun = path.basename(rest.at(-1), '.ts');
    const near = byDistance.filter((test) => distances.get(test) === 1 || path.basename(test) === `${noun}.test.ts`);
    const ofRoom = tests.filter((test) => test.startsWith(path.join('test', roomName) + path.sep));
    const naming = tests.filter((test) => namesIt(noun).test(texts.get(test)));
    const isOfRoom = (test) => ofRoom.includes(test);
    const room = [...ofRoom, ...byDistance.slice(0, OTHERS)];
    const throughDoor = tests.filter((test) => test.startsWith(path.join('test', 'e2e')));
    const isNamed = naming.some((test) => throughDoor.includes(test));
    // What no test imports is tested through the built programs: by the tests that name it, else by all.
    const groups =
      near.length > 0 ? [near.filter(isOfRoom), near, room, naming] : [naming, room, isNamed ? [] : throughDoor];
    const seen = new Set();
    return groups
      .map((group) => group.filter((test) => !seen.has(test) && seen.add(test)))
      .filter(({ length }) => length);
  };
}

function importsOf(root, file, text) {
  return Array.from(text.matchAll(IMPORT), ([, plain, dynamic]) => {
    const target = path.join(path.dirname(file), plain ?? dynamic).replace(/\.js$/, '.ts');
    return existsSync(path.join(root, target)) ? target : undefined;
  });
}

function distancesFrom(file, importers) {
  const distances = new Map([[file, 0]]);
  for (const at of distances.keys()) {
    for (const importer of importers.get(at) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distances.get(at) + 1);
    }
  }
  return distances;
}

/** `picture-ahead`, `pictureAhead`, "picture ahead". */
function namesIt(noun) {
  return new RegExp(`\\b${noun.replaceAll('-', '[-_ ]?')}\\b`, 'i');
}
