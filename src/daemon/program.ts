/**
 * What a terminal is to run, found and checked before a process exists: a program that cannot start is an error of the
 * request, not a terminal that dies at once. The check and the start are two steps, so a file that vanishes in between
 * still ends as a terminal with the shell's usual complaint in it.
 */
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { T4aError, quote } from '../protocol/errors.js';

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
  const [name = '', ...args] = command ?? [env['SHELL'] || 'bash'];
  const file = name.includes('/')
    ? path.resolve(directory, name)
    : searchPath(name, env['PATH'] ?? DEFAULT_PATH, directory);
  if (file === undefined) {
    throw new T4aError('program_not_found', `No program ${quote(name)} on the PATH.`, {
      hint: isLine(name) ? LINE_HINT : 'Give its full path, or set PATH in "env".',
      field: 'cmd_args',
    });
  }
  checkExecutable(file, name);
  checkInterpreter(file);
  return { file, args, cwd: directory };
}

/** A line for a shell that was taken for the name of a program. */
function isLine(name: string): boolean {
  return /\S\s+\S/.test(name);
}

const LINE_HINT =
  'That is the name of one program. For a line of a shell: "command" of run, or the program sh with -c and the line.';

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
    accessSync(cwd, constants.X_OK);
  } catch (error) {
    throw fail((error as NodeJS.ErrnoException).code === 'EACCES' ? 'may not be entered' : 'does not exist');
  }
  if (!isDirectory) throw fail('is not a directory');
  return cwd;
}

function searchPath(name: string, searched: string, cwd: string): string | undefined {
  if (name === '') return undefined;
  let firstFound: string | undefined;
  for (const folder of searched.split(':')) {
    // An empty entry of PATH means the working directory.
    const file = path.resolve(cwd, folder === '' ? '.' : folder, name);
    if (!isFile(file)) continue;
    if (isExecutable(file)) return file;
    firstFound ??= file;
  }
  return firstFound;
}

function checkExecutable(file: string, name: string): void {
  let isDirectory: boolean;
  try {
    isDirectory = statSync(file).isDirectory();
  } catch {
    const hint = isLine(name)
      ? LINE_HINT
      : 'Look for it: it is taken from the working directory, unless it begins with "/".';
    throw new T4aError('program_not_found', `There is no program ${quote(file)}.`, { field: 'cmd_args', hint });
  }
  if (!isDirectory && isExecutable(file)) return;
  const why = isDirectory ? 'is a directory' : 'may not be executed';
  throw new T4aError('program_not_executable', `${quote(name)} ${why}.`, {
    field: 'cmd_args',
    hint: isDirectory ? 'Name a program in it.' : `chmod +x ${file}`,
  });
}

/** A script whose `#!` names a missing interpreter fails in exec with the script's own name, which misleads. */
function checkInterpreter(file: string): void {
  const interpreter = /^#![ \t]*(\S+)/.exec(readStart(file))?.[1];
  if (interpreter === undefined || isFile(interpreter)) return;
  throw new T4aError(
    'program_not_found',
    `${quote(file)} names an interpreter that does not exist: ${quote(interpreter)}.`,
    {
      field: 'cmd_args',
      hint: 'Mend the first line of the script.',
    },
  );
}

function readStart(file: string): string {
  const buffer = Buffer.alloc(256);
  let fd: number | undefined;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    return buffer.toString('latin1', 0, readSync(fd, buffer, 0, buffer.length, 0));
  } catch {
    return ''; // Executable but unreadable is allowed; then the kernel reads the first line, not we.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
