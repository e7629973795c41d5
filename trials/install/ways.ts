/** Each way to install the packed package, and how `t4a` is called afterwards. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';

export interface Way {
  readonly name: string;
  /** Package of the registry that has the installer; npm is there already. */
  readonly installer?: string;
  /** Its program in that package's `bin`. */
  readonly program: string;
  /** Arguments that install the tarball into the current directory; none where `t4a` is fetched by its own call. */
  readonly install: (tarball: string) => readonly string[];
  /** What is run in the current directory: words to which t4a's arguments are added. */
  readonly t4a: (installer: string, tarball: string) => readonly string[];
  /** Written before. */
  readonly prepare?: (directory: string) => void;
  /** Of the directory. Default: `project`. */
  readonly directory?: string;
  /** Commands before the installation. */
  readonly before?: (tarball: string) => readonly (readonly string[])[];
  /** Default: png. */
  readonly format?: 'svg';
  /** Runs t4a, which root has installed. Root alone can try that. */
  readonly user?: number;
}

const BESIDE = (): readonly string[] => ['node_modules/.bin/t4a'];

function berry(directory: string, linker: string): void {
  // A home of its own has no cache; the project's checksums are nobody's.
  writeFileSync(
    path.join(directory, '.yarnrc.yml'),
    `nodeLinker: ${linker}\nenableTelemetry: false\nenableGlobalCache: false\n`,
  );
}

export const WAYS: readonly Way[] = [
  { name: 'npm', program: 'npm', install: (tarball) => ['install', tarball], t4a: BESIDE },
  {
    name: 'npm, without scripts',
    program: 'npm',
    install: (tarball) => ['install', '--ignore-scripts', tarball],
    t4a: BESIDE,
  },
  {
    name: 'npm, global',
    program: 'npm',
    install: (tarball) => ['install', '--global', '--prefix', 'prefix', tarball],
    t4a: () => ['prefix/bin/t4a'],
  },
  {
    name: 'npx',
    program: 'npx',
    install: () => [],
    t4a: (npx, tarball) => [npx, '--yes', '--package', tarball, 't4a'],
  },
  {
    // With scripts, pnpm asks about node-pty's, and ends with 1 where nobody answers.
    name: 'pnpm, without scripts',
    installer: 'pnpm',
    program: 'pnpm',
    install: (tarball) => ['add', '--ignore-scripts', tarball],
    t4a: BESIDE,
  },
  { name: 'yarn 1', installer: 'yarn@1', program: 'yarn', install: (tarball) => ['add', tarball], t4a: BESIDE },
  {
    name: 'yarn, node_modules',
    installer: '@yarnpkg/cli-dist',
    program: 'yarn',
    install: (tarball) => ['add', `t4a@file:${tarball}`],
    t4a: (yarn) => [yarn, 'run', 't4a'],
    prepare: (directory) => berry(directory, 'node-modules'),
  },
  {
    name: "yarn, Plug'n'Play",
    installer: '@yarnpkg/cli-dist',
    program: 'yarn',
    install: (tarball) => ['add', `t4a@file:${tarball}`],
    t4a: (yarn) => [yarn, 'run', 't4a'],
    prepare: (directory) => berry(directory, 'pnp'),
  },
  { name: 'bun', installer: 'bun', program: 'bun', install: (tarball) => ['add', tarball], t4a: BESIDE },
  {
    name: 'npm, into a path with blanks',
    program: 'npm',
    install: (tarball) => ['install', tarball],
    t4a: BESIDE,
    directory: "it's a project",
  },
  {
    name: 'npm, offline, from its cache',
    program: 'npm',
    // Its home has an empty cache.
    before: (tarball) => [
      ['npm', 'install', tarball],
      ['rm', '-rf', 'node_modules', 'package-lock.json'],
    ],
    install: (tarball) => ['install', '--offline', tarball],
    t4a: BESIDE,
  },
  {
    name: 'npm, without optional packages (SVG)',
    program: 'npm',
    install: (tarball) => ['install', '--omit=optional', tarball],
    t4a: BESIDE,
    format: 'svg',
  },
  {
    name: 'npm, global by root, for another user',
    program: 'npm',
    install: (tarball) => ['install', '--global', '--prefix', 'prefix', tarball],
    t4a: () => ['prefix/bin/t4a'],
    user: 12_345,
  },
];
