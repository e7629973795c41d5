// How the daemon's program is bundled: for the build, and for the bench that puts another one of its kind beside it. A bench is
// a bundle itself, so the root of the tree is given.
import { transform } from 'esbuild';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { importedNames } from './imported-names.mjs';
import { withLaterRooms } from './later-rooms.mjs';

/** Every Node that runs the bundles. */
export const target = 'node20.19';

/** Native or lazily loaded packages stay outside of the bundles: each carries files that it finds beside itself. */
export const external = ['node-pty', '@napi-rs/canvas', 'sharp'];

/** zod's messages in 40 languages, 366 KB a bundle; ours are English. */
export const onlyEnglish = {
  name: 'only-english',
  setup(bundle) {
    bundle.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: 'export {};' }));
  },
};

/** Packages are read by nobody here: minified, they are a third of a program's source less to read at its start. */
export const minifiedPackages = {
  name: 'minified-packages',
  setup(bundle) {
    bundle.onLoad(
      { filter: /node_modules[\\/](zod|re2js|ws|uqr|@modelcontextprotocol)[\\/].*\.c?js$/ },
      async ({ path }) => {
        const { code } = await transform(readFileSync(path, 'utf8'), { minify: true, target, legalComments: 'none' });
        return { contents: code };
      },
    );
  },
};

/** Of every bundle. */
export const bundleOptions = (root) => ({
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target,
  external,
  plugins: [onlyEnglish, minifiedPackages],
  logLevel: 'warning',
  legalComments: 'none',
  outdir: 'dist',
});

/** @param define what the bundle is told */
export const commonJsOptions = (root, define) => ({
  ...bundleOptions(root),
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  // Only where it is asked for: most commands have no need of it.
  define: { ...define, 'import.meta.url': '__module.url' },
  banner: { js: MODULE },
});

const MODULE = "const __module = { get url() { return require('node:url').pathToFileURL(__filename).href; } };";

/** A program that src/boot runs. Its file is one function: text put around it later would copy all of it in memory. */
export const programOptions = (root, define) => ({
  ...commonJsOptions(root, define),
  banner: { js: `(function (exports, require, module, __filename, __dirname) {\n${MODULE}` },
  footer: { js: '})' },
  // What is not ASCII is escaped: the program's source is read as latin1.
  charset: 'ascii',
});

/** The emulator's library is evaluated with the first terminal: the daemon listens three milliseconds earlier. */
const lazyEmulator = (resolveDir) => ({
  name: 'lazy-emulator',
  setup(bundle) {
    bundle.onResolve({ filter: /^@xterm\/headless$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'xterm', namespace: 'lazily' } : undefined,
    );
    bundle.onLoad({ filter: /^xterm$/, namespace: 'lazily' }, () => ({
      contents: "module.exports = { get Terminal() { return require('@xterm/headless').Terminal; } };",
      resolveDir,
    }));
  },
});

/** The sources of these threads are texts within the daemon's program. By the modules of the daemon that start them. */
const THREADS = { writer: 'recording-thread.cjs', reading: 'reading-thread.cjs' };

const threadPrograms = (root) => ({
  name: 'thread-programs',
  setup(bundle) {
    bundle.onLoad({ filter: /features[\\/]recording[\\/](writer|reading)-thread-program\.ts$/ }, ({ path }) => {
      const [, thread] = /(\w+)-thread-program\.ts$/.exec(path);
      const source = readFileSync(join(root, 'dist', THREADS[thread]), 'utf8');
      return { contents: `export const threadProgram = () => ${JSON.stringify(source)};` };
    });
  },
});

/** Modules of schemas that the daemon's first answers do not need: zod makes them with the first request that does. */
const LAZY_SCHEMAS = 'conditions config-shape entry events labels observation picture spawn-shape triggers vocabulary'
  .split(' ')
  .map((name) => `src/protocol/${name}.ts`);

const lazySchemas = (root) => ({
  name: 'lazy-schemas',
  setup(bundle) {
    bundle.onResolve({ filter: /\.js$/ }, ({ path, kind, importer, resolveDir }) => {
      const file = join(resolveDir, path.replace(/\.js$/, '.ts'));
      if (kind !== 'import-statement' || !LAZY_SCHEMAS.includes(relative(root, file))) return undefined;
      return {
        path: `${relative(root, importer)} > ${relative(root, file)}`,
        namespace: 'schemas',
        pluginData: { path, importer, file },
      };
    });
    bundle.onLoad({ filter: /./, namespace: 'schemas' }, ({ pluginData: { path, importer, file } }) => {
      const contents = lazyModule(importedNames(importer, path), `require(${JSON.stringify(file)})`);
      return { contents, resolveDir: root };
    });
  },
});

/** With names of a module that is loaded by the first of them. Bundled, each `require` of a module of ours makes a copy of its exports. */
const lazyModule = (names, load) =>
  `let loaded; module.exports = { ${names
    .map((name) => `get ${name}() { return (loaded ??= ${load}).${name}; }`)
    .join(', ')} };`;

/** Node's modules that the daemon's first answer does not need are loaded where they are used first. */
const lazyBuiltins = {
  name: 'lazy-builtins',
  setup(bundle) {
    bundle.onResolve({ filter: /^node:(child_process|perf_hooks|v8|worker_threads|zlib)$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'builtin' } : undefined,
    );
    bundle.onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => {
      return { contents: lazyModule(Object.keys(process.getBuiltinModule(path)), `require('${path}')`) };
    });
  },
};

/** @param plugins of a bench: they go first */
export const daemonProgram = (root, define, plugins = []) =>
  withLaterRooms(root, {
    ...programOptions(root, define),
    main: 'src/daemon/main.ts',
    isLazy: (module) => LAZY_SCHEMAS.includes(module),
    plugins: [
      ...plugins,
      onlyEnglish,
      minifiedPackages,
      lazyEmulator(root),
      lazyBuiltins,
      lazySchemas(root),
      threadPrograms(root),
    ],
    // A quarter less to read. Names and lines are there for stack traces.
    minifyWhitespace: true,
    lineLimit: 160,
    // Code from a cache can load packages by `require` alone.
    supported: { 'dynamic-import': false },
  });
