/** Why tests were left out: the notes of skipped tests, and the table of them that ends a run. */

/** Notes of skipped tests begin with these: programs follow, or what this user or machine does not have. */
export const ABSENT = 'absent: ';
export const NOT_HERE = 'not here: ';

/** Each program that tests may need, and its Debian package. */
const PACKAGES: Readonly<Record<string, string>> = {
  asciinema: 'asciinema',
  bash: 'bash',
  bwrap: 'bubblewrap',
  busybox: 'busybox-static',
  cc: 'gcc',
  chromium: 'chromium-headless-shell',
  dash: 'dash',
  dialog: 'dialog',
  fish: 'fish',
  fzf: 'fzf',
  git: 'git',
  htop: 'htop',
  jq: 'jq',
  less: 'less',
  ksh93: 'ksh93u+m',
  make: 'make',
  mc: 'mc',
  mksh: 'mksh',
  mount: 'mount',
  'nats-server': 'nats-server',
  nc: 'netcat-openbsd',
  openssl: 'openssl',
  pip3: 'python3-pip',
  pytest: 'python3-pytest',
  prlimit: 'util-linux',
  ps: 'procps',
  python3: 'python3',
  rg: 'ripgrep',
  script: 'bsdutils',
  setpriv: 'util-linux',
  setsid: 'util-linux',
  socat: 'socat',
  ssh: 'openssh-client',
  'ssh-keygen': 'openssh-client',
  sshd: 'openssh-server',
  tar: 'tar',
  tesseract: 'tesseract-ocr',
  tmux: 'tmux',
  tmuxinator: 'tmuxinator',
  tmuxp: 'tmuxp',
  unshare: 'util-linux',
  vim: 'vim',
  whiptail: 'whiptail',
  zsh: 'zsh',
};

export const PROGRAMS = Object.keys(PACKAGES);

/** Table of what is absent and how many tests were left out for it, and the command that installs it; '' for no such note. */
export function leftOutTable(notes: readonly string[], isDebian: boolean): string {
  const absent = namesIn(notes, ABSENT);
  const rows = [...countsOf(absent.flat()), ...countsOf(namesIn(notes, NOT_HERE).flat())];
  if (rows.length === 0) return '';
  const width = Math.max(...rows.map(([name]) => name.length));
  const count = notes.filter((note) => note.startsWith(ABSENT) || note.startsWith(NOT_HERE)).length;
  const lines = [`${count} ${count === 1 ? 'test was' : 'tests were'} not run. What they need and this system lacks:`];
  lines.push(...rows.map(([name, tests]) => `  ${name.padEnd(width)}  ${String(tests).padStart(5)}`));
  const packages = packagesOf(absent.flat());
  if (packages.length > 0) lines.push(`${isDebian ? 'apt-get install' : 'Install'} ${packages.join(' ')}`);
  return lines.join('\n');
}

/** Debian packages with these programs, each once. */
export function packagesOf(programs: readonly string[]): string[] {
  return [...new Set(programs.map((program) => PACKAGES[program] ?? program))].toSorted();
}

function namesIn(notes: readonly string[], prefix: string): string[][] {
  return notes.filter((note) => note.startsWith(prefix)).map((note) => note.slice(prefix.length).split(', '));
}

function countsOf(names: readonly string[]): [name: string, tests: number][] {
  return [...new Set(names)].toSorted().map((name) => [name, names.filter((each) => each === name).length]);
}
