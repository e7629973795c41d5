// Writes docs/first-five-minutes.md by doing what it shows: each command is run by bash on a terminal, and what it printed stands
// below it. `node scripts/transcript.mjs`, after a build.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const STEPS = [
  {
    says: 'Nothing is running yet. The first command starts the daemon, runs a program in a terminal, prints its output, and writes a picture of the screen.',
    does: 't4a run --screenshot listing.png --command \'printf "\\e[1;34msrc\\e[0m  \\e[1;34mdocs\\e[0m  \\e[32mbuild.sh\\e[0m  README.md\\n\\e[2m4 entries\\e[0m\\n"\'',
    picture: 'listing.png',
  },
  {
    says: 'An interactive program gets a terminal that stays. The command prints its id and the next steps.',
    does: 't4a create --name repl -- python3 -q',
  },
  {
    says: 'Wait for the prompt of the program instead of sleeping.',
    does: "t4a wait repl --text '>>>' --timeout 10000",
  },
  {
    says: 'Type, press Enter once more to end the block, and wait for the result.',
    does: "t4a type repl 'for n in range(1, 6): print(n, n ** 2)' --submit\nt4a press repl Enter\nt4a wait repl --regex '^5 25' --timeout 5000",
  },
  { says: 'Read exact lines …', does: 't4a text repl' },
  { says: '… or search …', does: "t4a grep repl '^[0-9] 1'" },
  { says: '… or look at the whole screen.', does: 't4a screenshot repl -o repl.png', picture: 'repl.png' },
  { says: 'The error for a mistyped name shows the nearest one.', does: 't4a text rpel || echo "exit status $?"' },
  {
    says: 'A wait for text that never comes ends at its deadline, prints the last lines, and exits with 124.',
    does: 't4a wait repl --text Traceback --timeout 300 || echo "exit status $?"',
  },
  { says: 'List the terminals and their programs.', does: 't4a list' },
  {
    says: 'For a model: the names of the tools, and the length of the manual in words.',
    does: "t4a tools --format anthropic | cat | grep -o '\"name\":\"[^\"]*\"' | tr '\\n' ' '; echo\nt4a usage | wc -w",
  },
  { says: 'Done.', does: 't4a kill repl\nt4a shutdown' },
];

const directory = mkdtempSync(join(tmpdir(), 't4a-'));
const pictures = join(root, 'docs/first-five-minutes');
try {
  writeFileSync(join(directory, 't4a'), `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'dist/cli.cjs')}' "$@"\n`);
  chmodSync(join(directory, 't4a'), 0o755);
  mkdirSync(pictures, { recursive: true });
  const sections = STEPS.map(({ says, does, picture }) => {
    if (picture !== undefined) rmSync(join(pictures, picture), { force: true });
    const output = perform(does);
    if (picture !== undefined) copyFileSync(join(directory, picture), join(pictures, picture));
    const shown = output === '' ? '' : `\n\`\`\`text\n${output}\`\`\`\n`;
    const seen = picture === undefined ? '' : `\n![${picture}](first-five-minutes/${picture})\n`;
    return `${says}\n\n\`\`\`sh\n${does}\n\`\`\`\n${shown}${seen}`;
  });
  const intro = '# The first five minutes\n\n`node scripts/transcript.mjs` runs these commands and writes this page.\n';
  writeFileSync(join(root, 'docs/first-five-minutes.md'), [intro, ...sections].join('\n'));
} finally {
  spawnSync(join(directory, 't4a'), ['--socket', join(directory, 'window'), 'shutdown']);
  rmSync(directory, { recursive: true, force: true });
}

/** What a person sees on a terminal: each step has one of its own, in a daemon beside the one that it speaks to. */
function perform(commands) {
  const env = {
    PATH: `${directory}:${process.env.PATH}`,
    HOME: directory,
    XDG_CONFIG_HOME: directory,
    LC_ALL: 'C.UTF-8',
  };
  const socket = `T4A_SOCKET=${join(directory, 's')}`;
  const shell = ['env', socket, 'bash', '--norc', '-euc', commands];
  const args = ['--socket', join(directory, 'window'), 'run', '--cols', '110', '--', ...shell];
  const { stdout, status } = spawnSync(join(directory, 't4a'), args, { cwd: directory, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${commands}\n${stdout}`);
  return stdout.trimEnd() === '' ? '' : `${stdout.trimEnd()}\n`;
}
