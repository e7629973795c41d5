/** The programs, each from npm in a folder of its own outside of the checkout. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Packages, by the name of the program that each has. */
export const PACKAGES: Readonly<Record<string, string>> = {
  claude: '@anthropic-ai/claude-code',
  codex: '@openai/codex',
  gemini: '@google/gemini-cli',
  opencode: 'opencode-ai',
  qwen: '@qwen-code/qwen-code',
  copilot: '@github/copilot',
  cline: 'cline',
  pi: '@mariozechner/pi-coding-agent',
};

const INSTALL_MS = 600_000;
const VERSION_MS = 60_000;

export interface Installed {
  /** Path of the program. */
  readonly program: string;
  readonly version: string;
}

/**
 * Installs a program where it is not there yet.
 * @param folder of all programs
 * @throws Error with what npm said, or where the package has no such program that starts
 */
export function installed(folder: string, name: string): Installed {
  const pack = PACKAGES[name];
  if (pack === undefined) throw new Error(`no package is known for "${name}"`);
  const own = path.join(folder, name);
  const program = path.join(own, 'node_modules/.bin', name);
  if (!existsSync(program)) {
    mkdirSync(own, { recursive: true });
    writeFileSync(path.join(own, 'package.json'), '{}');
    const args = ['install', '--no-audit', '--no-fund', `${pack}@latest`];
    execFileSync('npm', args, { cwd: own, stdio: 'pipe', timeout: INSTALL_MS });
  }
  const said = execFileSync(program, ['--version'], {
    encoding: 'utf8',
    timeout: VERSION_MS,
    env: { ...process.env, HOME: own },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return { program, version: /\d+\.\d+\.\d+\S*/.exec(said)?.[0] ?? said.trim() };
}
