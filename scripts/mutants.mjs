// `npm run mutants -- [--sample 60] [--seed N] [--in src/events] [--near] [--at-least 0.9]`: makes small changes in the source,
// one at a time in a copy, and tells which of them no test finds; `--near` asks only the tests
// that import the changed file, or come nearest to it: what they leave, others may still find. `--from 31` goes on with a run
// that broke off; each `--only take-look.ts:40` tries the changes whose printed line has that text, in the sample or not.
// `--claims` tries the changes of mutants/claims-table.mjs, which make claims of docs/security.md false.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { tryClaims } from './mutants/claims.mjs';
import { openCompiler } from './mutants/compiler.mjs';
import { random } from './mutants/random.mjs';
import { makeSandbox } from './mutants/sandbox.mjs';
import { mutationSites } from './mutants/sites.mjs';
import { testSelection, typeScriptFiles } from './mutants/tests.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    in: { type: 'string', default: 'src' },
    near: { type: 'boolean', default: false },
    from: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true },
    'at-least': { type: 'string', default: '0' },
    claims: { type: 'boolean', default: false },
    third: { type: 'boolean', default: false },
  },
});
if (values.claims) process.exit((await tryClaims(root, values)) ? 0 : 1);
/** No test is silent for so long; a change that makes a loop endless is. */
const SILENCE_MS = 90_000;
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--configLoader=runner', '--reporter=verbose', '--no-color'];
const VERDICT = {
  survived: 'SURVIVED',
  hung: 'found: nothing ends any more',
  crashed: 'found: the process of the tests ends',
};
/** Failures that a busy machine makes, too. */
const IS_LATE = /timed out|in time\b|timeout/i;

console.log(`mutants: --sample ${values.sample} --seed ${values.seed} --in ${values.in}`);
const compiler = openCompiler(root);
const mutants =
  values.only === undefined ? sampled(Number(values.sample), random(Number(values.seed))) : named(values.only);
compiler.close();
const before = values.only === undefined ? Number(values.from) - 1 : 0;
const { groupsFor, importsDirectly } = testSelection(root);
const sandbox = makeSandbox(root);
/** Of test files that found something: whether they pass unchanged. */
const soundness = new Map();
const survivors = [];
for (const [index, mutant] of mutants.entries()) {
  if (index < before) continue;
  const startMs = performance.now();
  const verdict = await judge(mutant);
  if (verdict === VERDICT.survived) survivors.push(mutant);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
  console.log(`${index + 1}. ${shown(mutant)}\n   ${verdict} (${seconds} s)`);
}
const tried = Math.max(0, mutants.length - before);
const score = tried === 0 ? 0 : 1 - survivors.length / tried;
console.log(`\n${survivors.length} of ${tried} survived; score ${score.toFixed(2)}`);
for (const mutant of survivors) console.log(`${VERDICT.survived}  ${shown(mutant)}`);
process.exitCode = score < Number(values['at-least']) ? 1 : 0;

/** As many of each kind as of another; none that the compiler finds. */
function sampled(count, next) {
  const kinds = new Map();
  for (const site of allSites()) kinds.set(site.kind, [...(kinds.get(site.kind) ?? []), site]);
  const left = [...kinds.values()];
  const sample = [];
  while (sample.length < count && left.length > 0) {
    const at = Math.floor(next() * left.length);
    const [site] = left[at].splice(Math.floor(next() * left[at].length), 1);
    sample.push(...compilable(site));
    if (left[at].length === 0) left.splice(at, 1);
  }
  return sample;
}

function named(texts) {
  return allSites()
    .filter((site) => texts.some((text) => shown(site).includes(text)))
    .flatMap(compilable);
}

/** @returns the mutant with its texts; none if the compiler finds it */
function compilable(site) {
  const texts = textsOf(site);
  return compiler.compiles(site.file, texts.changed) ? [{ ...site, ...texts }] : [];
}

function allSites() {
  const files = typeScriptFiles(root, 'src').filter((file) => file.startsWith(values.in));
  return files.flatMap((file) => {
    const sourceFile = compiler.sourceFile(file);
    if (/Generated (from|by)/.test(sourceFile.text.slice(0, 200))) return [];
    const lineOf = ({ start }) => sourceFile.getLineAndCharacterOfPosition(start).line + 1;
    return mutationSites(sourceFile).map((site) => ({ ...site, file, line: lineOf(site) }));
  });
}

/** Both are kept: the tree may change before the change is tried. */
function textsOf({ file, start, end, after }) {
  const original = readFileSync(path.join(root, file), 'utf8');
  return { original, changed: original.slice(0, start) + after + original.slice(end) };
}

async function judge(mutant) {
  for (const group of groupsFor(mutant.file, { nearOnly: values.near })) {
    const finder = await soundFinder(mutant, group);
    if (finder !== undefined) return finder.verdict;
  }
  return VERDICT.survived;
}

/**
 * What fails with the change, and not without it: a busy machine may fail anything once. What looks like a matter of time must
 * pass unchanged now, and fail again.
 */
async function soundFinder(mutant, group) {
  const finder = await withMutant(mutant, () => firstFailure(group));
  if (finder === undefined) return undefined;
  const files = finder.file === undefined ? group : [finder.file];
  if (!(await areSound(files, { now: finder.isLate }))) return soundFinder(mutant, group);
  if (!finder.isLate && importsDirectly(finder.file, mutant.file)) return finder;
  if ((await withMutant(mutant, () => firstFailure(files))) !== undefined) return finder;
  return soundFinder(
    mutant,
    group.filter((file) => !files.includes(file)),
  );
}

async function withMutant(mutant, run) {
  const place = path.join(sandbox.copy, mutant.file);
  writeFileSync(place, mutant.changed);
  try {
    return await run();
  } finally {
    writeFileSync(place, mutant.original);
  }
}

async function firstFailure(group) {
  const files = group.filter((file) => soundness.get(file) !== false);
  if (files.length === 0) return undefined;
  const { status, said } = await runTests(files, '--bail=1');
  if (status === 'hung') return { verdict: VERDICT.hung, isLate: true };
  if (status === 0) return undefined;
  const failure = /^\s*FAIL\s+(.+)$/m.exec(said)?.[1];
  // A worker that exits, or a signal that the change sends to its own process group: nothing is named, all of the group is asked.
  if (failure === undefined) return { verdict: VERDICT.crashed, isLate: true };
  return { verdict: `found by ${failure}`, file: /\S+\.test\.ts/.exec(failure)?.[0], isLate: IS_LATE.test(said) };
}

/** Those that fail unchanged are left out from then on. @param now what was found earlier does not count */
async function areSound(files, { now }) {
  for (const file of files) {
    if (!now && soundness.has(file)) continue;
    soundness.set(file, (await runTests([file])).status === 0);
    if (!soundness.get(file)) console.log(`   left out, since it fails unchanged: ${file}`);
  }
  return files.every((file) => soundness.get(file));
}

function runTests(files, ...flags) {
  return sandbox.run([process.execPath, ...VITEST, ...flags, ...files], SILENCE_MS);
}

function shown({ file, line, kind, before, after }) {
  const short = (code) => code.replaceAll(/\s+/g, ' ').slice(0, 70);
  return `${file}:${line} ${kind}: ${short(before)} -> ${short(after)}`;
}
