/**
 * Beside ghostty-opentui, the renderer that tuistory takes its screenshots with: time, bytes, and words that tesseract reads
 * right per token. It is installed into a temporary directory for the run. Of the other terminal servers for agents none
 * could be had from the npm registry under its known name when this was written (tui-mcp, @ellery/terminal-mcp,
 * @dwmkerr/shellwright: 404).
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';

import { estimateTokens } from '../src/render/tokens.js';
import type { Snapshot } from '../src/vt/snapshot.js';
import { screen } from '../test/render/support/screen.js';
import { newRenderer, OPTIONS, themeNamed } from '../test/render/support/studio.js';
import { ansiOf } from './render-ansi.js';
import { ocrLines, ocrScore } from './render-ocr-score.js';
import { BENCH_SCREENS } from './render-screens.js';

const PEER = 'ghostty-opentui@1.5.0';

interface Peer {
  ptyToJson(input: string, options: { readonly cols: number; readonly rows: number }): unknown;
  renderTerminalToImage(data: unknown, options: object): Promise<Buffer>;
}

const directory = mkdtempSync(join(tmpdir(), 't4a-peers-'));
try {
  writeFileSync(join(directory, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', PEER], { cwd: directory });
  const resolve = createRequire(join(directory, 'package.json')).resolve;
  const buffers = (await import(pathToFileURL(resolve('ghostty-opentui')).href)) as Peer;
  const images = (await import(pathToFileURL(resolve('ghostty-opentui/image')).href)) as Peer;
  for (const { name, make } of BENCH_SCREENS) await compare(name, make(80, 24), buffers, images);
  await compareReading(buffers, images);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function compare(name: string, snapshot: Snapshot, buffers: Peer, images: Peer): Promise<void> {
  const renderer = newRenderer();
  const options = { ...OPTIONS, theme: themeNamed('dark') };
  const ours = await median(() =>
    renderer.render({ ...snapshot, lines: snapshot.lines.map((row) => ({ ...row })) }, options, renderer),
  );
  const bytes = renderer.render(snapshot, options).byteLength;
  const data = buffers.ptyToJson(ansiOf(snapshot), { cols: snapshot.cols, rows: snapshot.rows });
  const draw = (): Promise<Buffer> => images.renderTerminalToImage(data, { fontSize: 13, lineHeight: 1.2 });
  const theirs = await median(draw);
  const png = await draw();
  const { width, height } = await sharp(png).metadata();
  console.log(
    `${name.padEnd(18)} ours ${ours.toFixed(2)} ms, ${bytes} bytes; peer ${theirs.toFixed(1)} ms, ${png.length} bytes at ${width}x${height}: ` +
      `time 1/${(theirs / ours).toFixed(0)}, bytes 1/${(png.length / bytes).toFixed(1)}`,
  );
}

async function compareReading(buffers: Peer, images: Peer): Promise<void> {
  const lines = ocrLines();
  const snapshot = screen(80, lines);
  for (const cellWidth of [7, 8, 10]) {
    const options = { ...OPTIONS, cellWidth, cellHeight: cellWidth * 2, theme: themeNamed('dark'), cursor: false };
    const png = Buffer.concat(newRenderer().render(snapshot, options).chunks);
    await print(`ours ${cellWidth}x${cellWidth * 2}`, await ocrScore(png, cellWidth * 2, lines), png);
  }
  const data = buffers.ptyToJson(lines.join('\r\n'), { cols: 80, rows: 24 });
  for (const fontSize of [12, 13, 14, 16]) {
    const png = await images.renderTerminalToImage(data, { fontSize, lineHeight: 1.2 });
    const { height } = await sharp(png).metadata();
    await print(`peer ${fontSize} px`, await ocrScore(png, height / lines.length, lines), png);
  }
}

async function print(
  what: string,
  score: { readonly right: number; readonly words: number },
  png: Buffer,
): Promise<void> {
  const { width, height } = await sharp(png).metadata();
  const tokens = estimateTokens(width, height).claude;
  console.log(`${what.padEnd(12)} ${score.right}/${score.words} words right, ${width}x${height}, ${tokens} tokens`);
}

async function median(measured: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 9; run++) {
    const start = performance.now();
    await measured();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[4] ?? 0;
}
