/**
 * `npm run trials -- install [--only NAME]`: the packed package installed in every way, each in a directory and a home of its own:
 * install, `create`, `screenshot`, `shutdown`. Writes the installers' rows of docs/compatibility.md. Needs the registry.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { WAYS, type Way } from './install/ways.js';
import { writeRow } from './support/compatibility.js';
import { Failures, type Report } from './support/report.js';

export const ARGUMENTS = ['only'];
/** `only`: the way of that name. */
export const FLAGS = { only: '' };

const PATIENCE_MS = 300_000;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

export async function trial({ only, root }: typeof FLAGS & { readonly root: string }): Promise<Report> {
  // Short: the socket is in it.
  const place = mkdtempSync('/tmp/t4a-install-');
  // For another user, too.
  chmodSync(place, 0o755);
  const failures = new Failures();
  const figures: [string, string][] = [];
  try {
    execFileSync(process.execPath, ['scripts/prepack.mjs'], { cwd: root, stdio: 'pipe' });
    execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', place], {
      cwd: root,
      stdio: 'pipe',
    });
    const tarball = path.join(place, readdirSync(place).find((name) => name.endsWith('.tgz')) ?? '');
    for (const [at, way] of WAYS.entries()) {
      if (only !== '' && way.name !== only) continue;
      const { version, result, isTried, left } = tryWay(way, path.join(place, String(at)), tarball);
      figures.push([way.name, `${version}: ${result}`], ['  leaves', left.join(', ')]);
      if (isTried && result !== 'works') failures.add(`${way.name}: ${result}`);
      writeRow(root, 'Ways to install', [way.name, version, new Date().toISOString().slice(0, 10), firstLine(result)]);
    }
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
  return Promise.resolve({ figures, failures: failures.list });
}

interface Outcome {
  readonly version: string;
  readonly result: string;
  readonly isTried: boolean;
  /** What t4a has left in the home and beside the socket. */
  readonly left: readonly string[];
}

function tryWay(way: Way, place: string, tarball: string): Outcome {
  if (way.user !== undefined && process.getuid?.() !== 0)
    return { version: '', result: 'not tried: root alone can', isTried: false, left: [] };
  const project = path.join(place, way.directory ?? 'project');
  const home = path.join(place, 'home');
  for (const directory of [project, home]) mkdirSync(directory, { recursive: true });
  const environment = environmentOf(home, path.join(place, 's'));
  let installer = way.program;
  let version = '';
  if (way.installer !== undefined) {
    const tools = path.join(place, 'tools');
    const fetched = run(
      ['npm', 'install', '--no-audit', '--no-fund', '--prefix', tools, way.installer],
      place,
      environment,
    );
    installer = path.join(tools, 'node_modules/.bin', way.program);
    const asked = fetched.status === 0 ? run([installer, '--version'], place, environment) : fetched;
    if (asked.status !== 0) return { version, result: `not tried: ${asked.output.trim()}`, isTried: false, left: [] };
    version = firstLine(asked.output);
  } else version = firstLine(run([installer, '--version'], place, environment).output);
  writeFileSync(path.join(project, 'package.json'), '{"private":true}');
  way.prepare?.(project);
  const install = way.install(tarball);
  const { user, format = 'png' } = way;
  const t4a = [...(user === undefined ? [] : asUser(user)), ...way.t4a(installer, tarball)];
  const steps = [
    ...(way.before?.(tarball) ?? []),
    ...(install.length === 0 ? [] : [[installer, ...install]]),
    // Its own place for files and the socket; what is installed stays root's.
    ...(user === undefined ? [] : [['chown', `${user}:${user}`, place, project, home]]),
    [...t4a, 'create', '--name', 'first'],
    [...t4a, 'screenshot', 'first', '--format', format, '-o', `first.${format}`],
    [...t4a, 'shutdown'],
  ];
  const before = new Set(filesIn(place, home));
  for (const step of steps) {
    const { status, output } = run(step, project, environment);
    if (status === 0) continue;
    run([...t4a, 'shutdown'], project, environment);
    return { version, result: `${step.slice(0, 3).join(' ')}: ${output.trim().slice(-600)}`, isTried: true, left: [] };
  }
  const picture = readFileSync(path.join(project, `first.${format}`));
  const isPicture = format === 'svg' ? picture.includes('<svg') : picture.subarray(0, PNG.length).equals(PNG);
  const result = isPicture ? 'works' : 'no picture';
  const left = filesIn(place, home).filter((name) => !before.has(name));
  return { version, result, isTried: true, left };
}

function asUser(id: number): readonly string[] {
  return ['setpriv', `--reuid=${id}`, `--regid=${id}`, '--clear-groups'];
}

function environmentOf(home: string, socket: string): NodeJS.ProcessEnv {
  // Of the npm that runs this trial: an installer must not take them for its own.
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$|XDG_|T4A_)/i.test(name));
  return {
    ...Object.fromEntries(own),
    HOME: home,
    T4A_SOCKET: socket,
    CI: '1',
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
  };
}

function run([command = '', ...args]: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    timeout: PATIENCE_MS,
  });
  return { status, output: `${stdout}${stderr}${error === undefined ? '' : error.message}` };
}

/** Beside the socket, and what the home has of t4a's; not the caches of installers. */
function filesIn(place: string, home: string): string[] {
  const beside = readdirSync(place).filter((name) => name.startsWith('s'));
  const cache = path.join(home, '.cache/t4a');
  return existsSync(cache) ? [...beside, `${readdirSync(cache).length} files in ~/.cache/t4a`] : beside;
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
