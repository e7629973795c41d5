// Rooms that most daemons never use are a deflated text in the daemon's program: they are neither read nor compiled until one of
// them is asked for, and are there however late that is, whatever has become of the package's files.
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { assertAscii } from './ascii.mjs';
import { importedNames } from './imported-names.mjs';

/** The list of what is loaded later: its `import()`s. */
const LIST = 'src/daemon/later.ts';

/**
 * @param options those of the program, whose entry is `main`
 * @param isLazy whether a module of the program is evaluated with its first use
 * @returns options of the same program, with these rooms as a text
 */
export async function withLaterRooms(root, { main, isLazy, ...options }) {
  const program = { ...options, entryPoints: { 'daemon-program': main } };
  const { metafile } = await build({ ...program, metafile: true, write: false });
  const { early, later, entries } = modulesByTime(metafile.inputs, main);
  const shared = new Map();
  const text = await roomsText(root, options, { later, entries, shared });
  const source = registering(
    text,
    shared,
    (module) => isLazy(module) || (module.startsWith('src/') && !early.has(module)),
  );
  return { ...program, plugins: [roomsFromText(root, { main, later, source }), ...options.plugins] };
}

/** Modules that are loaded with the program; those that the list alone reaches; and those of the latter that others load. */
function modulesByTime(inputs, main) {
  const reached = (roots, isFollowed) => {
    const seen = new Set(roots);
    for (const path of seen) for (const each of inputs[path]?.imports ?? []) if (isFollowed(each)) seen.add(each.path);
    return seen;
  };
  const isDynamic = ({ kind }) => kind === 'dynamic-import';
  const early = reached([main], (each) => !isDynamic(each));
  const listed = new Set(inputs[LIST].imports.filter(isDynamic).map(({ path }) => path));
  // What an early module imports when it is asked for, by another way, is compiled with the program.
  const otherwise = reached(early, ({ path }) => !listed.has(path));
  const later = new Set(
    [...reached(listed, () => true)].filter((path) => path.startsWith('src/') && !otherwise.has(path)),
  );
  const entries = new Set();
  for (const [path, { imports }] of Object.entries(inputs)) {
    if (later.has(path)) continue;
    for (const { path: next } of imports) if (later.has(next)) entries.add(next);
  }
  return { early, later, entries };
}

/** A function of its exports, `require`, and the modules that it shares with the program. @param shared gets their names, by module */
async function roomsText(root, options, { later, entries, shared }) {
  const sharedModules = {
    name: 'shared-modules',
    setup(bundle) {
      bundle.onResolve({ filter: /./ }, ({ path, kind, importer, resolveDir, namespace }) => {
        if (namespace !== 'file' || path.startsWith('node:')) return undefined;
        const module = moduleAt(root, resolveDir, path);
        if (later.has(module)) return undefined;
        if (kind !== 'import-statement') throw new Error(`${importer}: "${path}" is not in the text of later rooms`);
        const names = shared.get(module) ?? new Set();
        shared.set(module, names);
        for (const name of importedNames(importer, path)) names.add(name);
        return { path: module, namespace: 'shared' };
      });
      bundle.onLoad({ filter: /./, namespace: 'shared' }, ({ path }) => ({
        contents: `module.exports = shared[${JSON.stringify(path)}];`,
      }));
    },
  };
  const { outputFiles } = await build({
    ...options,
    outdir: undefined,
    stdin: {
      contents: [...entries].map((path) => `exports['${path}'] = () => require('./${path}');`).join('\n'),
      resolveDir: root,
    },
    banner: { js: '(function (exports, require, shared) {' },
    write: false,
    plugins: [sharedModules, ...options.plugins],
  });
  const { text } = outputFiles[0];
  assertAscii(text, 'the text of later rooms');
  if (text.includes('__module.')) throw new Error('import.meta.url is not in the text of later rooms');
  return text;
}

/**
 * The module that has the text. The program imports it, as anything that is imported when it is asked for would have all that it
 * imports wrapped, for evaluation by then.
 */
function registering(text, shared, isLazy) {
  const modules = [...shared].map(([module, names], i) => {
    const from = JSON.stringify(module.startsWith('src/') ? `./${module}` : module);
    const aliases = [...names].map((name) => [name, `${name}_${i}`]);
    const value = ([name, alias]) => (isLazy(module) ? `(loaded_${i} ??= require(${from})).${name}` : alias);
    const getters = aliases.map((each) => `get ${each[0]}() { return ${value(each)}; }`);
    return {
      statement: isLazy(module)
        ? `let loaded_${i};`
        : `import { ${aliases.map((each) => each.join(' as ')).join(', ')} } from ${from};`,
      field: `${JSON.stringify(module)}: { ${getters.join(', ')} },`,
    };
  });
  return `${modules.map(({ statement }) => statement).join('\n')}
    let rooms;
    require('rooms').room = (path) => {
      if (rooms === undefined) {
        const { inflateRawSync } = require('node:zlib');
        const { Script } = require('node:vm');
        const text = inflateRawSync(Buffer.from('${deflateRawSync(text, { level: 9 }).toString('base64')}', 'base64'));
        const run = new Script(text.toString('latin1'), { filename: __filename + '/rooms' }).runInThisContext();
        const exports = {};
        run(exports, require, { ${modules.map(({ field }) => field).join('\n')} });
        rooms = exports;
      }
      return rooms[path]();
    };`;
}

const roomsFromText = (root, { main, later, source }) => ({
  name: 'rooms-from-text',
  setup(bundle) {
    bundle.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (relative(root, path) !== main) return undefined;
      // In its first line: lines of stack traces stay.
      return { contents: `import 'rooms-text'; ${readFileSync(path, 'utf8')}`, loader: 'ts' };
    });
    bundle.onResolve({ filter: /^\.{1,2}\// }, ({ path, kind, resolveDir }) => {
      const module = moduleAt(root, resolveDir, path);
      return kind === 'dynamic-import' && later.has(module) ? { path: module, namespace: 'room' } : undefined;
    });
    bundle.onLoad({ filter: /./, namespace: 'room' }, ({ path }) => ({
      contents: `module.exports = require('rooms').room(${JSON.stringify(path)});`,
      resolveDir: root,
    }));
    bundle.onResolve({ filter: /^rooms(-text)?$/ }, ({ path }) => ({ path, namespace: 'rooms' }));
    bundle.onLoad({ filter: /^rooms$/, namespace: 'rooms' }, () => ({ contents: 'exports.room = undefined;' }));
    bundle.onLoad({ filter: /^rooms-text$/, namespace: 'rooms' }, () => ({ contents: source, resolveDir: root }));
  },
});

/** By its path in the tree, or its name if it is of a package. */
function moduleAt(root, directory, path) {
  return path.startsWith('.') ? relative(root, join(directory, path.replace(/\.js$/, '.ts'))) : path;
}
