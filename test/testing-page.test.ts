/** The recipes of docs/testing.md are tests that pass, twice: the first run writes the snapshots. */
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { CLI } from './support/cli.js';
import { consumer, readRoot, ROOT, type Consumer } from './support/consumer.js';
import { endDaemonAt } from './support/end-daemon.js';
import { itNeeds } from './support/programs.js';

const VITEST = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
const SNAPSHOTS = ['less-shows-the-file-and-finds-a-word-found.png', 'less-shows-the-file-and-finds-a-word.txt'];

function recipe(language: string): string {
  return new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(readRoot('docs/testing.md'))?.[1] ?? '';
}

function workplace(): Consumer {
  const place = consumer();
  onTestFinished(() => endDaemonAt(place.socketPath));
  const words = ['alpha', ...Array.from({ length: 50 }, (_, i) => `word ${i}`), 'omega', ''];
  writeFileSync(place.join('words.txt'), words.join('\n'));
  return place;
}

itNeeds('less')('the recipe for Vitest passes, also in CI once it has its snapshots', async () => {
  const place = workplace();
  writeFileSync(place.join('less.test.ts'), recipe('ts'));
  for (const CI of ['', 'true']) {
    const { status, output } = await place.run(process.execPath, [VITEST, 'run', '--root', place.path], { CI });
    expect(status, output).toBe(0);
  }
  expect(readdirSync(place.join('__snapshots__/less.test.ts')).toSorted()).toEqual(SNAPSHOTS);
});

itNeeds('less', 'pytest')('the recipe for pytest passes once it has its snapshots', async () => {
  const place = workplace();
  writeFileSync(place.join('test_less.py'), recipe('python'));
  const env = {
    PYTHONPATH: path.join(ROOT, 'clients/python'),
    PYTHONDONTWRITEBYTECODE: '1',
    // Those of this machine, which take seconds to load.
    PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1',
    T4A_COMMAND: JSON.stringify([process.execPath, CLI]),
  };
  for (const args of [['--t4a-update'], []]) {
    const all = ['-q', '-p', 't4a.pytest_plugin', '-p', 'no:cacheprovider', '--rootdir', place.path, ...args];
    const { status, output } = await place.run('pytest', all, env);
    expect(status, output).toBe(0);
  }
  expect(readdirSync(place.join('__snapshots__/test_less')).length).toBe(2);
});
