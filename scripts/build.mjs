// Bundles the entry points and emits the client's types. Plain JavaScript: it runs from `npm ci`, before anything is built.
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { build, transform } from 'esbuild';
import { assertAscii } from './ascii.mjs';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { compileClients } from './native.mjs';
import {
  bundleOptions,
  commonJsOptions,
  daemonProgram,
  minifiedPackages,
  onlyEnglish,
  programOptions,
} from './daemon-program.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const define = { T4A_VERSION: JSON.stringify(version) };

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

/**
 * Their entries of the command table, and that of `config`, whose flags are the names in the configuration file. Their texts
 * are for help alone, which the whole command line has.
 */
const onlyCommonCommands = {
  name: 'only-common-commands',
  setup(bundle) {
    const kept = new Set([...COMMON_COMMANDS, 'config']);
    bundle.onLoad({ filter: /commands\.generated\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replaceAll(/^ {2}(\w+): \(\) =>\s+('.*'),\n/gm, (_entry, name, literal) =>
          kept.has(name) ? `  ${name}: () => ${JSON.stringify(withoutTexts(literal))},\n` : '',
        )
        .replaceAll(/^ {4}description:\s+(['"]).*\1,\n/gm, "    description: '',\n"),
      loader: 'ts',
    }));
  },
};

const TEXTS_OF_COMMANDS = ['summary', 'notes', 'examples'];
const TEXTS_OF_FLAGS = ['description', 'off', 'placeholder'];

/** @param literal of JavaScript: JSON of one command */
function withoutTexts(literal) {
  const without = (names) => (value) =>
    Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
  const { flags, ...command } = JSON.parse(runInNewContext(literal));
  return JSON.stringify({
    ...without(TEXTS_OF_COMMANDS)(command),
    flags: flags.map(without(TEXTS_OF_FLAGS)),
  });
}

const common = bundleOptions(root);

const requireForModules =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** A tenth less to pack. Names and lines are there for stack traces. */
const compact = { minifyWhitespace: true, minifySyntax: true, lineLimit: 160 };

const asModule = { ...common, ...compact, format: 'esm', define, banner: { js: requireForModules } };

/** What the MCP SDK has instead of a part of its own. */
const OF_MCP = { '@modelcontextprotocol/server/_shims': './src/mcp/sdk-platform.ts' };

const clientBeside = {
  name: 'client-beside',
  setup(bundle) {
    bundle.onResolve({ filter: /\/client\/index\.js$/ }, () => ({ path: './client.js', external: true }));
  },
};

/** Benches, and sockets of browsers, which the client of NATS exports and does not use. */
const withoutUnusedNats = {
  name: 'without-unused-nats',
  setup(bundle) {
    bundle.onLoad({ filter: /@nats-io[\\/]nats-core[\\/]lib[\\/](bench|ws_transport)\.js$/ }, () => ({ contents: '' }));
  },
};

const asCommonJs = commonJsOptions(root, define);

const asProgram = programOptions(root, define);

/** The whole command line, and by their paths those of its modules that the common program asks for. */
function wholeEntry() {
  const later = [...laterModules].map((path) => `exports['${path}'] = () => require('./${path}');`);
  const program = "exports.main = require('./src/cli/main.ts').main;";
  return [program, "exports.serveHost = require('./src/cli/warm/main.ts').serveHost;", ...later].join('\n');
}

const asPage = {
  ...common,
  platform: 'browser',
  target: ['chrome111', 'firefox113', 'safari16.4'],
  format: 'esm',
  minify: true,
  outdir: 'dist/page',
};

/** The server has the fonts beside the page, below whatever path. */
const fontsBeside = {
  name: 'fonts-beside',
  setup: ({ onResolve }) => onResolve({ filter: /\.ttf$/ }, ({ path }) => ({ path, external: true })),
};

/** Styles that a program imports are text in it. */
const stylesAsText = {
  name: 'styles-as-text',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), { loader: 'css', minify: true });
      return { contents: code.trim(), loader: 'text' };
    }),
};

/** What its program imports begins to load with it. */
function writePage({ metafile }) {
  const { imports } = metafile.outputs['dist/page/page.js'];
  const first = imports
    .filter(({ kind }) => kind === 'import-statement')
    .map((one) => `.${one.path.replace('dist/page', '')}`);
  const html = readFileSync(join(root, 'src/page/index.html'), 'utf8');
  const links = first.map((file) => `    <link rel="modulepreload" href="${file}" />\n`).join('');
  mkdirSync(join(root, 'dist/page'), { recursive: true });
  writeFileSync(join(root, 'dist/page/index.html'), html.replace('  </head>', `${links}  </head>`));
}

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });

/** The daemon has the sources of these threads in itself; tests, which run the daemon's sources, take the files. */
await build({
  ...asCommonJs,
  banner: {},
  entryPoints: {
    'recording-thread': 'src/features/recording/writer-thread.ts',
    'reading-thread': 'src/features/recording/reading-thread.ts',
  },
});

await Promise.all([
  build({ ...asModule, entryPoints: { client: 'src/client/index.ts' } }),
  // The test runner is its user's, and the library is the one beside it.
  build({
    ...asModule,
    entryPoints: { vitest: 'src/vitest/index.ts' },
    external: ['vitest'],
    plugins: [...(asModule.plugins ?? []), clientBeside],
  }),
  // What the first view has no use for is loaded when it is meant.
  build({
    ...asPage,
    splitting: true,
    metafile: true,
    chunkNames: '[name]-[hash]',
    entryPoints: { page: 'src/page/main.ts' },
    plugins: [...common.plugins, stylesAsText],
  }).then(writePage),
  build({ ...asPage, entryPoints: { page: 'src/page/page.css', parts: 'src/page/parts.css' }, plugins: [fontsBeside] }),
  build({ ...asModule, entryPoints: { fleet: 'src/fleet/entry.ts' } }),
  // What those of a group have in common, the emulator, the schemas and the client, is packed once. Short syntax saves 13 KB packed; names
  // stay, for stacks.
  ...[
    { play: 'src/playback/play.ts', export: 'src/playback/export.ts', lines: 'src/playback/final-lines.ts' },
    {
      tools: 'src/tools/index.ts',
      gateway: 'src/fleet/gateway/serve.ts',
      crew: 'src/crew/entry.ts',
      mcp: 'src/mcp/server.ts',
    },
    {
      attach: 'src/tty/attach/attach.ts',
      board: 'src/tty/crew/board.ts',
      web: 'src/web/serve.ts',
      interminai: 'src/interminai/serve.ts',
      tmux: 'src/tmux/serve.ts',
    },
  ].map((entryPoints) =>
    build({
      ...asModule,
      plugins: [...asModule.plugins, minifiedPackages],
      minifySyntax: true,
      splitting: true,
      chunkNames: 'shared-[hash]',
      alias: OF_MCP,
      entryPoints,
    }),
  ),
  // Most of it is gRPC, which nobody reads here either.
  build({ ...asModule, entryPoints: { grpc: 'src/grpc/serve.ts' }, minify: true, lineLimit: 0 }),
  // Most of it is the client of NATS.
  build({
    ...asModule,
    entryPoints: { nats: 'src/nats/entry.ts' },
    plugins: [...asModule.plugins, withoutUnusedNats],
    minify: true,
    lineLimit: 0,
  }),
  // The tools alone use zod, which is a dependency: a second copy of it would be a tenth of all programs' size.
  build({
    ...asCommonJs,
    ...compact,
    external: [...common.external, 'zod'],
    entryPoints: { client: 'src/client/index.ts', tools: 'src/tools/index.ts' },
  }),
  // The command line as CommonJS: Node starts it about 10 ms sooner, a tenth of what `t4a list` takes.
  build({
    ...asProgram,
    entryPoints: { 'cli-common': 'src/cli/main.ts' },
    plugins: [onlyEnglish, minifiedPackages, laterFromWhole, onlyCommonCommands],
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
  daemonProgram(root, define).then(build),
]);

for (const name of ['icon.svg', 'manifest.webmanifest']) {
  cpSync(join(root, 'src/page', name), join(root, 'dist/page', name));
}

for (const name of ['cli-program.cjs', 'cli-common.cjs', 'daemon-program.cjs']) {
  assertAscii(readFileSync(join(root, 'dist', name), 'utf8'), name);
}

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

const asStart = {
  ...asCommonJs,
  banner: {},
  define: {
    ...asCommonJs.define,
    T4A_PROGRAM_HASHES: JSON.stringify(programHashes),
    T4A_COMMON_COMMANDS: JSON.stringify(COMMON_COMMANDS),
  },
};

const says = compileClients(root, programHashes.cli);
if (says !== undefined) process.stdout.write(`${says}\n`);
writeStarter();

// Compiled anew by each command.
await build({ ...asStart, entryPoints: { cli: 'src/cli/start.ts' }, minify: true });
await build({
  ...asStart,
  entryPoints: {
    daemon: 'src/daemon/start.ts',
    'pty-reader-thread': 'src/terminal/pty/reader-thread.ts',
  },
});
// Several threads would each check what they have in common: twice the work, and no sooner done on two processors.
const compiler = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.types.json', '--singleThreaded'];
const types = spawnSync(process.execPath, compiler, { cwd: root, stdio: 'inherit' });

// The types are packed once, as CommonJS, which modules may import too. The test runner's are for modules alone, as the runner is.
for (const name of ['client', 'tools']) {
  mkdirSync(join(root, 'dist/types', name), { recursive: true });
  writeFileSync(join(root, `dist/types/${name}/index.d.ts`), `export * from '../../types-cjs/${name}/index.js';\n`);
}
renameSync(join(root, 'dist/types-cjs/vitest'), join(root, 'dist/types/vitest'));
await bundleTypes(join(root, 'dist/types-cjs'));
// What makes the others CommonJS. The last file: tests take it as a sign that all was built.
writeFileSync(join(root, 'dist/types-cjs/package.json'), '{"type":"commonjs"}\n');
process.exitCode = types.status ?? 1;

/** What a shell runs as `t4a`, and as `tmux`: the native client goes by its name. */
function writeStarter() {
  mkdirSync(join(root, 'dist/tmux'), { recursive: true });
  for (const arch of existsSync(join(root, 'dist/native')) ? readdirSync(join(root, 'dist/native')) : []) {
    mkdirSync(join(root, 'dist/tmux', arch), { recursive: true });
    cpSync(join(root, 'dist/native', arch, 't4a'), join(root, 'dist/tmux', arch, 'tmux'));
  }
  writeFileSync(join(root, 'dist/tmux/tmux'), readFileSync(join(root, 'native/tmux.sh')), { mode: 0o755 });
  writeFileSync(join(root, 'dist/tmux/tmux.pl'), readFileSync(join(root, 'native/tmux.pl')));
  writeFileSync(join(root, 'dist/t4a'), readFileSync(join(root, 'native/t4a.sh')), { mode: 0o755 });
}

/** A hundred files become three. What the library and the tools have in common is packed once. */
async function bundleTypes(folder) {
  const input = Object.fromEntries(
    ['client', 'tools'].map((name) => [`${name}/index`, join(folder, name, 'index.d.ts')]),
  );
  const bundle = await rollup({ input, external: [/^node:/, 'zod'], plugins: [dts()] });
  const { output } = await bundle.generate({ chunkFileNames: 'shared.d.ts', entryFileNames: '[name].d.ts' });
  rmSync(folder, { recursive: true });
  for (const { fileName, code } of output) {
    mkdirSync(dirname(join(folder, fileName)), { recursive: true });
    writeFileSync(join(folder, fileName), code);
  }
}
