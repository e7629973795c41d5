/** What real programs print, recorded on this machine: shown again elsewhere, their screens differ by the drawing alone. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { connect, type Client, type ParamsInput } from '../../src/client/index.js';
import { TrialDaemon } from '../support/trial-daemon.js';

export interface Recording {
  readonly name: string;
  readonly bytes: Buffer;
  readonly cols: number;
  readonly rows: number;
}

type Until = NonNullable<NonNullable<ParamsInput<'create'>['wait']>['until']>;

/** As scripts/gallery/scenes.mjs has them. */
interface Scene {
  readonly name: string;
  readonly command: readonly string[];
  readonly directory?: string;
  readonly ready?: Until;
  readonly steps: readonly { type?: string; press?: string[]; send?: string; until: Until }[];
  readonly cols?: number;
  readonly rows: number;
}

interface Gallery {
  readonly SCENES: readonly Scene[];
  readonly ENVIRONMENT: Record<string, string>;
  writeHome(home: string): string;
  writeHistory(directory: string, environment: object): void;
}

/** The programs of the gallery, and every style, underline and colour. */
export async function record(root: string): Promise<Recording[]> {
  const gallery = await load(root);
  const home = mkdtempSync('/tmp/t4a-');
  const environment = { ...gallery.ENVIRONMENT, PATH: process.env['PATH'] ?? '', HOME: home, TMUX_TMPDIR: home };
  const daemon = await TrialDaemon.start(root);
  const client = await connect({ socketPath: daemon.socketPath, autoStart: false });
  try {
    mkdirSync(path.join(home, 'recorded'));
    const demo = gallery.writeHome(home);
    gallery.writeHistory(path.join(home, 'history'), environment);
    const recordings: Recording[] = [];
    for (const scene of gallery.SCENES) {
      const cwd = scene.directory === undefined ? demo : path.join(home, scene.directory);
      recordings.push(await recordScene(client, scene, cwd, environment, path.join(home, 'recorded', scene.name)));
    }
    return [...recordings, { name: 'styles', bytes: Buffer.from(styles()), cols: 80, rows: 24 }];
  } finally {
    await client.close();
    await daemon.stop();
    daemon.remove();
    // A program that is being ended may still write.
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

async function recordScene(
  client: Client,
  { name, command, ready, steps, cols = 80, rows }: Scene,
  cwd: string,
  env: Record<string, string>,
  file: string,
): Promise<Recording> {
  const line = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  const { id } = await client.call('create', {
    cmd_args: ['script', '-q', '-e', '-f', '-c', `exec ${line}`, file],
    cols,
    rows,
    cwd,
    inherit_env: false,
    env,
    shell_integration: false,
    wait: { until: ready ?? { settled_ms: 300 } },
  });
  for (const { until, type, press, send } of steps) {
    const wait = { until, timeout_ms: 10_000 };
    if (type !== undefined) await client.call('type', { id, text: type, submit: true, wait });
    else if (press !== undefined) await client.call('press', { id, keys: press, wait });
    else await client.call('send', { id, input: send ?? '', wait });
  }
  await client.call('wait', { id, until: { settled_ms: 300 } });
  const bytes = readFileSync(file);
  await client.call('kill', { id });
  // `script` begins with a line of its own.
  return { name, bytes: bytes.subarray(bytes.indexOf('\n') + 1), cols, rows };
}

async function load(root: string): Promise<Gallery> {
  const modules = ['scenes.mjs', 'files.mjs'].map(
    (name) => pathToFileURL(path.join(root, 'scripts/gallery', name)).href,
  );
  const [scenes, files] = await Promise.all(modules.map((url) => import(url) as Promise<object>));
  return { ...scenes, ...files } as Gallery;
}

function styles(): string {
  const sgr = (code: string, text: string): string => `\x1b[${code}m${text}\x1b[0m `;
  const attributes = ['1', '2', '3', '4', '5', '7', '9', '53', '1;3', '1;4', '2;3', '3;9'];
  const underlines = ['4:1', '4:2', '4:3', '4:4', '4:5', '4:3;58:2::255:80:80', '4:2;58:5:45'];
  const colors = (from: number, to: number): string =>
    Array.from({ length: to - from }, (_, at) => `\x1b[48;5;${from + at}m \x1b[0m`).join('');
  const ramp = Array.from({ length: 76 }, (_, at) => `\x1b[38;2;${at * 3};${255 - at * 3};128m▀\x1b[0m`).join('');
  return [
    attributes.map((code) => sgr(code, `Style ${code}`)).join(''),
    underlines.map((code) => sgr(code, 'under gjpqy')).join(''),
    Array.from({ length: 16 }, (_, at) => sgr(`${at < 8 ? 30 + at : 82 + at}`, `c${at}`)).join(''),
    colors(16, 92),
    colors(92, 168),
    colors(168, 244),
    ramp,
    '┌─┬─┐ ╔═╦═╗ ╭─╮ ┏━┳━┓ █▓▒░ ▁▂▃▄▅▆▇█ ⣿⣶⣀ ╱╲╳ ◢◣◤◥ ▏▎▍▌▋▊▉',
    '漢字かな交じり文 한국어 العربية עברית ไทย हिन्दी Ελληνικά Кириллица naïve Ǆ ﬁ é̂̃',
    '😀 👩‍👩‍👧 🇨🇭 👍🏽 ❤️ ☎ ✓ ✗ ★ ♠ ⚡ 🎉 🚀 🐍 🦀 ☕ 🏳️‍🌈 1️⃣ ∑∫√∞≠≤ ←↑→↓ ⇒ ℵ ℹ️',
    '\x1b#6double width ABC 漢\r\n\x1b#3double height ABC\r\n\x1b#4double height ABC',
  ].join('\r\n');
}
