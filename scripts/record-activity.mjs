// Records the fixtures of the profile "generic" from the real programs: each runs in a terminal of its own, in a fresh directory,
// and what it prints becomes test/activity/fixtures/NAME.out. Programs that are absent are left out. `node scripts/record-activity.mjs
// [NAME...]`, after a build.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const fixtures = join(root, 'test/activity/fixtures');
/** Always the same, since programs print it. */
const directory = '/tmp/t4a-fixture';
const node = process.execPath;

const C = '#include <stdio.h>\nint main(void) {\n  int unused;\n  printf("%d\\n", missing);\n  return "no";\n}\n';
const TESTS_PY =
  'def test_one():\n    assert 1 + 1 == 2\n\ndef test_two():\n    assert "a" == "b"\n\ndef test_three():\n    pass\n';
const UNITTEST_PY =
  'import unittest\n\nclass Sums(unittest.TestCase):\n    def test_right(self):\n        self.assertEqual(1, 1)\n    def test_wrong(self):\n        self.assertEqual(1, 2)\n\nunittest.main()\n';
const TRACE_PY =
  'import json\n\ndef load(text):\n    return json.loads(text)["name"]\n\ntry:\n    load("{}")\nexcept KeyError as error:\n    raise ValueError("no name") from error\n';
const VITEST =
  "import { expect, test } from 'vitest';\ntest('adds', () => expect(1 + 1).toBe(2));\ntest('subtracts', () => expect(2 - 1).toBe(0));\ntest.skip('later', () => {});\n";
const NODE_TEST =
  "import test from 'node:test';\nimport assert from 'node:assert';\ntest('adds', () => assert.equal(1 + 1, 2));\ntest('subtracts', () => assert.equal(2 - 1, 0));\n";
const TS =
  "const one: number = 'one';\nexport function two(x: string): number {\n  return x;\n}\nthree();\nconsole.log(one);\n";
const RUST = 'fn main() {\n    let x: i32 = "no";\n    let y = 1;\n}\n';
const RUST_PANIC =
  'fn main() {\n    let empty: Vec<i32> = Vec::new();\n    let at = std::env::args().count() + 4;\n    println!("{}", empty[at]);\n}\n';
const CARGO_TEST = '#[test]\nfn adds() { assert_eq!(1 + 1, 2); }\n#[test]\nfn subtracts() { assert_eq!(2 - 1, 0); }\n';

/** `needs` is on the PATH; `typed` is typed once the program asks. */
const CASES = {
  gcc: { needs: 'gcc', files: { 'a.c': C }, argv: ['gcc', '-Wall', '-c', 'a.c'] },
  'gcc-assert': {
    needs: 'gcc',
    files: { 'a.c': '#include <assert.h>\nint main(void) { assert(1 == 2); }\n' },
    argv: ['sh', '-c', 'gcc a.c && ./a.out'],
  },
  tsc: {
    files: { 'a.ts': TS },
    argv: [node, 'node_modules/typescript/bin/tsc', '--strict', '--noEmit', '--pretty', 'false', 'a.ts'],
  },
  'tsc-pretty': {
    files: { 'a.ts': TS },
    argv: [node, 'node_modules/typescript/bin/tsc', '--strict', '--noEmit', '--pretty', 'a.ts'],
  },
  'python-traceback': { needs: 'python3', files: { 'a.py': TRACE_PY }, argv: ['python3', 'a.py'] },
  'python-syntax': { needs: 'python3', files: { 'a.py': 'def f(:\n    pass\n' }, argv: ['python3', 'a.py'] },
  pytest: {
    needs: 'pytest',
    files: { 'test_a.py': TESTS_PY },
    argv: ['pytest', '-p', 'no:cacheprovider', 'test_a.py'],
  },
  unittest: { needs: 'python3', files: { 'a.py': UNITTEST_PY }, argv: ['python3', 'a.py'] },
  vitest: {
    files: { 'a.test.mjs': VITEST, 'package.json': '{"type":"module"}' },
    argv: [node, 'node_modules/vitest/vitest.mjs', 'run', 'a.test.mjs'],
  },
  'node-test': { files: { 'a.test.mjs': NODE_TEST }, argv: [node, '--test', '--test-reporter=tap', 'a.test.mjs'] },
  'node-test-spec': {
    files: { 'a.test.mjs': NODE_TEST },
    argv: [node, '--test', '--test-reporter=spec', 'a.test.mjs'],
  },
  'node-error': { files: { 'a.mjs': 'function f() {\n  return null.name;\n}\nf();\n' }, argv: [node, 'a.mjs'] },
  rustc: { needs: 'rustc', files: { 'a.rs': RUST }, argv: ['rustc', 'a.rs'] },
  'rust-panic': { needs: 'rustc', files: { 'a.rs': RUST_PANIC }, argv: ['sh', '-c', 'rustc a.rs && ./a'] },
  'cargo-test': {
    needs: 'cargo',
    files: {
      'Cargo.toml': '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': CARGO_TEST,
    },
    argv: ['cargo', 'test', '--offline'],
  },
  'http-server': {
    needs: 'python3',
    files: {},
    argv: ['timeout', '-s', 'INT', '1', 'python3', '-u', '-m', 'http.server', '8123', '--bind', '127.0.0.1'],
  },
  'yes-no': {
    files: { 'a.txt': 'x', 'b.txt': 'y' },
    argv: ['sh', '-c', 'printf "Overwrite a.txt? [y/N] "; read answer; echo "kept"; exec cat'],
    typed: { after: '[y/N]', keys: 'n' },
  },
  apt: {
    needs: 'bash',
    files: {},
    argv: ['bash', '-c', 'read -r -p "Do you want to continue? [Y/n] " answer; echo "Abort."'],
    typed: { after: '[Y/n]', keys: 'n' },
  },
};

/** Not the configuration of whoever records. */
const environment = {
  ...process.env,
  XDG_CONFIG_HOME: directory,
  HOME: directory,
  // Else its proxies have no toolchain.
  RUSTUP_HOME: join(homedir(), '.rustup'),
  CI: '',
  NO_COLOR: undefined,
  FORCE_COLOR: undefined,
};

const wanted = process.argv.slice(2);
const socket = join('/tmp', `t4a-record-${process.pid}.s`);

function t4a(...args) {
  const { status, stdout, stderr } = spawnSync(node, [join(root, 'dist/cli.cjs'), '--socket', socket, ...args], {
    cwd: directory,
    env: environment,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === null || status >= 125) throw new Error(`t4a ${args.join(' ')}: ${stderr.toString()}`);
  return stdout;
}

function isThere(program) {
  return program === undefined || spawnSync(program, ['--version'], { env: environment }).status === 0;
}

for (const [name, { needs, files, argv, typed }] of Object.entries(CASES)) {
  if ((wanted.length > 0 && !wanted.includes(name)) || !isThere(needs)) continue;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(join(directory, 'src'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, file), text);
  t4a('create', '--name', name, '--cols', '100', '--rows', '30', '--', ...argv);
  if (typed !== undefined) {
    t4a('wait', name, '--text', typed.after, '--timeout', '10s');
    t4a('type', name, typed.keys, '--submit');
    t4a('wait', name, '--regex', 'kept|Abort', '--timeout', '10s');
    t4a('press', name, 'ctrl+d');
  }
  t4a('wait', name, '--exit', '--no-status', '--timeout', '120s');
  writeFileSync(join(fixtures, `${name}.out`), t4a('output', name));
  t4a('kill', name);
  process.stdout.write(`${name}\n`);
}
t4a('shutdown');
rmSync(directory, { recursive: true, force: true });
if (!existsSync(fixtures) || readdirSync(fixtures).length === 0) process.exitCode = 1;
