// Bundles the entry points and emits the client's types. Plain JavaScript: it runs from `npm ci`, before anything is built.
import { build, transform } from 'esbuild';
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Native or lazily loaded packages stay outside of the bundles: each carries files that it finds beside itself. */
const external = ['node-pty', '@napi-rs/canvas', 'sharp'];

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const define = { T4A_VERSION: JSON.stringify(version) };

/** zod's messages in 40 languages, 366 KB a bundle; ours are English. */
const onlyEnglish = {
  name: 'only-english',
  setup(bundle) {
    bundle.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: 'export {};' }));
  },
};

/** Packages are read by nobody here: minified, they are a third of a program's source less to read at its start. */
const minifiedPackages = {
  name: 'minified-packages',
  setup(bundle) {
    bundle.onLoad({ filter: /node_modules[\\/](zod|re2js)[\\/].*\.c?js$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), { minify: true, target, legalComments: 'none' });
      return { contents: code };
    });
  },
};

/** The emulator's library is evaluated with the first terminal: the daemon listens three milliseconds earlier. */
const lazyEmulator = {
  name: 'lazy-emulator',
  setup(bundle) {
    const resolveDir = root;
    bundle.onResolve({ filter: /^@xterm\/headless$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'xterm', namespace: 'lazily' } : undefined,
    );
    bundle.onLoad({ filter: /^xterm$/, namespace: 'lazily' }, () => ({
      contents: "module.exports = { get Terminal() { return require('@xterm/headless').Terminal; } };",
      resolveDir,
    }));
  },
};

/** The source of this thread is a text within the daemon's program. */
const recordingThread = {
  name: 'recording-thread',
  setup(bundle) {
    bundle.onLoad({ filter: /daemon[\\/]recording[\\/]thread-program\.ts$/ }, () => {
      const source = readFileSync(join(root, 'dist/recording-thread.cjs'), 'utf8');
      return { contents: `export const threadProgram = () => ${JSON.stringify(source)};` };
    });
  },
};

/** Modules of schemas that the daemon's first answers do not need: zod makes them with the first request that does. */
const LAZY_SCHEMAS = 'conditions config-shape entry events labels observation picture spawn-shape triggers vocabulary'
  .split(' ')
  .map((name) => join(root, `src/protocol/${name}.ts`));

const lazySchemas = {
  name: 'lazy-schemas',
  setup(bundle) {
    bundle.onResolve({ filter: /\.js$/ }, ({ path, kind, importer, resolveDir }) => {
      const file = join(resolveDir, path.replace(/\.js$/, '.ts'));
      if (kind !== 'import-statement' || !LAZY_SCHEMAS.includes(file)) return undefined;
      return {
        path: `${relative(root, importer)} > ${relative(root, file)}`,
        namespace: 'schemas',
        pluginData: { path, importer, file },
      };
    });
    bundle.onLoad({ filter: /./, namespace: 'schemas' }, ({ pluginData: { path, importer, file } }) => {
      const getters = importedNames(importer, path).map(
        (name) => `get ${name}() { return require(${JSON.stringify(file)}).${name}; }`,
      );
      return { contents: `module.exports = { ${getters.join(', ')} };`, resolveDir: root };
    });
  },
};

/** Names of values that the one file imports from the other. */
function importedNames(importer, path) {
  const statement = new RegExp(`^(?:import|export) \\{([^}]*)\\} from '${path.replaceAll('.', '\\.')}';`, 'gm');
  const names = [...readFileSync(importer, 'utf8').matchAll(statement)].flatMap(([, list]) => list.split(','));
  const values = names
    .map((name) => name.trim().split(' '))
    .filter(([name]) => name !== '' && name !== 'type')
    .map(([name]) => name);
  const exported = readFileSync(join(dirname(importer), path.replace(/\.js$/, '.ts')), 'utf8');
  const unknown = values.filter(
    (name) => !new RegExp(`^export (const|function|class|\\{[^}]*)\\b ?${name}\\b`, 'm').test(exported),
  );
  if (values.length === 0 || unknown.length > 0) {
    throw new Error(`${importer}: the imports from ${path} are not of a form that is read here: ${unknown.join(', ')}`);
  }
  return values;
}

/** Node's modules that the daemon's first answer does not need are loaded where they are used first. */
const lazyBuiltins = {
  name: 'lazy-builtins',
  setup(bundle) {
    bundle.onResolve({ filter: /^node:(child_process|perf_hooks|v8|worker_threads|zlib)$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'builtin' } : undefined,
    );
    bundle.onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path));
      const getters = names.map((name) => `get ${name}() { return load().${name}; }`);
      return { contents: `const load = () => require('${path}'); module.exports = { ${getters.join(', ')} };` };
    });
  },
};

/** Commands that are used most. Their program has what they need, and loads the whole command line for anything else. */
const COMMON_COMMANDS = 'create kill list status screenshot text type press send paste wait events'.split(' ');

const WHOLE = './cli-program.cjs';

/** Modules that the command line imports when it is asked for, by their paths: found while the common program is built. */
const laterModules = new Set();

const laterFromWhole = {
  name: 'later-from-whole',
  setup(bundle) {
    bundle.onResolve({ filter: /^\.{1,2}\// }, ({ path, kind, resolveDir }) => {
      if (path === WHOLE) return { path, external: true };
      if (kind !== 'dynamic-import') return undefined;
      const module = relative(root, join(resolveDir, path.replace(/\.js$/, '.ts')));
      laterModules.add(module);
      return { path: module, namespace: 'later' };
    });
    bundle.onLoad({ filter: /./, namespace: 'later' }, ({ path }) => ({
      contents: `module.exports = require('${WHOLE}')['${path}']();`,
      resolveDir: root,
    }));
  },
};

/** Their entries of the command table, and that of `config`, whose flags are the names in the configuration file. */
const onlyCommonCommands = {
  name: 'only-common-commands',
  setup(bundle) {
    const kept = new Set([...COMMON_COMMANDS, 'config']);
    bundle.onLoad({ filter: /commands\.generated\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(/^ {2}(\w+): \(\) =>\s+'.*',\n/gm, (entry, name) =>
        kept.has(name) ? entry : '',
      ),
      loader: 'ts',
    }));
  },
};

/** Every Node that runs the bundles. */
const target = 'node20.19';

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target,
  external,
  plugins: [onlyEnglish],
  logLevel: 'warning',
  legalComments: 'none',
  outdir: 'dist',
};

const requireForModules =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

const asModule = { ...common, format: 'esm', define, banner: { js: requireForModules } };

const asCommonJs = {
  ...common,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  // Only where it is asked for: most commands have no need of it.
  define: { ...define, 'import.meta.url': '__module.url' },
  banner: { js: "const __module = { get url() { return require('node:url').pathToFileURL(__filename).href; } };" },
};

/** A program that src/boot runs. Its file is one function: text put around it later would copy all of it in memory. */
const asProgram = {
  ...asCommonJs,
  banner: { js: `(function (exports, require, module, __filename, __dirname) {\n${asCommonJs.banner.js}` },
  footer: { js: '})' },
  // What is not ASCII is escaped: the program's source is read as latin1.
  charset: 'ascii',
};

/** The whole command line, and by their paths those of its modules that the common program asks for. */
function wholeEntry() {
  const later = [...laterModules].map((path) => `exports['${path}'] = () => require('./${path}');`);
  return ["exports.main = require('./src/cli/main.ts').main;", ...later].join('\n');
}

const asPage = {
  ...common,
  platform: 'browser',
  target: ['chrome111', 'firefox113', 'safari16.4'],
  format: 'esm',
  minify: true,
  outdir: 'dist/page',
};

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });

/** The daemon has the source of this thread in itself; tests, which run the daemon's sources, take the file. */
await build({
  ...asCommonJs,
  banner: {},
  entryPoints: { 'recording-thread': 'src/daemon/recording/writer-thread.ts' },
});

await Promise.all([
  build({
    ...asModule,
    entryPoints: {
      client: 'src/client/index.ts',
      tools: 'src/tools/index.ts',
    },
  }),
  // The test runner is its user's.
  build({ ...asModule, entryPoints: { vitest: 'src/vitest/index.ts' }, external: ['vitest'] }),
  build({ ...asModule, entryPoints: { attach: 'src/attach/attach.ts' } }),
  build({ ...asModule, entryPoints: { web: 'src/web/serve.ts' } }),
  build({ ...asPage, entryPoints: { page: 'src/page/main.ts' } }),
  build({ ...asPage, entryPoints: { page: 'src/page/page.css' }, external: ['/*'] }),
  build({ ...asModule, entryPoints: { fleet: 'src/fleet/entry.ts', gateway: 'src/gateway/serve.ts' } }),
  build({ ...asModule, entryPoints: { interminai: 'src/interminai/serve.ts' } }),
  build({ ...asModule, entryPoints: { play: 'src/playback/play.ts', export: 'src/playback/export.ts' } }),
  // Most of it is gRPC, which nobody reads here either.
  build({ ...asModule, entryPoints: { grpc: 'src/grpc/serve.ts' }, minify: true }),
  // Most of it is the MCP SDK, which nobody reads here.
  build({ ...asModule, entryPoints: { mcp: 'src/mcp/server.ts' }, minify: true }),
  build({ ...asCommonJs, entryPoints: { client: 'src/client/index.ts', tools: 'src/tools/index.ts' } }),
  // The command line as CommonJS: Node starts it about 10 ms sooner, a tenth of what `t4a list` takes.
  build({
    ...asProgram,
    entryPoints: { 'cli-common': 'src/cli/main.ts' },
    plugins: [onlyEnglish, laterFromWhole, onlyCommonCommands],
    minifyWhitespace: true,
    lineLimit: 160,
  }).then(() =>
    build({
      ...asProgram,
      stdin: { contents: wholeEntry(), resolveDir: root },
      outdir: undefined,
      outfile: 'dist/cli-program.cjs',
    }),
  ),
  build({
    ...asProgram,
    entryPoints: { 'daemon-program': 'src/daemon/main.ts' },
    plugins: [onlyEnglish, minifiedPackages, lazyEmulator, lazyBuiltins, lazySchemas, recordingThread],
    // A quarter less to read. Names and lines are there for stack traces.
    minifyWhitespace: true,
    lineLimit: 160,
    // Code from a cache can load packages by `require` alone.
    supported: { 'dynamic-import': false },
  }),
]);

for (const name of ['index.html', 'icon.svg']) cpSync(join(root, 'src/page', name), join(root, 'dist/page', name));

/** By these the compiled code in the cache is told from that of another build, whose files may be as long and as old. */
const hashOf = (name) =>
  createHash('sha256')
    .update(readFileSync(join(root, 'dist', name)))
    .digest('hex')
    .slice(0, 16);
const programHashes = {
  cli: hashOf('cli-program.cjs'),
  cliCommon: hashOf('cli-common.cjs'),
  daemon: hashOf('daemon-program.cjs'),
};

await build({
  ...asCommonJs,
  banner: {},
  define: {
    ...asCommonJs.define,
    T4A_PROGRAM_HASHES: JSON.stringify(programHashes),
    T4A_COMMON_COMMANDS: JSON.stringify(COMMON_COMMANDS),
  },
  entryPoints: {
    cli: 'src/cli/start.ts',
    daemon: 'src/daemon/start.ts',
    'pty-reader-thread': 'src/daemon/pty/reader-thread.ts',
  },
});
const types = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.types.json'], {
  cwd: root,
  stdio: 'inherit',
});
// The same types for `require`: what makes them CommonJS is the package.json beside them.
cpSync(join(root, 'dist/types'), join(root, 'dist/types-cjs'), { recursive: true });
writeFileSync(join(root, 'dist/types-cjs/package.json'), '{"type":"commonjs"}\n');
process.exitCode = types.status ?? 1;
