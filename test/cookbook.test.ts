/** The recipes of docs/cookbook.md and the examples of docs/guide.md do what they show. */
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { CLI, runCli } from './support/cli.js';
import { consumer, readRoot, ROOT, type Consumer } from './support/consumer.js';
import { itNeeds } from './support/programs.js';

/** Stands for the one that would need another machine. */
const SSH = `#!/bin/sh
printf "admin@example.com's password: "
stty -echo; read -r password; stty echo
echo
[ "$password" = hunter2 ] || { echo 'Permission denied'; exit 1; }
echo 'Welcome to example.com'; cat
`;

const BUGGY = `def average(values):
    return sum(values) / len(values)

print(average([]))
`;

/** What the recipes take for granted. */
function workplace(): Consumer {
  const place = consumer();
  onTestFinished(async () => void (await runCli(['shutdown'], { socketPath: place.socketPath })));
  const program = (name: string, text: string): void => {
    writeFileSync(place.join(name), text);
    chmodSync(place.join(name), 0o755);
  };
  program('t4a', `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
  program('ssh', SSH);
  writeFileSync(place.join('buggy.py'), BUGGY);
  writeFileSync(place.join('Makefile'), 'all:\n\t@echo compiling; echo done\n');
  const words = ['alpha', ...Array.from({ length: 50 }, (_, i) => `word ${i}`), 'omega', ''];
  writeFileSync(place.join('words.txt'), words.join('\n'));
  const git = (...args: string[]): void => {
    spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: place.path });
  };
  git('init', '-q');
  git('add', 'Makefile');
  git('commit', '-qm', 'first');
  writeFileSync(place.join('Makefile'), 'all:\n\t@echo compiling; echo finished\n');
  return place;
}

function blocks(page: string, language: string): { title: string; code: string }[] {
  return readRoot(page)
    .split(/^## /m)
    .flatMap((section) =>
      [...section.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, code], i) => ({
        title: `${section.split('\n')[0]}${i === 0 ? '' : ` (${i + 1})`}`,
        code: code ?? '',
      })),
    );
}

const shellBlocks = ['docs/cookbook.md', 'docs/guide.md'].flatMap((page) => blocks(page, 'sh'));
const moduleBlocks = [...blocks('docs/guide.md', 'ts')];

describe('the recipe', () => {
  itNeeds('bash', 'python3', 'git', 'make').each(shellBlocks)('$title', async ({ code }) => {
    const place = workplace();
    // The shells of the recipes read no start-up files of whoever runs the tests: those may take any time.
    const env = { PATH: `${place.path}:${process.env['PATH']}`, HOME: place.path, ADMIN_PASSWORD: 'hunter2' };
    const { status, output } = await place.run('bash', ['-euo', 'pipefail', '-c', code], env);
    expect(status, output).toBe(0);
  });

  itNeeds('less')('Testing a TUI in CI', async () => {
    const place = workplace();
    const [recipe] = blocks('docs/cookbook.md', 'ts');
    writeFileSync(place.join('tui.test.ts'), recipe?.code ?? '');
    const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
    const { status, output } = await place.run(process.execPath, [vitest, 'run', '--root', place.path], { CI: '' });
    expect(status, output).toBe(0);
    expect(output).toContain('1 passed');
  });
});

describe('the example', () => {
  itNeeds('python3').each(moduleBlocks)('$title', async ({ code }) => {
    const place = workplace();
    await place.add('example.js', code);
    const { status, output } = await place.run(process.execPath, ['example.js']);
    expect(status, output).toBe(0);
  });
});
