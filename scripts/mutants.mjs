// `npm run mutants -- [--sample 60] [--seed N] [--in src/events] [--near] [--at-least 0.9]`: makes small changes in the source,
// one at a time in a copy, and tells which of them no test finds; `--near` asks only the tests
// that import the changed file, or come nearest to it: what they leave, others may still find.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openCompiler } from './mutants/compiler.mjs';
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
    'at-least': { type: 'string', default: '0' },
  },
});
/** No test is silent for so long; a change that makes a loop endless is. */
const SILENCE_MS = 90_000;
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--configLoader=runner', '--reporter=verbose', '--no-color'];
const VERDICT = {
  survived: 'SURVIVED',
  hung: 'found: nothing ends any more',
  crashed: 'found: the process of the tests ends',
};

console.log(`mutants: --sample ${values.sample} --seed ${values.seed} --in ${values.in}`);
const mutants = chosen(Number(values.sample), random(Number(values.seed)));
const { groupsFor, importsDirectly } = testSelection(root);
const sandbox = makeSandbox(root);
/** Of test files that found something: whether they pass unchanged. */
const soundness = new Map();
const survivors = [];
for (const [index, mutant] of mutants.entries()) {
  const startMs = performance.now();
  const verdict = await judge(mutant);
  if (verdict === VERDICT.survived) survivors.push(mutant);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
  console.log(`${index + 1}. ${shown(mutant)}\n   ${verdict} (${seconds} s)`);
}
const score = 1 - survivors.length / mutants.length;
console.log(`\n${survivors.length} of ${mutants.length} survived; score ${score.toFixed(2)}`);
for (const mutant of survivors) console.log(`${VERDICT.survived}  ${shown(mutant)}`);
process.exitCode = score < Number(values['at-least']) ? 1 : 0;

/** As many of each kind as of another; none that the compiler finds. */
function chosen(count, next) {
  const compiler = openCompiler(root);
  const kinds = new Map();
  for (const site of allSites(compiler)) kinds.set(site.kind, [...(kinds.get(site.kind) ?? []), site]);
  const left = [...kinds.values()];
  const sample = [];
  while (sample.length < count && left.length > 0) {
    const at = Math.floor(next() * left.length);
    const [mutant] = left[at].splice(Math.floor(next() * left[at].length), 1);
    const texts = textsOf(mutant);
    if (compiler.compiles(mutant.file, texts.changed)) sample.push({ ...mutant, ...texts });
    if (left[at].length === 0) left.splice(at, 1);
  }
  compiler.close();
  return sample;
}

function allSites(compiler) {
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

/** What fails with the change, and not without it: a busy machine may fail anything once. */
async function soundFinder(mutant, group) {
  for (;;) {
    const finder = await withMutant(mutant, () => firstFailure(group));
    if (finder?.file === undefined) return finder;
    if (!(await isSound(finder.file))) continue;
    if (importsDirectly(finder.file, mutant.file)) return finder;
    if ((await withMutant(mutant, () => firstFailure([finder.file]))) !== undefined) return finder;
    const others = group.filter((file) => file !== finder.file);
    return soundFinder(mutant, others);
  }
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

/** @param hasCrashed a process of the tests has ended already: twice is no chance */
async function firstFailure(group, hasCrashed = false) {
  const files = group.filter((file) => soundness.get(file) !== false);
  if (files.length === 0) return undefined;
  const { status, said } = await runTests(files, '--bail=1');
  if (status === 'hung') return { verdict: VERDICT.hung };
  if (status === 0) return undefined;
  const failure = /^\s*FAIL\s+(.+)$/m.exec(said)?.[1];
  if (failure === undefined && said.includes('Worker exited unexpectedly')) {
    return hasCrashed ? { verdict: VERDICT.crashed } : firstFailure(group, true);
  }
  if (failure === undefined) throw new Error(`the tests do not run:\n${said.slice(-4000)}`);
  return { verdict: `found by ${failure}`, file: /\S+\.test\.ts/.exec(failure)?.[0] };
}

async function isSound(file) {
  if (!soundness.has(file)) {
    soundness.set(file, (await runTests([file])).status === 0);
    if (!soundness.get(file)) console.log(`   left out, since it fails unchanged: ${file}`);
  }
  return soundness.get(file);
}

function runTests(files, ...flags) {
  return sandbox.run([process.execPath, ...VITEST, ...flags, ...files], SILENCE_MS);
}

function shown({ file, line, kind, before, after }) {
  const short = (code) => code.replaceAll(/\s+/g, ' ').slice(0, 70);
  return `${file}:${line} ${kind}: ${short(before)} -> ${short(after)}`;
}

/** mulberry32: the same numbers for the same seed. */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
