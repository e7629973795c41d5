// Bundles the entry points and emits the client's types. Plain JavaScript: it runs from `npm ci`, before anything is built.
import { build } from 'esbuild';
import { readFileSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Native or lazily loaded packages stay outside of the bundles: each carries files that it finds beside itself. */
const external = ['node-pty', '@napi-rs/canvas', 'sharp'];

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  external,
  define: { T4A_VERSION: JSON.stringify(version) },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
  legalComments: 'none',
};

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
await build({
  ...common,
  entryPoints: { cli: 'src/cli/main.ts', daemon: 'src/daemon/main.ts', client: 'src/client/index.ts' },
  outdir: 'dist',
});
const types = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.types.json'], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = types.status ?? 1;
