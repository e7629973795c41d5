/** Two command lines in one process, each for a caller of its own. The tests of other files run theirs so, too (beside-another.ts). */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCliHere } from '../support/cli-in-process.js';
import { serve } from '../support/serve.js';
import { tempDir } from '../support/temp-dir.js';

/** A daemon that answers once both have asked, and what each of its requests was. */
async function meeting(
  cmd: 'create' | 'text' | 'rules',
): Promise<{ socketPath: string; asked: Record<string, unknown>[] }> {
  const asked: Record<string, unknown>[] = [];
  let meet: () => void = () => {};
  const both = new Promise<void>((resolve) => (meet = resolve));
  const handler = async (params: Record<string, unknown>): Promise<never> => {
    asked.push(params);
    if (asked.length === 2) meet();
    await both;
    throw new Error(`for ${String(params['name'] ?? params['id'])}`);
  };
  const { socketPath } = await serve({ [cmd]: handler });
  return { socketPath, asked };
}

function places(): readonly [string, string] {
  const dir = tempDir();
  for (const name of ['a', 'b']) {
    mkdirSync(path.join(dir.path, name, 't4a'), { recursive: true });
    const settings = { cols: name === 'a' ? 81 : 82, socket: path.join(dir.path, name, 'none/s') };
    writeFileSync(path.join(dir.path, name, 't4a/config.json'), JSON.stringify(settings));
  }
  return [path.join(dir.path, 'a'), path.join(dir.path, 'b')];
}

describe('two at once', () => {
  test('send their own directory, environment and settings', async () => {
    const { socketPath, asked } = await meeting('create');
    const run = (cwd: string, name: string) =>
      runCliHere(['create', '--name', name, '--cwd', 'sub'], {
        cwd,
        env: { T4A_SOCKET: socketPath, XDG_CONFIG_HOME: cwd, MINE: name },
      });
    const [a, b] = places();
    await Promise.all([run(a, 'one'), run(b, 'two')]);
    const seen = asked.map(({ name, cwd, cols, env }) => [name, cwd, cols, (env as Record<string, string>)['MINE']]);
    expect(new Set(seen)).toEqual(
      new Set([
        ['one', `${a}/sub`, 81, 'one'],
        ['two', `${b}/sub`, 82, 'two'],
      ]),
    );
  });

  test('find the daemon by their own environment and configuration', async () => {
    const [a, b] = places();
    const [one, two] = await Promise.all([
      runCliHere(['list'], { cwd: a, env: { T4A_SOCKET: `${a}/none/s` } }),
      runCliHere(['list'], { cwd: b, env: { XDG_CONFIG_HOME: b } }),
    ]);
    expect(one.stderr).toContain(`${a}/none/s`);
    expect(two.stderr).toContain(`${b}/none/s`);
  });

  test('read files from their own directories', async () => {
    const { socketPath, asked } = await meeting('rules');
    const [a, b] = places();
    for (const place of [a, b]) writeFileSync(path.join(place, 'rules.json'), `{"of":"${place}"}`);
    const run = (cwd: string) => runCliHere(['rules', 'check', 'rules.json'], { cwd, socketPath });
    await Promise.all([run(a), run(b)]);
    expect(new Set(asked.map(({ rules }) => rules))).toEqual(new Set([`{"of":"${a}"}`, `{"of":"${b}"}`]));
  });
});
