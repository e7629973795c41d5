// Which tests may find a change of a source file, the likeliest first.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Rooms that their own tests call as they are; the others are seen as a whole through the front door. */
const IN_PROCESS = new Set(['vt', 'render']);
/** Beside the tests of the room, so many of others that come to the file by imports. */
const OTHERS = 12;
const IMPORT = /^(?:import|export) (?!type\b)[^;]*?['"](\.[^'"]+)['"]|import\(['"](\.[^'"]+)['"]\)/gm;

export function typeScriptFiles(root, folder) {
  return readdirSync(path.join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(folder, name))
    .sort();
}

/** `groupsFor` a source file: groups of test files, of which a later one is only for what survived the ones before. */
export function testSelection(root) {
  const sources = [...typeScriptFiles(root, 'src'), ...typeScriptFiles(root, 'test')];
  const texts = new Map(sources.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
  const importers = new Map(sources.map((file) => [file, []]));
  for (const [file, text] of texts) {
    for (const imported of importsOf(root, file, text)) importers.get(imported)?.push(file);
  }
  const tests = sources.filter((file) => file.endsWith('.test.ts'));

  const importsDirectly = (test, file) => importers.get(file)?.includes(test) === true;
  const groupsFor = (file, { nearOnly = false } = {}) => {
    const [, roomName, ...rest] = file.split(path.sep);
    const distances = distancesFrom(file, importers);
    const byDistance = tests.filter((test) => distances.has(test)).sort((a, b) => distances.get(a) - distances.get(b));
    const noun = path.basename(rest.at(-1), '.ts');
    const near = byDistance.filter((test) => distances.get(test) === 1 || path.basename(test) === `${noun}.test.ts`);
    const ofRoom = tests.filter((test) => test.startsWith(path.join('test', roomName) + path.sep));
    const naming = tests.filter((test) => namesIt(noun).test(texts.get(test)) || path.dirname(test) === 'test');
    const room = [...ofRoom, ...byDistance.slice(0, OTHERS)];
    const throughDoor = tests.filter((test) => test.startsWith(path.join('test', 'e2e')));
    // What no test imports is tested through the built programs, first by the tests that name it.
    const isInProcess = IN_PROCESS.has(roomName);
    const first = near.length > 0 || isInProcess ? [near.filter((test) => ofRoom.includes(test)), near, room] : [];
    const folder = path.join('test', roomName, ...rest.slice(0, -1));
    const ofFolder = tests.filter(
      (test) => path.dirname(test) === folder || path.basename(test) === `${path.basename(folder)}.test.ts`,
    );
    const nearest =
      near.length > 0
        ? first.slice(0, 2)
        : [
            tests.filter((test) => path.basename(test) === `${noun}.test.ts`),
            ofFolder,
            byDistance.slice(0, OTHERS),
            mostly(naming, noun, texts).slice(0, OTHERS),
          ];
    const groups = nearOnly ? nearest : [...first, naming, room, isInProcess ? [] : throughDoor];
    const seen = new Set();
    return groups
      .map((group) => group.filter((test) => !seen.has(test) && seen.add(test)))
      .filter(({ length }) => length);
  };
  return { groupsFor, importsDirectly };
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

/** Those that name it, the one that does it most first. */
function mostly(tests, noun, texts) {
  const counts = new Map(tests.map((test) => [test, texts.get(test).match(namesIt(noun, 'gi'))?.length ?? 0]));
  return tests.filter((test) => counts.get(test) > 0).toSorted((a, b) => counts.get(b) - counts.get(a));
}

/** `picture-ahead`, `pictureAhead`, "picture ahead". */
function namesIt(noun, flags = 'i') {
  return new RegExp(`\\b${noun.replaceAll('-', '[-_ ]?')}\\b`, flags);
}
