// `npm run bench [-- name…]`: every figure is a ratio or a bound within one run; the machine is named first.
import { build } from 'esbuild';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const wanted = process.argv.slice(2);
const names = readdirSync(here)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace('.bench.ts', ''))
  .filter((name) => wanted.length === 0 || wanted.includes(name));

const cpu = os.cpus()[0]?.model ?? 'unknown processor';
console.log(`${os.cpus().length} x ${cpu}, ${os.platform()} ${os.arch()}, Node ${process.version}`);

// Where it is set, Node reads some 150 certificates before it starts: a start of t4a would look cheap beside that.
delete process.env.NODE_EXTRA_CA_CERTS;

// Beside the sources, so that packages outside of the bundles are found.
const out = mkdtempSync(path.join(here, '.run-'));
try {
  await build({
    entryPoints: names.map((name) => path.join(here, `${name}.bench.ts`)),
    outdir: out,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['node-pty', '@napi-rs/canvas', 'sharp', 'esbuild'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  let missed = 0;
  for (const name of names) {
    console.log(`\n## ${name}`);
    const { bench } = await import(pathToFileURL(path.join(out, `${name}.bench.mjs`)).href);
    for (const row of await bench({ root: path.dirname(here) })) {
      const verdict = row.limit === undefined ? '' : row.value <= row.limit ? 'ok  ' : 'MISS';
      if (verdict === 'MISS') missed++;
      const limit = row.limit === undefined ? '' : ` (at most ${row.limit})`;
      console.log(
        `${verdict.padEnd(5)}${row.name}: ${round(row.value)}${row.unit ?? ''}${limit}${row.note ? `  ${row.note}` : ''}`,
      );
    }
  }
  console.log(missed === 0 ? '\nevery figure is within its bound' : `\n${missed} figures are outside of their bounds`);
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}

function round(value) {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
