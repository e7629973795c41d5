/**
 * Exports of recordings, decoded by other programs: by the built command line in each format that has code or files of its own in
 * the package, and otherwise in the process of the test.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_CONFIG } from '../../src/protocol/commands/config.js';
import { loadRecording } from '../../src/playback/recording.js';
import { castV3, type Line, linesOf } from '../history/recording/recordings.js';
import { CLI, runCli } from '../support/cli.js';
import { runCliHere } from '../support/cli-in-process.js';
import { request, startDaemon } from '../support/daemon.js';
import { fakeDaemon, replyLine } from '../support/fake-daemon.js';
import { ofFile } from '../support/of-file.js';
import { rawRequest } from '../support/raw.js';
import { itNeeds, requireProgram } from '../support/programs.js';
import { tempDir, type TempDir } from '../support/temp-dir.js';

const LINES: readonly Line[] = [
  [0, 'o', '$ make\r\n'],
  [1000, 'o', '\u001b[32mone \u4e2d\u001b[m\r\n'],
  [61_000, 'm', 'later'],
  [61_000, 'o', 'two\r\n'],
  [62_000, 'o', '\u001b[?1049h\u001b[Hfull screen'],
  [63_000, 'o', '\u001b[?1049lthree'],
  [63_000, 'x', '0'],
];

const daemonOfFile = ofFile(async (atEnd) => {
  const daemon = await startDaemon();
  atEnd(() => daemon.stop());
  return daemon;
});

function recorded(lines: readonly Line[] = LINES): TempDir {
  const dir = tempDir();
  writeFileSync(dir.join('a.cast'), castV3(lines));
  return dir;
}

const exported = exportedBy(runCliHere);
const exportedByBuild = exportedBy(runCli);

function exportedBy(runAs: typeof runCli) {
  return async (dir: TempDir, ...args: string[]): Promise<Record<string, unknown>> => {
    const { stdout, stderr, status } = await runAs(['export', 'a.cast', ...args, '--json'], { cwd: dir.path });
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
}

test('a GIF shows each screen for its time, with long pauses shortened', async () => {
  const dir = recorded();
  expect(await exportedByBuild(dir, '-o', 'a.gif')).toMatchObject({
    format: 'gif',
    frames: 5,
    width: 400,
    height: 200,
  });
  const { pages, delay, width, pageHeight } = await sharp(dir.join('a.gif'), { animated: true }).metadata();
  expect({ pages, width, pageHeight }).toEqual({ pages: 5, width: 400, pageHeight: 200 });
  expect(delay).toEqual([1000, 2000, 1000, 1000, 1500]);
});

test('the last frame is the picture of the opened recording, pixel by pixel', async () => {
  const dir = recorded();
  await exported(dir, '-o', 'a.gif', '--scale', '80');
  const daemon = await daemonOfFile();
  const { id } = await request(daemon, { cmd: 'open', path: dir.join('a.cast') });
  const { bytes } = await rawRequest(daemon.socketPath, { cmd: 'screenshot', id, scale: 80 });
  const live = await sharp(bytes).removeAlpha().toColourspace('srgb').raw().toBuffer();
  const film = await sharp(dir.join('a.gif'), { page: 4 }).removeAlpha().toColourspace('srgb').raw().toBuffer();
  expect(film.equals(live)).toBe(true);
});

test('a range, a speed and a theme apply', async () => {
  const dir = recorded();
  const range = ['--from', 'marker:later', '--to=-1s', '--speed', '2', '--theme', 'light'];
  expect(await exported(dir, '-o', 'a.gif', ...range)).toMatchObject({ frames: 2, duration_ms: 2000 });
  const { dominant } = await sharp(dir.join('a.gif')).stats();
  expect(dominant.r).toBeGreaterThan(200);
});

test('profile and margin are those of pictures', async () => {
  const dir = recorded();
  const sized = ['--profile', 'cheap', '--pad', '8'];
  expect(await exported(dir, '-o', 'a.gif', ...sized)).toMatchObject({ width: 40 * 7 + 16, height: 10 * 14 + 16 });
});

test('on a terminal it shows its progress, and leaves one line', async () => {
  const dir = recorded();
  const daemon = await daemonOfFile();
  const command = [process.execPath, CLI, 'export', dir.join('a.cast'), '-o', dir.join('a.gif')];
  const { lines, id } = await request(daemon, { cmd: 'run', cmd_args: command, cols: 200, keep: true });
  const { bytes } = await rawRequest(daemon.socketPath, { cmd: 'output', id });
  expect(bytes.toString()).toMatch(/\d+ %, \d+ frames/);
  expect((lines as string[]).filter((line) => line.trim() !== '')).toEqual([
    expect.stringMatching(/a\.gif: gif, \d+ bytes/),
  ]);
});

test('an asciicast of a range plays alone, in both versions', async () => {
  const dir = recorded();
  await exported(dir, '-o', 'v3.cast', '--from', '61s');
  await exported(dir, '-o', 'v2.cast', '--from', '61s', '--format', 'asciicast-v2');
  const [third, second] = await Promise.all(['v3.cast', 'v2.cast'].map((name) => loadRecording(dir.join(name))));
  expect([third?.format, second?.format]).toEqual(['asciicast-v3', 'asciicast-v2']);
  const lines = linesOf(third?.events ?? []);
  // What was on the screen at its beginning is repainted.
  expect(lines[0]?.[2]).toContain('$ make');
  expect(lines[0]?.[2]).toContain('two');
  expect(lines.slice(1)).toEqual([
    [1000, 'o', LINES[4]?.[2]],
    [2000, 'o', LINES[5]?.[2]],
    [2000, 'x', '0'],
  ]);
  expect(linesOf(second?.events ?? [])).toEqual(lines.slice(0, -1));
});

test('a whole asciicast is the same recording', async () => {
  const dir = recorded();
  await exported(dir, '-o', 'b.cast');
  expect(linesOf((await loadRecording(dir.join('b.cast'))).events)).toEqual(LINES);
});

test('a text has each line with its time, and full-screen programs as they were left', async () => {
  const dir = recorded();
  const { stdout } = await runCliHere(['export', 'a.cast', '-o', '-', '--format', 'text'], { cwd: dir.path });
  expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
    '0:00.0   $ make',
    '0:01.0   one \u4e2d',
    '1:01.0   two',
    '1:03.0   --- full screen ---',
    '         full screen',
    '         ---',
    '1:03.0   three',
    '',
  ]);
});

test('an animated PNG begins as a still one', async () => {
  const dir = recorded();
  expect(await exported(dir, '-o', 'a.apng')).toMatchObject({ format: 'apng', frames: 5 });
  expect(await sharp(dir.join('a.apng')).metadata()).toMatchObject({ width: 400, height: 200, format: 'png' });
});

/** Milliseconds and pixels of each frame, by the decoder of the browser. */
const DECODE = `async (base64) => {
  const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const decoder = new ImageDecoder({ data, type: 'image/png' });
  await Promise.all([decoder.tracks.ready, decoder.completed]);
  const frames = [];
  for (let frameIndex = 0; frameIndex < decoder.tracks.selectedTrack.frameCount; frameIndex++) {
    const { image } = await decoder.decode({ frameIndex });
    const context = new OffscreenCanvas(image.displayWidth, image.displayHeight).getContext('2d');
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, image.displayWidth, image.displayHeight).data;
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', pixels));
    frames.push([image.duration / 1000, [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')]);
  }
  return frames;
}`;

itNeeds('chromium')('a browser finds the frames of the GIF in the animated PNG, with their times', async () => {
  const dir = recorded();
  await exported(dir, '-o', 'a.gif');
  await exported(dir, '-o', 'a.apng');
  const { delay = [] } = await sharp(dir.join('a.gif'), { animated: true }).metadata();
  const expected = await Promise.all(
    delay.map(async (ms, page) => {
      const pixels = await sharp(dir.join('a.gif'), { page }).ensureAlpha().raw().toBuffer();
      return [ms, createHash('sha256').update(pixels).digest('hex')];
    }),
  );
  const browser = await chromium.launch({ executablePath: requireProgram('chromium'), args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    // Only pages with an origin that is trusted have the decoder.
    writeFileSync(dir.join('blank.html'), '');
    await page.goto(`file://${dir.join('blank.html')}`);
    const decoded = await page.evaluate(`(${DECODE})('${readFileSync(dir.join('a.apng')).toString('base64')}')`);
    expect(decoded).toEqual(expected);
    expect(expected).toHaveLength(5);
  } finally {
    await browser.close();
  }
});

const HOSTILE: readonly Line[] = [
  [
    0,
    'o',
    '</script><img src=x onerror=alert(1)> \u001b]8;;file:///etc/passwd\u001b\\file\u001b]8;;\u001b\\ \u001b]8;;javascript:x\u001b\\js\u001b]8;;\u001b\\\r\n',
  ],
  [500, 'm', '</script><b>'],
  [1000, 'o', 'second screen'],
];

test('a page has no text of the recording as markup, and no link into a file system', async () => {
  const dir = recorded(HOSTILE);
  await exported(dir, '-o', 'a.html');
  const page = readFileSync(dir.join('a.html'), 'utf8');
  expect(page.split('</script>')).toHaveLength(3);
  expect(page).not.toMatch(/<img|file:\/\/|javascript:/);
  expect(page).toContain("default-src 'none'");
  expect(page).not.toMatch(/https?:/);
});

itNeeds('chromium')('a page plays in a browser, and shows a moment', { timeout: 60_000 }, async () => {
  const dir = recorded(HOSTILE);
  await exportedByBuild(dir, '-o', 'a.html');
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${dir.join('profile')}`, '--dump-dom'];
  const shownAt = (ms: number): string => {
    const dom = execFileSync(requireProgram('chromium'), [...flags, `file://${dir.join('a.html')}#${ms}`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return /<pre id="screen"[^>]*>([\s\S]*)<\/pre>/.exec(dom.toString())?.[1] ?? '';
  };
  expect(shownAt(0)).toContain('&lt;/script&gt;&lt;img');
  expect(shownAt(0)).not.toContain('second');
  expect(shownAt(1000)).toContain('second screen');
});

itNeeds('chromium')(
  'a page fills windows of any size, at most twice as large, and cuts nothing of the screen',
  async () => {
    const dir = recorded();
    await exportedByBuild(dir, '-o', 'a.html');
    const browser = await chromium.launch({ executablePath: requireProgram('chromium'), args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      for (const [width, height] of [
        [1280, 800],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.goto(`file://${dir.join('a.html')}`);
        const box = await page.locator('#t4a').boundingBox();
        const screen = await page.locator('#screen').boundingBox();
        expect(screen).toMatchObject({ width: expect.closeTo((box?.width ?? 0) - 2, 0) });
        const { x = 0, y = 0, width: across = 0, height: down = 0 } = box ?? {};
        expect(Math.min(x, y, width - x - across, height - y - down)).toBeGreaterThanOrEqual(23);
        const zoom = await page.evaluate<string>(`document.getElementById('screen').style.zoom`);
        expect(zoom === '2' || Math.min(x, y) <= 25).toBe(true);
      }
    } finally {
      await browser.close();
    }
  },
);

test('of a terminal whose program has ended, the last recording is exported', async () => {
  const daemon = await daemonOfFile();
  const made = { cmd_args: ['echo', 'this one'], record: true, wait: { until: { exit: true } } };
  await request(daemon, { cmd: 'create', ...made });
  const options = { socketPath: daemon.socketPath, cwd: daemon.dir };
  const { stdout, stderr } = await runCliHere(['export', '@', '-o', '-', '--format', 'text'], options);
  expect({ stdout: stdout.slice(9), stderr }).toEqual({ stdout: 'this one\n', stderr: '' });
});

test('of a terminal whose program has just ended, the file is finished before it is read', async () => {
  const dir = tempDir();
  const path = dir.join('a.cast');
  const daemon = await fakeDaemon();
  const status = { id: 'w', alive: false, created_at: 1000, recording: null };
  const recordings = [{ path, terminal: 'w', started_at: 1000, live: true }];
  daemon.answers.push(
    (socket, req) => void socket.write(replyLine(req, status)),
    (socket, req) => void socket.write(replyLine(req, { recordings })),
    (socket, req) => {
      writeFileSync(path, castV3(LINES));
      socket.write(replyLine(req, { path }));
    },
  );
  const ended = await runCliHere(['--socket', daemon.socketPath, 'export', 'w', '-o', 'w.txt'], { cwd: dir.path });
  expect(ended).toMatchObject({ status: 0, stderr: '' });
  expect(daemon.answers).toEqual([]);
  expect(readFileSync(dir.join('w.txt'), 'utf8')).toContain('full screen');
});

test('of a terminal that is being recorded, its file is exported', async () => {
  const daemon = await daemonOfFile();
  await request(daemon, { cmd: 'config', history_bytes: 0 });
  onTestFinished(async () => void (await request(daemon, { cmd: 'config', ...DEFAULT_CONFIG })));
  const { id } = await request(daemon, {
    cmd: 'create',
    cmd_args: ['sh', '-c', 'echo seen; exec cat'],
    wait: { until: { text: 'seen' } },
  });
  const options = { socketPath: daemon.socketPath, cwd: daemon.dir };
  const refused = await runCliHere(['export', String(id), '-o', 'x.gif'], options);
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('has no history') });
  await request(daemon, { cmd: 'record', id, path: `${daemon.dir}/own.cast` });
  const found = async (): Promise<string> =>
    (await runCliHere(['export', String(id), '-o', '-', '--format', 'text'], options)).stdout;
  // The first lines are on the disk a moment later.
  let text = await found();
  while (!text.includes('seen')) text = await found();
  expect(text).toContain('seen');
});

/** Writes what it was called with, and how many bytes came. */
const FFMPEG = `#!/bin/sh
for last; do :; done
{ echo "$*"; wc -c; } > "$last"
`;

function withFfmpeg(dir: TempDir, program: string): Record<string, string> {
  writeFileSync(dir.join('ffmpeg'), program);
  chmodSync(dir.join('ffmpeg'), 0o755);
  mkdirSync(dir.join('tmp'));
  return { PATH: `${dir.path}:${process.env['PATH']}`, TMPDIR: dir.join('tmp') };
}

test('a video is made by ffmpeg from frames at a constant rate', async () => {
  const dir = recorded();
  const env = withFfmpeg(dir, FFMPEG);
  const { stderr, status } = await runCli(['export', 'a.cast', '-o', 'a.mp4', '--fps', '10'], { cwd: dir.path, env });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  const [args = '', bytes = ''] = readFileSync(dir.join('a.mp4'), 'utf8').split('\n');
  expect(args).toContain('-f rawvideo -pix_fmt rgb24 -s 400x200 -r 10 -i -');
  expect(args).toContain('libx264');
  // Five seconds, and the last screen for one and a half.
  expect(Number(bytes)).toBe(400 * 200 * 3 * 65);
  expect(readdirSync(dir.join('tmp'))).toEqual([]);
});

test('without ffmpeg a video is refused with the name of its package', async () => {
  const dir = recorded();
  const env = { PATH: dir.path };
  const { stderr, status } = await runCli(['export', 'a.cast', '-o', 'a.webm'], { cwd: dir.path, env });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('apt-get install ffmpeg') });
});

test('what ffmpeg reports is in the error', async () => {
  const dir = recorded();
  const env = withFfmpeg(dir, '#!/bin/sh\ncat > /dev/null; echo "no encoder here" >&2; exit 1\n');
  const { stderr, status } = await runCli(['export', 'a.cast', '-o', 'a.webm'], { cwd: dir.path, env });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('no encoder here') });
  expect(readdirSync(dir.join('tmp'))).toEqual([]);
});

test.each([
  ['an unknown ending', ['a.cast', '-o', 'a.xyz'], 'The format is not clear'],
  ['no output', ['a.cast'], 'export needs a file'],
  ['a file that does not exist', ['none.cast', '-o', 'a.gif'], 'There is no file'],
  ['an end before the beginning', ['a.cast', '-o', 'a.gif', '--from', '5s', '--to', '1s'], 'is before "from"'],
  ['a moment that is none', ['a.cast', '-o', 'a.gif', '--from', 'soon'], 'expected 12.5s'],
  ['an unknown theme', ['a.cast', '-o', 'a.gif', '--theme', 'pink'], 'There is no theme'],
  ['a speed of 0', ['a.cast', '-o', 'a.gif', '--speed', '0'], '--speed'],
  ['a giant size', ['big.cast', '-o', 'a.gif', '--scale', '100'], 'the limit is 8192 a side'],
  ['a taken folder', ['a.cast', '-o', '.', '--format', 'gif'], 'cannot be written'],
])('%s is refused', async (_name, args, message) => {
  const dir = recorded();
  writeFileSync(dir.join('big.cast'), castV3(LINES, { cols: 1000, rows: 1000 }));
  const { status, stderr } = await runCliHere(['export', ...args], { cwd: dir.path });
  expect({ refused: status !== 0, stderr }).toEqual({ refused: true, stderr: expect.stringContaining(message) });
});
