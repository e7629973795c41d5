// `npm run mutants -- --claims [--only TEXT] [--third --seed N] [--from ROW]`: breaks the code behind claims of docs/security.md by the
// changes of claims-table.mjs, one at a time in a copy, and runs the test that the claim names alone. A test that passes all the
// same does not show its claim. `--third` takes a third of the claims, by seed, and names those that have no change yet.
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CLAIMS } from './claims-table.mjs';
import { random } from './random.mjs';
import { makeSandbox } from './sandbox.mjs';

const SILENCE_MS = 240_000;
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--configLoader=runner', '--reporter=verbose', '--no-color'];
/** Failures that a busy machine makes, too. */
const IS_LATE = /timed out|in time\b|timeout/i;

/** Claims of the page, each with the file and the name of its test; `row` counts from 1. */
export function claimsOf(text) {
  const rows = [...text.matchAll(/^\| (.+?) \| .+ \| `([^`]+)`: (.+) \|$/gm)];
  return rows.map(([, claim, file, name], at) => ({ row: at + 1, claim, file, name }));
}

/** @returns the changed text of the file; throws if there is not exactly one place for the change */
export function changedText({ file, before, after }, text) {
  const parts = text.split(before);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} places for: ${before}`);
  return parts.join(after);
}

export async function tryClaims(root, { only, third, seed, from }) {
  const claims = claimsOf(readFileSync(path.join(root, 'docs/security.md'), 'utf8')).map((one) => ({
    ...one,
    changes: CLAIMS.filter(({ claim }) => one.claim.startsWith(claim)),
  }));
  const drawn = third ? drawnThird(claims, Number(seed)) : claims.filter(({ changes }) => changes.length > 0);
  if (third) console.log(`seed ${seed}, rows ${drawn.map(({ row }) => row).join(' ')}`);
  const chosen = drawn.filter(
    ({ row, claim }) => row >= Number(from) && (only?.some((text) => claim.includes(text)) ?? true),
  );
  const sandbox = makeSandbox(root);
  const survivors = [];
  let tried = 0;
  for (const claim of chosen) {
    if (claim.changes.length === 0) console.log(`${claim.row}. ${claim.claim}\n   has no change`);
    for (const change of claim.changes) {
      const startMs = performance.now();
      const verdict = await judge(root, sandbox, claim, change);
      const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
      const said = `${claim.row}. ${claim.claim}\n   ${change.file}: ${verdict} (${seconds} s)`;
      console.log(said);
      tried++;
      if (!verdict.startsWith('found')) survivors.push(said);
    }
  }
  const without = chosen.filter(({ changes }) => changes.length === 0).length;
  console.log(`\n${tried} changes tried, ${survivors.length} not found; ${without} claims have no change`);
  for (const said of survivors) console.log(said);
  return survivors.length === 0;
}

/** What is tried at every run without `--third` is drawn, too: a seed names the same rows as long as the page has as many. */
function drawnThird(claims, seed) {
  const [next, left] = [random(seed), [...claims]];
  const drawn = Array.from({ length: Math.ceil(left.length / 3) }, () =>
    left.splice(Math.floor(next() * left.length), 1),
  );
  return drawn.flat().toSorted((a, b) => a.row - b.row);
}

async function judge(root, sandbox, claim, change) {
  const place = path.join(sandbox.copy, change.file);
  const original = readFileSync(place, 'utf8');
  writeFileSync(place, changedText(change, original));
  if (!usesBuild(root, claim.file)) utimesSync(place, new Date(0), new Date(0));
  let changed;
  try {
    changed = await runTest(sandbox, claim);
    // What the suite leaves to a trial.
    if (!hasRun(changed)) changed = await runTest(sandbox, claim, true);
  } finally {
    writeFileSync(place, original);
  }
  if (changed.status === 'hung') return 'found: nothing ends any more';
  if (/the build failed/.test(changed.said)) return `NOT BUILT: ${/error.*/i.exec(changed.said)?.[0]}`;
  if (!hasRun(changed)) return 'NOT RUN: no test has that name here';
  if (changed.status === 0) return 'SURVIVED';
  const why = /^\s*((?:\w*Error|Caused by)\b.*)$/m.exec(changed.said)?.[1] ?? '';
  if (!IS_LATE.test(changed.said)) return `found: ${why}`;
  return (await runTest(sandbox, claim)).status === 0 ? `found, late: ${why}` : 'FAILS UNCHANGED';
}

function hasRun({ status, said }) {
  return status === 'hung' || /^\s*(Tests .*(passed|failed)|Ran [1-9]|Error: the build failed)/m.test(said);
}

function runTest(sandbox, { file, name }, isTrial = false) {
  if (file.endsWith('.py')) {
    const ran = ['-m', 'unittest', '-v', '-k', name, path.basename(file, '.py')];
    const inFolder = 'node scripts/build.mjs && cd "$0" && exec python3 "$@"';
    return sandbox.run(['sh', '-c', inFolder, path.dirname(file), ...ran], SILENCE_MS);
  }
  const env = ['env', `T4A_TEST_TRIAL=${isTrial ? 1 : ''}`];
  const named = ['--maxWorkers=1', `--testNamePattern=${pattern(name)}`, file];
  return sandbox.run([...env, process.execPath, ...VITEST, ...named], SILENCE_MS);
}

/** Whether a test, or what it imports of the tests, names what is built. */
function usesBuild(root, file, seen = new Set()) {
  const place = path.join(root, file);
  if (seen.has(file) || !existsSync(place)) return false;
  seen.add(file);
  const text = readFileSync(place, 'utf8');
  const imported = [...text.matchAll(/from '(\.[^']+)\.js'/g)].map(([, to]) =>
    path.join(path.dirname(file), `${to}.ts`),
  );
  return file.endsWith('.py') || /\bdist\//.test(text) || imported.some((one) => usesBuild(root, one, seen));
}

/** Names of the page are those of the source: what a table fills in may be anything. */
function pattern(name) {
  return name.replaceAll(/[.*+?^()|[\]\\]/g, '\\$&').replaceAll(/\$\{[^}]*\}|%[sdijo#]/g, '.*');
}
