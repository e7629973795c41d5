/** Import boundaries between the rooms of src/, and rules for its files. Each rule reports the lines that break it. */
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readInnerRooms, readRooms } from '../scripts/rooms/table.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Rooms of src/, each with those that it may import from, as the table in docs/ARCHITECTURE.md says. */
const MAY_IMPORT = Object.fromEntries(readRooms(ROOT).map(({ name, mayImport }) => [name, mayImport]));

/** Rooms within rooms, each with what it may import of its own room: other rooms, or loose files by their names. */
const INNER_ROOMS: Record<string, Record<string, readonly string[]>> = {};
for (const { outer, name, mayImport } of readInnerRooms(ROOT)) (INNER_ROOMS[outer] ??= {})[name] = mayImport;

/** Of the rooms that are divided, the files that belong in none of their rooms. */
const LOOSE_FILES: Readonly<Record<string, string>> = {
  features: 'core feature',
  terminal: `
    terminal terminals admitted-act answers cell-pixels command-range detectors feed followed-typing frozen-terminal identity last-words lasting-read life mark-guard
    memory new-detectors presence program-messages program-status readable-terminal screen-frame seen-sequences setup shared-parts shell-readers
    shell-watch state streamed-runs termination typed-screen typed-shell until wait-first waits where
  `,
  vt: `
    screen screen-effects screen-events screen-modes screen-state screen-weight readable-lines readable-screen past-screen whole-screen lines-ahead cut-scrollback snapshot printed-screen input-modes
    paste repaint line-reader read-ahead block-cache line-block region
  `,
  render: `
    renderer draw costs picture-options theme view fit fitted-part slices color cell-size
  `,
};

/** A plain value, which holds no terminal: what rooms other than the daemon may see of vt. */
const SNAPSHOT = 'src/vt/snapshot.ts';
/** Reads snapshots, and nothing else of vt. */
const INPUT_MODES = 'src/vt/input-modes.ts';
const LOGICAL_LINE = 'src/vt/rows/logical-line.ts';

/** Packages that are known to one file each, so that they can be replaced there. */
const ONE_IMPORTER = ['node-pty', '@xterm/headless', '@napi-rs/canvas'];

const MAY_TOUCH_PROCESS: Readonly<Record<string, RegExp>> = {
  'src/daemon/main.ts': /argv|exit|env/,
  'src/daemon/start.ts': /env/,
  'src/cli/main.ts': /argv|exit|env/,
  'src/cli/start.ts': /argv|env/,
  'src/cli/warm/main.ts': /exit|env/,
  'src/client/paths.ts': /env/,
};

const PUBLIC_BARRELS = ['src/client/index.ts', 'src/tools/index.ts'];

interface Import {
  readonly file: string;
  readonly line: number;
  readonly specifier: string;
  readonly typeOnly: boolean;
}

interface SourceFile {
  readonly file: string;
  readonly lines: readonly string[];
  readonly imports: readonly Import[];
}

const FILES = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readSource(path.posix.join('src', name)));

const IMPORTS = FILES.flatMap((source) => source.imports);

describe('the import rules', () => {
  test('cover every import statement', () => {
    for (const { file, lines, imports } of FILES) {
      const statements = lines.flatMap((text, i) => (/^import\b/.test(text) ? [i + 1] : []));
      expect(
        imports.map((one) => one.line),
        file,
      ).toEqual(expect.arrayContaining(statements));
    }
    expect(IMPORTS.filter((one) => one.typeOnly).length).toBeGreaterThan(FILES.length / 4);
  });

  test('a room imports only from the rooms that the table lists for it', () => {
    const wrong = IMPORTS.filter((one) => isRelative(one)).filter((one) => {
      const from = roomOf(one.file);
      const to = roomOf(targetOf(one));
      return from !== to && MAY_IMPORT[from]?.includes(to) !== true;
    });
    expect(wrong.map(show)).toEqual([]);
  });

  test('every file of src is in a room of the table, and every room has files', () => {
    expect(FILES.map(({ file }) => file).filter((file) => MAY_IMPORT[roomOf(file)] === undefined)).toEqual([]);
    expect(new Set(FILES.map(({ file }) => roomOf(file)))).toEqual(new Set(Object.keys(MAY_IMPORT)));
  });

  test('of the room of other hosts, the gateway alone serves', () => {
    const serving = IMPORTS.filter((one) => roomOf(one.file) === 'fleet' && roomOf(targetOf(one)) === 'rpc');
    expect(serving.filter(({ file }) => !file.startsWith('src/fleet/gateway/')).map(show)).toEqual([]);
  });

  test('no room imports the matchers, which load the test runner of their user', () => {
    const wrong = IMPORTS.filter((one) => roomOf(one.file) !== 'vitest' && roomOf(targetOf(one)) === 'vitest');
    expect(wrong.map(show)).toEqual([]);
  });

  test('a room that is named in a line of the table has a line of its own', () => {
    expect(
      Object.values(MAY_IMPORT).flatMap((rooms) => rooms.filter((room) => MAY_IMPORT[room] === undefined)),
    ).toEqual([]);
  });

  test('within its room, an inner room imports only what the table lists for it', () => {
    const wrong = IMPORTS.filter((one) => isRelative(one) && roomOf(one.file) === roomOf(targetOf(one))).filter(
      (one) => {
        const allowed = INNER_ROOMS[roomOf(one.file)]?.[innerRoomOf(one.file)];
        const to = innerRoomOf(targetOf(one));
        return allowed !== undefined && to !== innerRoomOf(one.file) && !allowed.includes(to);
      },
    );
    expect(wrong.map(show)).toEqual([]);
  });

  test('every entry in the table of inner rooms is imported', () => {
    const unused = Object.entries(INNER_ROOMS).flatMap(([room, inner]) =>
      Object.entries(inner).flatMap(([from, allowed]) => {
        const imported = innerImports(room).get(from) ?? new Set();
        return allowed.filter((to) => !imported.has(to)).map((to) => `${room}/${from}: ${to}`);
      }),
    );
    expect(unused).toEqual([]);
  });

  test.each(Object.keys(INNER_ROOMS))('the inner rooms and loose files of %s have no import cycle', (room) => {
    expect(circlesIn(innerImports(room))).toEqual([]);
  });

  test('files have no import cycle, including imports of types', () => {
    const imports = new Map(
      FILES.map(({ file, imports: own }) => [file, new Set(own.filter(isRelative).map(targetOf))]),
    );
    expect(circlesIn(imports)).toEqual([]);
  });

  test.each([
    ['two files', { a: ['b'], b: ['a'] }, ['a -> b -> a']],
    ['a detour', { a: ['b', 'd'], b: ['c'], c: ['a'], d: [] }, ['a -> b -> c -> a']],
    ['two cycles', { a: ['b'], b: ['a', 'c'], c: ['d'], d: ['c'] }, ['a -> b -> a', 'c -> d -> c']],
    ['no cycle', { a: ['b', 'c'], b: ['c'], c: [] }, []],
  ])('the check reports each import cycle: %s', (_, imports, circles) => {
    expect(circlesIn(new Map(Object.entries(imports).map(([from, to]) => [from, new Set(to)])))).toEqual(circles);
  });

  test.each([
    ['render', [SNAPSHOT]],
    ['events', [SNAPSHOT, LOGICAL_LINE, INPUT_MODES]],
    ['search', [SNAPSHOT, LOGICAL_LINE]],
  ] as const)('%s imports from vt only %s', (room, allowed) => {
    const fromVt = IMPORTS.filter((one) => roomOf(one.file) === room && targetOf(one).startsWith('src/vt/'));
    expect(fromVt.length).toBeGreaterThan(0);
    expect(fromVt.filter((one) => !allowed.some((file) => file === targetOf(one))).map(show)).toEqual([]);
  });

  test.each(ONE_IMPORTER)('exactly one file loads %s', (name) => {
    const importers = IMPORTS.filter((one) => one.specifier === name && !one.typeOnly);
    expect(new Set(importers.map((one) => one.file)).size, importers.map(show).join('\n')).toBe(1);
  });

  test('protocol and base import nothing from Node, so they run in a browser', () => {
    const wrong = IMPORTS.filter((one) => ['base', 'protocol'].includes(roomOf(one.file)) && isBuiltin(one));
    expect(wrong.map(show)).toEqual([]);
  });

  test.each(['src/cli/start.ts', 'src/cli/main.ts', 'src/client/index.ts'])(
    '%s loads no package at run time',
    (entry) => {
      const packages = reachableFrom(entry).filter((one) => !isRelative(one) && !isBuiltin(one));
      expect(packages.map(show)).toEqual([]);
    },
  );

  test('every relative import names an existing file, with the extension .js, or styles of the page', () => {
    const styles = readdirSync(path.join(ROOT, 'src/page')).filter((name) => name.endsWith('.css'));
    const known = new Set([...FILES.map(({ file }) => file), ...styles.map((name) => `src/page/${name}`)]);
    const wrong = IMPORTS.filter((one) => isRelative(one)).filter(
      (one) => !/\.(js|css)$/.test(one.specifier) || !known.has(targetOf(one)),
    );
    expect(wrong.map(show)).toEqual([]);
  });
});

describe('system access', () => {
  test('the parser of program output touches no file, process or network', () => {
    const ofVt = IMPORTS.filter((one) => roomOf(one.file) === 'vt' && isBuiltin(one));
    const wrong = ofVt.filter(({ specifier }) => specifier !== 'node:buffer');
    expect(wrong.map(show)).toEqual([]);
  });

  test('folders are made without the recursion of Node, which never ends below /proc', () => {
    const makers = FILES.filter(({ lines }) => lines.some((text) => /mkdir.*recursive: true/.test(code(text))));
    expect(makers.map(({ file }) => file)).toEqual([]);
  });

  test('time spans are measured with the monotonic clock, which ignores changes of the time of day', () => {
    const readers = FILES.filter(({ lines }) => lines.some((text) => code(text).includes('Date.now(')));
    // Of the others, these compare with the times of files, or of other processes, which has no other clock.
    expect(readers.map(({ file }) => file).toSorted()).toEqual([
      'src/base/clock.ts',
      'src/boot/cached-program.ts',
      'src/client/start-claim.ts',
      'src/rpc/instance-lock.ts',
      'src/rpc/leftovers.ts',
      'src/terminal/launching/mark-seed.ts',
    ]);
  });
});

describe('the shape of files', () => {
  test('only listed files read argv, exit the process or read the environment', () => {
    const wrong = FILES.flatMap(({ file, lines }) =>
      lines.flatMap((text, i) => {
        const touched = /\bprocess\.(argv|exit|env)\b/.exec(code(text))?.[1];
        const allowed = touched === undefined || MAY_TOUCH_PROCESS[file]?.test(touched) === true;
        return allowed ? [] : [`${file}:${i + 1}: ${text.trim()}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('only the public entries consist of nothing but re-exports', () => {
    const barrels = FILES.filter(({ lines }) => {
      const exported = lines.filter((text) => /^export\b/.test(text));
      const passedOn = exported.filter((text) => /^export (type )?(\*|\{)/.test(text));
      return exported.length > 0 && passedOn.length === exported.length;
    });
    expect(barrels.map(({ file }) => file)).toEqual(PUBLIC_BARRELS);
  });

  test('a file of a divided room is in one of its inner rooms, or on the list of loose files', () => {
    const divided = FILES.filter(({ file }) => INNER_ROOMS[roomOf(file)] !== undefined).map(({ file }) => file);
    const loose = divided.filter((file) => innerRoomOf(file).endsWith('.ts'));
    const listed = Object.entries(LOOSE_FILES).flatMap(([room, names]) =>
      names
        .trim()
        .split(/\s+/)
        .map((name) => `src/${room}/${name}.ts`),
    );
    expect(loose.toSorted()).toEqual(listed.toSorted());
    const strange = divided.filter(
      (file) => !loose.includes(file) && INNER_ROOMS[roomOf(file)]?.[innerRoomOf(file)] === undefined,
    );
    expect(strange).toEqual([]);
  });

  test('no file has a default export', () => {
    const wrong = FILES.filter(({ lines }) => lines.some((text) => /^export default\b/.test(text)));
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });
});

function readSource(file: string): SourceFile {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  return { file, lines: text.trimEnd().split('\n'), imports: [...staticImports(file, text), ...loads(file, text)] };
}

/** `import … from '…'`, `export … from '…'`, `import '…'`, over several lines or one. */
function staticImports(file: string, text: string): Import[] {
  const pattern = /^(?:import|export)(?: (type)(?= [^=\n]*(?:\{|\*|\bfrom\b)))?(?:[^'";]*?\sfrom)? '([^']+)';/gm;
  return [...text.matchAll(pattern)].map((match) => ({
    file,
    line: lineAt(text, match.index),
    specifier: match[2] ?? '',
    typeOnly: match[1] !== undefined,
  }));
}

/** `import('…')`, `require('…')` and `createRequire(…)('…')`. */
function loads(file: string, text: string): Import[] {
  return [...text.matchAll(/(?:\bimport|\brequire|\bcreateRequire\([^)]*\))\('([^']+)'\)/g)].map((match) => ({
    file,
    line: lineAt(text, match.index),
    specifier: match[1] ?? '',
    typeOnly: false,
  }));
}

/** All imports of values that loading a file brings about, its own and those of what it imports. */
function reachableFrom(entry: string): Import[] {
  const seen = new Set([entry]);
  for (const file of seen) {
    for (const one of valueImports(file)) if (isRelative(one)) seen.add(targetOf(one));
  }
  return [...seen].flatMap((file) => valueImports(file));
}

function valueImports(file: string): Import[] {
  return IMPORTS.filter((one) => one.file === file && !one.typeOnly);
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

function isRelative(one: Import): boolean {
  return one.specifier.startsWith('.');
}

function isBuiltin(one: Import): boolean {
  return one.specifier.startsWith('node:') || builtinModules.includes(one.specifier);
}

function roomOf(file: string): string {
  return file.split('/')[1] ?? '';
}

/** `system/proc` for `src/terminal/system/proc/x.ts`; of a loose file its name. */
function innerRoomOf(file: string): string {
  const [, , ...rest] = file.split('/');
  return rest.length === 1 ? (rest[0] ?? '') : rest.slice(0, -1).join('/');
}

/** Imports within a room, by the inner room or the loose file that they are in. */
function innerImports(room: string): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const one of IMPORTS) {
    if (!isRelative(one) || roomOf(one.file) !== room || roomOf(targetOf(one)) !== room) continue;
    const [from, to] = [innerRoomOf(one.file), innerRoomOf(targetOf(one))];
    if (from !== to) imports.set(from, (imports.get(from) ?? new Set()).add(to));
  }
  return imports;
}

/** One circle for each import that closes one, as `a -> b -> a`; none is found twice. */
function circlesIn(imports: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (from: string, path: readonly string[]): void => {
    for (const to of imports.get(from) ?? []) {
      const start = path.indexOf(to);
      if (start !== -1) circles.push([...path.slice(start), to].join(' -> '));
      else if (!done.has(to)) walk(to, [...path, to]);
    }
    done.add(from);
  };
  for (const from of imports.keys()) if (!done.has(from)) walk(from, [from]);
  return circles;
}

/** Path of the source file that a relative import means. */
function targetOf(one: Import): string {
  if (!isRelative(one)) return '';
  return path.posix.join(path.posix.dirname(one.file), one.specifier).replace(/\.js$/, '.ts');
}

function show(one: Import): string {
  return `${one.file}:${one.line}: imports ${one.specifier}`;
}

/** A line without what a comment says. */
function code(text: string): string {
  return /^\s*(\*|\/[/*])/.test(text) ? '' : text.replace(/\/\/ .*$/, '');
}
