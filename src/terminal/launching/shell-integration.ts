/**
 * Starts an interactive bash, zsh, fish or sh (dash, ash, ksh) so that it marks its prompts and commands with the
 * scripts in shell/. Only arguments and environment change; no file is written. A command line stays unchanged unless
 * it plainly starts an interactive shell, and also if it names the start-up files to read.
 */
import { realpathSync } from 'node:fs';
import path from 'node:path';

export interface ShellStart {
  /** Absolute path of the program. */
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The scripts mark prompts and ends of commands, but no starts. Default: false. */
  readonly marksNoStarts?: true;
}

type Integrate = (start: ShellStart, scripts: string) => ShellStart;

/** By the name of the program. */
const SHELLS: Readonly<Record<string, Integrate>> = {
  bash,
  zsh,
  fish,
  sh,
  dash: sh,
  ash: sh,
  ksh: sh,
  ksh93: sh,
  mksh: sh,
};

/** Flags that leave a shell interactive and its start-up files as usual: `-l`, `-i`, `-il`, … */
const INTERACTIVE_FLAG = /^-[il]+$/;
const LOGIN_FLAG = '--login';

/** @param scripts the package's folder shell/ @param seedFile that of the proofs of its marks; else they have none */
export function integrateShell(plain: ShellStart, scripts: string, seedFile?: string): ShellStart {
  const start = seedFile === undefined ? plain : { ...plain, env: { ...plain.env, T4A_MARKS: seedFile } };
  const integrated = withScripts(start, scripts);
  return integrated === start ? plain : integrated;
}

function withScripts(start: ShellStart, scripts: string): ShellStart {
  const name = path.basename(start.file);
  const [applet, ...args] = start.args;
  if (name === 'busybox' && (applet === 'ash' || applet === 'sh')) {
    if (!args.every(isInteractiveFlag)) return start;
    const integrated = sh({ ...start, args }, scripts);
    return { ...integrated, args: [applet, ...integrated.args] };
  }
  const integrate = Object.hasOwn(SHELLS, name) ? SHELLS[name] : undefined;
  if (integrate === undefined || !start.args.every(isInteractiveFlag)) return start;
  return integrate(start, scripts);
}

function isInteractiveFlag(arg: string): boolean {
  return INTERACTIVE_FLAG.test(arg) || arg === LOGIN_FLAG;
}

function isLogin(args: readonly string[]): boolean {
  return args.some((arg) => arg === LOGIN_FLAG || (INTERACTIVE_FLAG.test(arg) && arg.includes('l')));
}

/** A login shell ignores --rcfile; in POSIX mode, which the environment may ask for, bash reads only $ENV. The script reads the other files. */
function bash({ file, args, env }: ShellStart, scripts: string): ShellStart {
  const script = path.join(scripts, 'bash', 't4a.bash');
  const isPosix = env['POSIXLY_CORRECT'] !== undefined || env['SHELLOPTS']?.split(':').includes('posix') === true;
  const saved = env['ENV'] === undefined ? {} : { T4A_BASH_ENV: env['ENV'] };
  if (isPosix) return { file, args, env: { ...env, ...saved, ENV: script, T4A_BASH_POSIX: '1' } };
  if (!isLogin(args)) return { file, args: ['--rcfile', script, ...args], env };
  return { file, args: ['--posix', ...args], env: { ...env, ...saved, ENV: script, T4A_BASH_LOGIN: '1' } };
}

function zsh({ file, args, env }: ShellStart, scripts: string): ShellStart {
  const saved = env['ZDOTDIR'] === undefined ? {} : { T4A_ZSH_ZDOTDIR: env['ZDOTDIR'] };
  return { file, args, env: { ...env, ...saved, ZDOTDIR: path.join(scripts, 'zsh') } };
}

function fish({ file, args, env }: ShellStart, scripts: string): ShellStart {
  const script = path.join(scripts, 'fish', 't4a.fish').replaceAll(/['\\]/g, String.raw`\$&`);
  return { file, args: ['--init-command', `source '${script}'`, ...args], env };
}

/** These shells read $ENV and expand its value. The script itself cannot detect which shell runs it. */
function sh(start: ShellStart, scripts: string): ShellStart {
  const script = path.join(scripts, 'sh', 't4a.sh');
  if (/[$`"\\]/.test(script)) return start;
  const saved = start.env['ENV'] === undefined ? {} : { T4A_SH_ENV: start.env['ENV'] };
  return {
    ...start,
    env: { ...start.env, ...saved, ENV: script, T4A_SH: programName(start.file) },
    marksNoStarts: true,
  };
}

/** Name of the program that a link leads to; `sh` often is a link. */
function programName(file: string): string {
  let program = file;
  try {
    program = realpathSync(file);
  } catch {
    // Starting it fails as well, with the reason.
  }
  return path.basename(program).replaceAll(/[^\w.+-]/g, '');
}
