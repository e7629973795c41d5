/** The commands of docs/crew-tutorial.md run as they stand, in one shell. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { CLI } from '../support/cli.js';
import { consumer, readRoot } from '../support/consumer.js';
import { endDaemonAt } from '../support/end-daemon.js';
import { itNeeds } from '../support/programs.js';

const PAGE = readRoot('docs/crew-tutorial.md');

test('the tutorial of the crew has only blocks that are run', () => {
  const fences = [...PAGE.matchAll(/^```.*$/gm)].map(([fence]) => fence);
  expect(fences.filter((_, i) => i % 2 === 0).every((fence) => fence === '```sh')).toBe(true);
  expect(fences.length).toBeGreaterThan(6);
});

itNeeds('bash', 'python3')(
  'the tutorial of the crew runs as written: an agent starts another, gets its report, and asks',
  async () => {
    const place = consumer();
    onTestFinished(() => endDaemonAt(place.socketPath));
    writeFileSync(place.join('t4a'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
    chmodSync(place.join('t4a'), 0o755);
    mkdirSync(place.join('run'), { mode: 0o700 });
    const code = [...PAGE.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join('');
    const { status, output } = await place.run('bash', ['-euo', 'pipefail', '-c', code], {
      PATH: `${place.path}:${process.env['PATH']}`,
      HOME: place.path,
      XDG_CONFIG_HOME: place.join('config'),
      XDG_DATA_HOME: place.join('data'),
      XDG_STATE_HOME: place.join('state'),
      XDG_RUNTIME_DIR: place.join('run'),
    });
    expect(status, output).toBe(0);
    expect(output).toMatch(/^└─ worker-1 +worker-1 +agent /m);
    expect(output).toContain('Ship it?');
    expect(output).toContain('[system] Your question 1 ("lead-1") was answered: yes');
    expect(output).toContain('worker-1: ended by SIGHUP');
  },
);
