// `npm run bench [-- name…] [--against DIR] [--rounds 2]`: every figure is a ratio or a bound within one run; the machine is
// named first. DIR is another tree with its build: its own benches of the same names run in turns with these.
import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { against: { type: 'string' }, rounds: { type: 'string', default: '2' } },
});
const rounds = Number(options.rounds);
if (!Number.isInteger(rounds) || rounds < 1) fail(`--rounds is "${options.rounds}": expected a number from 1.`);

const known = benchesIn(here);
const unknown = wanted.find((name) => !known.includes(name));
if (unknown !== undefined) fail(`There is no bench "${unknown}". One of: ${known.join(', ')}.`);
const names = wanted.length === 0 ? known : wanted;
const other = options.against === undefined ? undefined : otherTree(options.against);

const cpu = os.cpus()[0]?.model ?? 'unknown processor';
console.log(`${os.cpus().length} x ${cpu}, ${os.platform()} ${os.arch()}, Node ${process.version}`);

// Where it is set, Node reads some 150 certificates before it starts: a start of t4a would look cheap beside that.
delete process.env.NODE_EXTRA_CA_CERTS;

const outputs = [];
let missed = 0;
try {
  const mine = await bundled(here, names);
  const theirs =
    other === undefined
      ? undefined
      : await bundled(
          other,
          names.filter((name) => benchesIn(other).includes(name)),
        );
  for (const name of names) {
    console.log(`\n## ${name}`);
    if (theirs?.has(name) !== true) {
      if (theirs !== undefined) console.log(`     the other tree has no bench "${name}"`);
      for (const row of await figures(mine, name)) report(row);
    } else for (const row of await compared(mine, theirs, name)) report(row);
  }
  console.log(missed === 0 ? '\nevery figure is within its bound' : `\n${missed} figures are outside of their bounds`);
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  for (const directory of outputs) rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}

function fail(message) {
  console.error(message);
  process.exit(2);
}

function benchesIn(directory) {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.bench.ts'))
    .map((file) => file.replace('.bench.ts', ''));
}

/** @returns the directory of its benches */
function otherTree(given) {
  const tree = existsSync(given) ? realpathSync(given) : fail(`--against is "${given}": there is no such directory.`);
  for (const needed of ['bench', 'dist/cli.cjs', 'node_modules']) {
    if (!existsSync(path.join(tree, needed))) fail(`--against ${given}: it has no ${needed}. Run npm ci in it.`);
  }
  return path.join(tree, 'bench');
}

/** Beside the sources, so that packages outside of the bundles are found. @returns where each bench is */
async function bundled(directory, which) {
  const out = mkdtempSync(path.join(directory, '.run-'));
  outputs.push(out);
  await build({
    entryPoints: which.map((name) => path.join(directory, `${name}.bench.ts`)),
    outdir: out,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['node-pty', '@napi-rs/canvas', 'sharp', 'esbuild', 'playwright-core'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return new Map(
    which.map((name) => [name, { file: path.join(out, `${name}.bench.mjs`), root: path.dirname(directory) }]),
  );
}

async function figures(tree, name) {
  const { file, root } = tree.get(name);
  const { bench } = await import(pathToFileURL(file).href);
  return bench({ root });
}

/** In a process of its own: what one side has loaded or compiled does not reach the other. */
async function figuresApart(tree, name) {
  const { file, root } = tree.get(name);
  // As CommonJS: with --input-type, the worker threads of a bench would refuse to load a file.
  const program =
    'import(process.argv[1]).then(({ bench }) => bench({ root: process.argv[2] })).then((rows) => process.send(rows));';
  const args = ['--eval', program, pathToFileURL(file).href, root];
  const child = spawn(process.execPath, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  let rows;
  child.once('message', (message) => {
    rows = message;
    child.disconnect();
  });
  const [status, signal] = await once(child, 'exit');
  if (rows === undefined) throw new Error(`bench ${name} of ${root} ended with ${signal ?? status}`);
  return rows;
}

/** Mine, theirs, theirs, mine, …: what the machine does in between falls upon both. */
async function compared(mine, theirs, name) {
  const runs = { mine: [], theirs: [] };
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? ['mine', 'theirs'] : ['theirs', 'mine']) {
      runs[side].push(await figuresApart(side === 'mine' ? mine : theirs, name));
    }
  }
  const valuesOf = (side, figure) =>
    runs[side].flatMap((rows) => rows.filter((row) => row.name === figure).map(({ value }) => value));
  return runs.mine[0].map((row) => {
    const own = valuesOf('mine', row.name);
    const others = valuesOf('theirs', row.name);
    const value = mean(own);
    if (others.length === 0) return { ...row, value, note: 'not in the other tree' };
    const spread = Math.max(...[own, others].map((all) => Math.max(...all) / Math.min(...all)));
    const ratio = `${round(value / mean(others))} times the other's ${round(mean(others))}${row.unit ?? ''}`;
    return { ...row, value, note: `${ratio}, runs within ${round(spread)}` };
  });
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function report({ name, value, limit, unit = '', note }) {
  const verdict = limit === undefined ? '' : value <= limit ? 'ok  ' : 'MISS';
  if (verdict === 'MISS') missed++;
  const bound = limit === undefined ? '' : ` (at most ${limit})`;
  console.log(`${verdict.padEnd(5)}${name}: ${round(value)}${unit}${bound}${note ? `  ${note}` : ''}`);
}

function round(value) {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
