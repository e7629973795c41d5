/** The published library as its users load it: as a module and with require, typed as both. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { consumer, ROOT, type Consumer } from '../support/consumer.js';
import { endDaemonAt } from '../support/end-daemon.js';

function project(): Consumer {
  const own = consumer();
  onTestFinished(() => endDaemonAt(own.socketPath));
  return own;
}

const USE = `
  const terminal = await launch({ command: 'echo from t4a; cat' });
  await terminal.waitForText('from t4a');
  const { png, text } = await terminal.observe();
  console.log(png.length > 100, text.split('\\n')[0], toolSchemas('mcp').length > 5);
  await terminal.close();
`;

test('as an ES module', async () => {
  const own = project();
  await own.add('use.js', `import { launch } from 't4a'; import { toolSchemas } from 't4a/tools'; ${USE}`);
  expect(await own.run(process.execPath, ['use.js'])).toEqual({ status: 0, output: 'true from t4a true\n' });
});

test('with require', async () => {
  const own = project();
  const code = `const { launch } = require('t4a'); const { toolSchemas } = require('t4a/tools'); (async () => {${USE}})();`;
  writeFileSync(own.join('use.cjs'), code);
  expect(await own.run(process.execPath, ['use.cjs'])).toEqual({ status: 0, output: 'true from t4a true\n' });
});

test('every file that the exports name exists, types and code', () => {
  const { exports } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { exports: object };
  const files = [...JSON.stringify(exports).matchAll(/"(\.\/[^"]+\.[a-z]+)"/g)].map(([, file]) => file ?? '');
  const targets = files.filter((file) => file.startsWith('./dist/') || file.startsWith('./docs/'));
  expect(targets.length).toBeGreaterThan(8);
  expect(targets.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
});

test('the dependencies are exactly the packages that built files load and types name', async () => {
  const own = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as Record<string, object>;
  const dist = path.join(ROOT, 'dist');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((name) => path.join(dist, name));
  const code = files.filter((file) => /\.c?js$/.test(file));
  const entryPoints = Object.fromEntries(code.map((file) => [path.basename(file).replace('.', '-'), file]));
  const outdir = path.join(dist, 'never');
  const { metafile } = await build({
    entryPoints,
    outdir,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const loaded = Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external === true),
  );
  const read = (pattern: RegExp, of: readonly string[]): string[] =>
    of.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name]) => name ?? ''));
  const required = read(/(?:createRequire\d*\)?\([^()]*\)|\brequire\d+)\(["']([^"']+)["']\)/g, code);
  // What runs as a function has `require` as a parameter.
  const ofFunctions = read(
    /\brequire\(["']([^"']+)["']\)/g,
    code.filter((file) => file.endsWith('-program.cjs')),
  );
  const named = read(
    /from '([^.'][^']*)'/g,
    files.filter((file) => file.endsWith('.d.ts')),
  );
  const packages = new Set(
    [...loaded.map((one) => one.path), ...required, ...ofFunctions, ...named]
      // Besides packages, what the bundler itself brings.
      .filter((name) => !isBuiltin(name) && name !== '<runtime>')
      .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')),
  );
  const depended = ['dependencies', 'optionalDependencies', 'peerDependencies'].flatMap((kind) =>
    Object.keys(own[kind] ?? {}),
  );
  expect([...packages].toSorted()).toEqual(depended.toSorted());
});

test('typed, as an ES module and as CommonJS', () => {
  const own = project();
  const source = `import { launch, type Terminal } from 't4a';
import { callTool } from 't4a/tools';
export async function use(): Promise<string> {
  const terminal: Terminal = await launch({ command: 'htop', cols: 100 });
  await terminal.press('F5', { gap_ms: 10 });
  const { cursor } = await terminal.observe();
  const { total } = await terminal.call('grep', { pattern: 'x' });
  const result = await callTool(terminal.client, 'text', { id: terminal.id });
  // @ts-expect-error: no such field
  await terminal.text({ strat: 1 });
  // @ts-expect-error: keys are texts
  await terminal.press(7);
  return String(cursor.row + total) + String(result.isError);
}
`;
  // One compiler for both: it takes longer to start than to check them.
  const files = ['use.mts', 'use.cts'];
  for (const name of files) writeFileSync(own.join(name), source);
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [path.join(ROOT, 'node_modules/@types')],
    skipLibCheck: false,
    lib: ['es2023', 'esnext.disposable', 'dom'],
  };
  writeFileSync(own.join('tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', own.path, '--singleThreaded'], {
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});
