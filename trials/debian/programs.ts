/** What is installed in another system: what .ci/run installs, and shells, prompts and plugins that people have. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Where a suite has no such package, what needs it is left out. */
export const SHELLS_AND_PLUGINS =
  'mksh ksh93u+m ksh busybox yash neovim nano starship liquidprompt powerline atuin direnv zoxide zsh-autosuggestions zsh-syntax-highlighting bash-completion openssh-server openssh-client bubblewrap locales sudo'.split(
    ' ',
  );

/** The one list: those words of .ci/run. @throws Error where it is not there */
export function programsOfTests(root: string): string[] {
  const list = /^packages=\(([^)]*)\)/m.exec(readFileSync(path.join(root, '.ci/run'), 'utf8'))?.[1];
  if (list === undefined) throw new Error('.ci/run has no list of packages');
  return list.split(/\s+/).filter(Boolean);
}

/** Packages by the columns of docs/compatibility.md: the first one that is installed. */
export const SHELLS = [
  ['bash'],
  ['zsh'],
  ['fish'],
  ['dash'],
  ['busybox', 'busybox-static'],
  ['mksh'],
  ['ksh93u+m', 'ksh'],
];
export const PROGRAMS = [
  ['vim'],
  ['neovim'],
  ['less'],
  ['tmux'],
  ['htop'],
  ['mc'],
  ['fzf'],
  ['git'],
  ['python3'],
  ['chromium'],
  ['libc6'],
];

export function versionCells(columns: readonly (readonly string[])[], versions: Record<string, string>): string[] {
  return columns.map((packages) => {
    const version = packages.map((name) => versions[name]).find((each) => each !== undefined);
    return version === undefined ? '' : upstream(version);
  });
}

/** https://www.debian.org/doc/debian-policy/ch-controlfields.html#version: without the epoch and Debian's revision. */
export function upstream(version: string): string {
  return version
    .replace(/^\d+:/, '')
    .replace(/-[^-]*$/, '')
    .replace(/[+~](?:dfsg|ds|really|repack).*$/, '');
}
