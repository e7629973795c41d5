/**
 * The packed package as it is unpacked by an installer, in places and for users that are not those of the checkout. Its dependencies are
 * those of the checkout: nothing is fetched. The trial `install` has the installers themselves.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { pack } from '../bench/support/package.js';
import { ROOT } from './support/consumer.js';
import { endDaemonAt } from './support/end-daemon.js';
import { ofFile } from './support/of-file.js';
import { tempDir } from './support/temp-dir.js';
import { itAsRoot, STRANGER } from './support/users.js';

/** Of canvas and sharp for each platform, and sharp itself. */
const OPTIONAL = /^(@napi-rs\/canvas-|@img\/|sharp$)/;

const ofThisFile = ofFile((atEnd) => {
  const dir = tempDir(atEnd);
  // Other users unpack nothing, but run what lies here.
  chmodSync(dir.path, 0o755);
  return Promise.resolve(dir.join(pack(ROOT, ['--pack-destination', dir.path]).filename));
});

interface Project {
  readonly path: string;
  readonly socketPath: string;
  readonly t4a: (...args: string[]) => Promise<{ status: number | null; stdout: string; stderr: string }>;
}

async function project(
  name: string,
  { without = /^$/, as = [] }: { without?: RegExp; as?: readonly string[] } = {},
): Promise<Project> {
  const tarball = await ofThisFile();
  const dir = tempDir();
  chmodSync(dir.path, 0o755);
  const own = dir.join(name);
  const modules = path.join(own, 'node_modules');
  mkdirSync(path.join(modules, 't4a'), { recursive: true });
  execFileSync('tar', ['xzf', tarball, '-C', path.join(modules, 't4a'), '--strip-components=1', '--no-same-owner']);
  const from = path.join(ROOT, 'node_modules');
  const scoped = ['@napi-rs', '@img'].flatMap((scope) =>
    readdirSync(path.join(from, scope)).map((each) => `${scope}/${each}`),
  );
  for (const each of ['zod', 'sharp', 'semver', 'detect-libc', ...scoped]) {
    if (without.test(each) || !existsSync(path.join(from, each))) continue;
    mkdirSync(path.dirname(path.join(modules, each)), { recursive: true });
    // By a link it would find its builds in the checkout.
    if (each === '@napi-rs/canvas') cpSync(path.join(from, each), path.join(modules, each), { recursive: true });
    else symlinkSync(path.join(from, each), path.join(modules, each));
  }
  const socketPath = path.join(own, 'a s');
  // Before the directory is removed.
  onTestFinished(() => endDaemonAt(socketPath));
  return {
    path: own,
    socketPath,
    t4a: async (...args) => {
      const [program = '', ...rest] = [...as, process.execPath, path.join(modules, 't4a/dist/cli.cjs'), ...args];
      const env = { ...process.env, T4A_SOCKET: socketPath, HOME: own, XDG_CACHE_HOME: path.join(own, 'cache') };
      const child = spawn(program, rest, { cwd: own, env, stdio: ['ignore', 'pipe', 'pipe'] });
      onTestFinished(() => void (child.exitCode === null && child.kill('SIGKILL')));
      const ended = once(child, 'close') as Promise<[number | null]>;
      const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
      return { status, stdout, stderr };
    },
  };
}

async function drawsHello({ path: own, t4a }: Project): Promise<void> {
  const picture = path.join(own, 'a picture.png');
  expect(await t4a('run', '--screenshot', picture, '--', 'echo', 'hel  lo')).toMatchObject({
    status: 0,
    stdout: 'hel  lo\n',
  });
  expect(readFileSync(picture).toString('latin1', 1, 4)).toBe('PNG');
  const { status, stdout } = await t4a('doctor');
  expect(status, stdout).toBe(0);
}

test('the packed package works in a path with blanks, with a socket and a picture that have some', async () => {
  await drawsHello(await project("it's a project of 100 %"));
});

test('without optional packages all but PNG, WebP and JPEG works, and the error names the way to them', async () => {
  const { path: own, t4a } = await project('bare', { without: OPTIONAL });
  expect(await t4a('run', '--', 'echo', 'hello')).toEqual({ status: 0, stdout: 'hello\n', stderr: '' });
  await t4a('create', '--name', 'a', '--', 'sh', '-c', 'echo shown; cat');
  expect(await t4a('wait', 'a', '--text', 'shown')).toMatchObject({ status: 0 });
  for (const format of ['png', 'webp', 'jpeg']) {
    const { status, stderr } = await t4a('screenshot', 'a', '--format', format, '-o', `a.${format}`);
    expect(status).toBe(1);
    expect(stderr).toContain('needs the package @napi-rs/canvas');
    expect(stderr).toContain('npm install --include=optional');
  }
  expect(await t4a('screenshot', 'a', '--format', 'svg', '-o', 'a.svg')).toMatchObject({ status: 0 });
  expect(readFileSync(path.join(own, 'a.svg'), 'utf8')).toContain('<svg');
});

itAsRoot('setpriv')('a package that root has installed works for another user', async () => {
  const id = String(STRANGER);
  const placed = await project('of root', { as: ['setpriv', `--reuid=${id}`, `--regid=${id}`, '--clear-groups'] });
  chownSync(placed.path, STRANGER, STRANGER);
  await drawsHello(placed);
});
