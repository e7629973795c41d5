/** What a failed matcher leaves behind, in a project of somebody else's. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { loadRecording } from '../../src/playback/recording.js';
import { linesOf } from '../history/recording/recordings.js';
import { consumer, type Consumer, ROOT } from '../support/consumer.js';
import { endDaemonAt } from '../support/end-daemon.js';

const VITEST = path.join(ROOT, 'node_modules/vitest/vitest.mjs');

const FAILING = `
import { launch } from 't4a';
import { keepFailuresIn } from 't4a/vitest';
import { expect, test } from 'vitest';

test('greets: "world"', async () => {
  await using terminal = await launch({ command: 'printf "name? "; read -r name; echo "hello, $name"; cat', cols: 40, rows: 6 });
  await terminal.waitForText('name?');
  await terminal.type('nobody', { submit: true });
  await terminal.waitForText('hello');
  await expect(terminal).toShowText('hello, world', { timeout_ms: 50 });
});

test('ends well', async () => {
  await using terminal = await launch({ command: 'echo broken; exit 3' });
  keepFailuresIn('elsewhere');
  await expect(terminal).not.toHaveExited(0);
  await expect(terminal).toHaveExited(0);
});

test('keeps nothing', async () => {
  await using terminal = await launch({ command: 'echo unwanted; cat' });
  keepFailuresIn(undefined);
  await expect(terminal).not.toShowText(/unwanted/);
});
`;

async function run(place: Consumer, name: string): Promise<string> {
  const { status, output } = await place.run(process.execPath, [VITEST, 'run', name, '--no-color']);
  expect({ status, output }).toMatchObject({ status: 1 });
  return output;
}

test('a failed matcher leaves the last seconds as a cast, a film sheet and a text, and names them', async () => {
  const place = consumer();
  await place.add('greeting.test.js', FAILING);
  onTestFinished(() => endDaemonAt(place.socketPath));
  const output = await run(place, 'greeting.test.js');
  // The same test replaces its files.
  await run(place, 'greeting.test.js');
  const files = ['greeting-greets-world.cast', 'greeting-greets-world.png', 'greeting-greets-world.txt'];
  expect(readdirSync(place.join('.t4a-failures')).toSorted()).toEqual(files);
  const cast = /To play it: t4a play (\S+)/.exec(output)?.[1] ?? '';
  const sheet = /What it showed before: (\S+)/.exec(output)?.[1] ?? '';
  expect(path.dirname(cast)).toBe(place.join('.t4a-failures'));
  expect(statSync(cast).mode & 0o777).toBe(0o600);
  const { start, events } = await loadRecording(cast);
  expect(start).toMatchObject({ cols: 40, rows: 6 });
  expect(
    linesOf(events)
      .map(([, , text]) => text)
      .join(''),
  ).toBe('name? nobody\r\nhello, nobody\r\n');
  expect(await sharp(readFileSync(sheet)).metadata()).toMatchObject({ format: 'png' });
  const others = ['greeting-ends-well.cast', 'greeting-ends-well.png', 'greeting-ends-well.txt'];
  expect(readdirSync(place.join('elsewhere')).toSorted()).toEqual(others);
  expect(output.match(/What it showed before/g)?.length).toBe(2);
});
