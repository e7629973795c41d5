/**
 * Finds and checks the program of a terminal before a process exists: a program that cannot start is an error of the
 * request, not a terminal that exits at once. Check and start are two steps, so a file that vanishes in between still
 * produces a terminal with the shell's usual complaint.
 */
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from '../../base/errno.js';
import { T4aError, quote } from '../../protocol/errors.js';

export interface Program {
  /** Absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

export function resolveProgram(
  command: readonly string[] | undefined,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Program {
  const directory = checkDirectory(cwd);
  const searched = env['PATH'] ?? DEFAULT_PATH;
  const [name = '', ...args] = command ?? [env['SHELL'] || defaultShell(searched, directory)];
  const file = name.includes('/') ? path.resolve(directory, name) : searchPath(name, searched, directory);
  checkExecutable(file, name);
  checkInterpreter(file);
  return { file, args, cwd: directory };
}

/** Whether a command line was given as a program name. */
function isLine(name: string): boolean {
  return /\S\s+\S/.test(name);
}

const LINE_HINT =
  'The first argument names the program. For a shell line use "command" of run, or the program sh with -c and the line.';

/** execvp's own default where PATH is unset. */
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

function checkDirectory(cwd: string): string {
  const fail = (why: string): T4aError =>
    new T4aError('cwd_not_found', `The working directory ${quote(cwd)} ${why}.`, {
      field: 'cwd',
      hint: 'Give an existing directory as "cwd".',
    });
  if (!path.isAbsolute(cwd)) throw fail('is not an absolute path');
  let isDirectory: boolean;
  try {
    isDirectory = statSync(cwd).isDirectory();
    if (isDirectory) accessSync(cwd, constants.X_OK);
  } catch (error) {
    throw fail((error as NodeJS.ErrnoException).code === 'EACCES' ? 'may not be entered' : 'does not exist');
  }
  if (!isDirectory) throw fail('is not a directory');
  return cwd;
}

/** bash is not on every system; sh is. */
function defaultShell(searched: string, cwd: string): string {
  return candidates('bash', searched, cwd).some((file) => kindOf(file) === 'file' && isExecutable(file))
    ? 'bash'
    : 'sh';
}

/**
 * Same rules as execvp: an entry that cannot be searched is skipped, and reported only if no program is found at all.
 */
function searchPath(name: string, searched: string, cwd: string): string {
  let firstFound: string | undefined;
  let firstDenied: string | undefined;
  for (const file of name === '' ? [] : candidates(name, searched, cwd)) {
    const kind = kindOf(file);
    if (kind === 'file' && isExecutable(file)) return file;
    if (kind === 'file') firstFound ??= file;
    if (kind === 'denied') firstDenied ??= path.dirname(file);
  }
  if (firstFound !== undefined) return firstFound;
  const but = firstDenied === undefined ? '' : `, of which ${quote(firstDenied)} may not be searched`;
  throw new T4aError('program_not_found', `No program ${quote(name)} on the PATH${but}.`, {
    hint: isLine(name) ? LINE_HINT : 'Give its full path, or set PATH in "env".',
    field: 'cmd_args',
  });
}

/** Paths to try, in order. An empty entry of PATH means the working directory. */
function candidates(name: string, searched: string, cwd: string): string[] {
  return searched.split(':').map((folder) => path.resolve(cwd, folder === '' ? '.' : folder, name));
}

function checkExecutable(file: string, name: string): void {
  const kind = kindOf(file);
  if (kind === 'absent') {
    const hint = isLine(name)
      ? LINE_HINT
      : 'Check the path: it is relative to the working directory unless it begins with "/".';
    throw new T4aError('program_not_found', `There is no program ${quote(file)}.`, { field: 'cmd_args', hint });
  }
  if ((kind === 'file' || kind === 'device') && isExecutable(file)) return;
  const [why, hint] = NOT_EXECUTABLE[kind];
  throw new T4aError('program_not_executable', `${quote(name)} ${why}.`, { field: 'cmd_args', hint: hint(file) });
}

type Kind = 'file' | 'directory' | 'device' | 'denied' | 'absent';

const NOT_EXECUTABLE: Readonly<
  Record<Exclude<Kind, 'absent'>, readonly [why: string, hint: (file: string) => string]>
> = {
  file: ['may not be executed', (file) => `chmod +x ${file}`],
  device: ['may not be executed', (file) => `ls -l ${file}`],
  directory: ['is a directory', () => 'Name a program in it.'],
  denied: ['is in a directory that may not be searched', (file) => `ls -ld ${path.dirname(file)}`],
};

/** A script whose `#!` names a missing interpreter fails in exec with the script's own name, which misleads. */
function checkInterpreter(file: string): void {
  const interpreter = /^#![ \t]*(\S+)/.exec(readStart(file))?.[1];
  const kind = interpreter === undefined ? 'file' : kindOf(interpreter);
  if (kind === 'file') return;
  const why = kind === 'denied' ? 'may not be reached' : 'does not exist';
  throw new T4aError('program_not_found', `${quote(file)} names an interpreter that ${why}: ${quote(interpreter)}.`, {
    field: 'cmd_args',
    hint: 'Fix the first line of the script.',
  });
}

function readStart(file: string): string {
  const buffer = Buffer.alloc(256);
  let fd: number | undefined;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    return buffer.toString('latin1', 0, readSync(fd, buffer, 0, buffer.length, 0));
  } catch {
    return ''; // Executable but unreadable is allowed: then the kernel reads the first line.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** The target of a broken path counts as absent, too (ENOTDIR, ELOOP, ENAMETOOLONG). */
function kindOf(file: string): Kind {
  try {
    const found = statSync(file);
    return found.isDirectory() ? 'directory' : found.isFile() ? 'file' : 'device';
  } catch (error) {
    return errnoOf(error) === 'EACCES' ? 'denied' : 'absent';
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
