/**
 * Explains why node-pty has no build that fits this system, and how to get one. node-pty's loader tries a locally
 * compiled build, then a shipped one, and reports the last path only, which does not help.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from '../../base/errno.js';
import { T4aError } from '../../protocol/errors.js';

/** Builds of the pinned version. The Linux ones are for glibc. */
const SHIPPED = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
const MADE_HERE = ['build/Release/pty.node', 'build/Debug/pty.node'];
/**
 * https://wiki.musl-libc.org/guidelines-for-distributions: path of musl's loader, for the processors of {@link
 * SHIPPED}.
 */
const MUSL_LOADERS: Readonly<Record<string, string>> = {
  x64: '/lib/ld-musl-x86_64.so.1',
  arm64: '/lib/ld-musl-aarch64.so.1',
};

/**
 * Call it before node-pty is loaded. musl's loader accepts glibc's library names and binds lazily, so the build for
 * glibc may load there, and crash the daemon at the first call of a function that musl lacks (`__asprintf_chk`).
 * @param root directory of node-pty
 * @throws T4aError spawn_failed
 */
export function checkLibc(root: string): void {
  if (!hasMusl() || MADE_HERE.some((file) => existsSync(path.join(root, file)))) return;
  throw new T4aError('spawn_failed', 'node-pty has no build for Linux with musl (Alpine).', {
    hint: `Build it: apk add python3 make g++ && ${buildCommand(root)}`,
  });
}

/** @param error from loading node-pty @param load loads one of its builds */
export function ptyFailure(root: string, error: unknown, load: (file: string) => unknown): unknown {
  // One of its JavaScript files is missing: the package was removed.
  if (errnoOf(error) === 'MODULE_NOT_FOUND') return error;
  const platform = `${process.platform}-${process.arch}`;
  const shipped = path.join(root, 'prebuilds', platform, 'pty.node');
  const present = [...MADE_HERE.map((file) => path.join(root, file)), shipped].filter((file) => existsSync(file));
  const build = `it needs python3, make and a C++ compiler: ${buildCommand(root)}`;
  const [file] = present;
  if (file !== undefined) {
    const reason = whyNot(file, load) ?? firstLine(error);
    return failed(
      `node-pty's build for ${platform} does not load here: ${reason}.`,
      `Reinstall t4a, or build it; ${build}`,
    );
  }
  return SHIPPED.includes(platform)
    ? failed(`node-pty's build for ${platform} is missing: ${shipped}.`, `Reinstall t4a, or build it; ${build}`)
    : failed(`node-pty has no build for ${platform}.`, `Build it; ${build}`);
}

function failed(message: string, hint: string): T4aError {
  return new T4aError('spawn_failed', message, { hint });
}

/** Other systems have no such file, and skip the report, which takes 5 ms. */
function hasMusl(): boolean {
  const loader = process.platform === 'linux' ? MUSL_LOADERS[process.arch] : undefined;
  if (loader === undefined || !existsSync(loader)) return false;
  // musl may be installed beside glibc.
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return header?.glibcVersionRuntime === undefined;
}

function whyNot(file: string, load: (file: string) => unknown): string | undefined {
  try {
    load(file);
    return undefined;
  } catch (error) {
    return firstLine(error);
  }
}

function firstLine(error: unknown): string {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return first.replace(/\.$/, '');
}

/**
 * The package's own script: it uses the node-gyp of npm. `npm rebuild` does the same only if npm's settings allow
 * scripts of installed packages.
 */
function buildCommand(root: string): string {
  const directory = /^[\w./@+-]+$/.test(root) ? root : `'${root.replaceAll("'", `'\\''`)}'`;
  return `cd ${directory} && npm_config_build_from_source=true npm run install`;
}
