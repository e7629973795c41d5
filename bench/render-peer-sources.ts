/**
 * Sources of terminal servers whose renderers are no library: from the directory that T4A_BENCH_PEERS names, else from npm,
 * else from git. What drawing needs is installed beside them in the versions that they ask for; nothing of theirs is kept.
 */
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface PeerSource {
  /** Its package. */
  readonly name: string;
  /** On GitHub; in the directory given, `owner-name`. */
  readonly repository: string;
  readonly commit: string;
  /** Draws: in src, or compiled in dist. */
  readonly module: string;
  readonly packages: readonly string[];
}

export interface LoadedPeer {
  readonly drawing: unknown;
  readonly load: (name: string) => Promise<unknown>;
  /** Where it is from, and what stands in for a package that could not be installed. */
  readonly origin: string;
  readonly isSubstituted: boolean;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** For packages whose install script fetches a binary that is not on npm. */
const SUBSTITUTES = new Map([['canvas', 'npm:@napi-rs/canvas@1.0.11']]);
const TIMEOUT_MS = 120_000;

export class PeerSources implements Disposable {
  readonly directory = mkdtempSync(join(tmpdir(), 't4a-peer-sources-'));

  /** Undefined if its sources, or what they need, cannot be had. */
  async load(source: PeerSource): Promise<LoadedPeer | undefined> {
    const directory = join(this.directory, source.repository.replace('/', '-'));
    mkdirSync(directory);
    writeFileSync(join(directory, 'package.json'), '{"private":true}');
    const found = given(source) ?? published(source, directory) ?? fetched(source, directory);
    const entry = found === undefined ? undefined : entryOf(source, found.root);
    if (found === undefined || entry === undefined) return undefined;
    const { name, version, dependencies, optionalDependencies } = manifestIn(found.root);
    const asked = { ...optionalDependencies, ...dependencies };
    const specs = source.packages.map((each) => `${each}@${asked[each] ?? 'latest'}`);
    const substitutes = source.packages.map((each, at) => substituteOf(each) ?? specs[at] ?? each);
    const isSubstituted = !installs(directory, specs);
    if (isSubstituted && !installs(directory, substitutes)) return undefined;
    const outfile = join(directory, 'drawing.mjs');
    await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' });
    const { resolve } = createRequire(outfile);
    const parts = source.packages.map((each) => {
      const used = manifestIn(join(directory, 'node_modules', each));
      return `${used.name} ${used.version}${used.name === each ? '' : ` instead of ${each}`}`;
    });
    return {
      drawing: await import(pathToFileURL(outfile).href),
      load: async (each) => (await import(pathToFileURL(resolve(each)).href)) as unknown,
      origin: `${name} ${version} ${found.from}, with ${parts.join(', ')}`,
      isSubstituted,
    };
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface FoundSource {
  readonly root: string;
  readonly from: string;
}

function given({ repository }: PeerSource): FoundSource | undefined {
  const root = join(process.env['T4A_BENCH_PEERS'] ?? '', repository.replace('/', '-'));
  const isThere = process.env['T4A_BENCH_PEERS'] !== undefined && existsSync(join(root, 'package.json'));
  return isThere ? { root, from: 'of the directory given' } : undefined;
}

function published({ name }: PeerSource, directory: string): FoundSource | undefined {
  const isInstalled = succeeds('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', name], directory);
  return isInstalled ? { root: join(directory, 'node_modules', name), from: 'of npm' } : undefined;
}

/** As `npm install github:…`, without its build, which needs more than drawing does. */
function fetched({ repository, commit }: PeerSource, directory: string): FoundSource | undefined {
  const root = join(directory, 'source');
  mkdirSync(root);
  const isFetched =
    succeeds('git', ['init', '--quiet'], root) &&
    succeeds('git', ['fetch', '--depth', '1', `https://github.com/${repository}.git`, commit], root) &&
    succeeds('git', ['checkout', '--quiet', 'FETCH_HEAD'], root);
  return isFetched ? { root, from: `of git, ${commit.slice(0, 7)}` } : undefined;
}

function entryOf({ module }: PeerSource, root: string): string | undefined {
  const files = [`src/${module}.ts`, `src/${module}.js`, `dist/${module}.js`].map((file) => join(root, file));
  return files.find((file) => existsSync(file));
}

function manifestIn(directory: string): Manifest {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;
}

function substituteOf(name: string): string | undefined {
  const substitute = SUBSTITUTES.get(name);
  return substitute === undefined ? undefined : `${name}@${substitute}`;
}

function installs(directory: string, specs: readonly string[]): boolean {
  return succeeds('npm', ['install', '--no-audit', '--no-fund', ...specs], directory);
}

function succeeds(command: string, args: readonly string[], cwd: string): boolean {
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' };
  try {
    execFileSync(command, args, { cwd, env, stdio: 'ignore', timeout: TIMEOUT_MS });
    return true;
  } catch {
    return false;
  }
}
