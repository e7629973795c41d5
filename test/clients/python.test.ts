/** The Python client: its own tests, the examples of its page, and that pip would take it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { CLI } from '../support/cli.js';
import { clientOfOwnDaemon } from '../support/launch.js';
import { itNeeds } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';

const PYTHON_CLIENT = fileURLToPath(new URL('../../clients/python/', import.meta.url));
const COMMAND = JSON.stringify([process.execPath, CLI]);

async function python(
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string>; interpreter?: string } = {},
): Promise<{ status: number; output: string }> {
  const child = spawn(options.interpreter ?? 'python3', ['-B', ...args], {
    cwd: options.cwd ?? PYTHON_CLIENT,
    env: { ...process.env, T4A_TEST_COMMAND: COMMAND, PYTHONPATH: PYTHON_CLIENT, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void (child.exitCode === null && child.kill('SIGKILL')));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number];
  return { status, output };
}

itNeeds('python3')(
  'its own tests pass',
  async () => {
    const { status, output } = await python(['-m', 'unittest', '-v', 'test_t4a']);
    expect(status, output).toBe(0);
    expect(output).toMatch(/^Ran (1[5-9]|[2-9]\d) tests/m);
  },
  120_000,
);

itNeeds('python3')('imports nothing that is not in the standard library', async () => {
  const program =
    'import sys, ast; names = {(n.module if isinstance(n, ast.ImportFrom) else n.names[0].name).split(".")[0] for n in ast.walk(ast.parse(open("t4a/__init__.py").read())) if isinstance(n, (ast.Import, ast.ImportFrom))}; print(sorted(names - sys.stdlib_module_names))';
  expect(await python(['-c', program])).toEqual({ status: 0, output: '[]\n' });
});

itNeeds('python3', 'make')('the examples of its page do what they show', async () => {
  const page = readFileSync(path.join(PYTHON_CLIENT, 'README.md'), 'utf8');
  const examples = [...page.matchAll(/```python\n(.*?)```/gs)].map(([, code]) => code ?? '');
  expect(examples).toHaveLength(2);
  const client = await clientOfOwnDaemon();
  const dir = tempDir();
  for (const example of examples) {
    const { status, output } = await python(['-c', example], {
      cwd: dir.path,
      env: { T4A_SOCKET: client.socketPath },
    });
    expect(status, output).toBe(0);
  }
  expect(readFileSync(dir.join('repl.png')).subarray(1, 4).toString()).toBe('PNG');
  expect((await client.call('list')).terminals).toEqual([]);
});

itNeeds('python3')('packs itself for pip without a build tool, in the version of the package', async () => {
  const dir = tempDir();
  const { status, output } = await python([
    '-c',
    `import build_backend; print(build_backend.build_wheel(${JSON.stringify(dir.path)}))`,
  ]);
  const { version } = JSON.parse(readFileSync(path.join(PYTHON_CLIENT, '../../package.json'), 'utf8')) as {
    version: string;
  };
  expect({ status, output }).toEqual({ status: 0, output: `t4a-${version}-py3-none-any.whl\n` });
  const wheel = dir.join(output.trim());
  const imported = await python(['-c', 'import t4a; print(t4a.__file__)'], {
    cwd: dir.path,
    env: { PYTHONPATH: wheel },
  });
  expect(imported).toEqual({ status: 0, output: `${wheel}/t4a/__init__.py\n` });
});

itNeeds('python3', 'pip3')('is installed by pip from its directory, without a download', async () => {
  const dir = tempDir();
  // Itself, not a version manager's stand-in, which acts on what pip does.
  const interpreter = (await python(['-c', 'import sys; print(sys.executable)'])).output.trim();
  for (const [how, target] of [
    [[], 'installed'],
    [['--editable'], 'linked'],
  ] as const) {
    const args = ['--no-index', '--disable-pip-version-check', '--quiet', '--target', dir.join(target)];
    const { status, output } = await python(['-m', 'pip', 'install', ...args, ...how, PYTHON_CLIENT], {
      env: { PIP_ROOT_USER_ACTION: 'ignore' },
      interpreter,
    });
    expect(status, output).toBe(0);
  }
  const imported = await python(['-c', 'import t4a; print(t4a.__file__)'], {
    cwd: dir.path,
    env: { PYTHONPATH: dir.join('installed') },
  });
  expect(imported).toEqual({ status: 0, output: `${dir.join('installed')}/t4a/__init__.py\n` });
  const plugin = `import importlib.metadata as m; print([(e.group, e.value) for e in m.distribution("t4a").entry_points])`;
  expect(await python(['-c', plugin], { cwd: dir.path, env: { PYTHONPATH: dir.join('installed') } })).toEqual({
    status: 0,
    output: "[('pytest11', 't4a.pytest_plugin')]\n",
  });
  const site = `import site; site.addsitedir(${JSON.stringify(dir.join('linked'))}); import t4a; print(t4a.__file__)`;
  const linked = await python(['-c', site], { cwd: dir.path, env: { PYTHONPATH: '' } });
  expect(linked).toEqual({ status: 0, output: `${PYTHON_CLIENT}t4a/__init__.py\n` });
});
