/**
 * Beside ghostty-opentui, the renderer that tuistory takes its screenshots with: time, bytes, and words that tesseract reads
 * right at equal tokens. It is installed into a temporary directory for the run. Of the other terminal servers for agents
 * none could be had from the npm registry under its known name when this was written (tui-mcp, @ellery/terminal-mcp,
 * @dwmkerr/shellwright: 404).
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import type { Snapshot } from '../src/vt/snapshot.js';
import { screen } from '../test/render/support/screen.js';
import { ansiOf } from './render-ansi.js';
import { ocrLines, ocrScore } from './render-ocr-score.js';
import { BENCH_SCREENS } from './render-screens.js';
import { allCopied, benchOptions, benchRenderer } from './render-studio.js';
import { type BenchContext, type Figure, median } from './support/figure.js';

const PEER = 'ghostty-opentui@1.5.0';
/** Its picture of 80x24 at this size costs as many tokens as ours at 8x16: 624x384 pixels. */
const PEER_OPTIONS = { fontSize: 13, lineHeight: 1.2 };

interface Peer {
  readonly ptyToJson: (input: string, options: { readonly cols: number; readonly rows: number }) => unknown;
  readonly renderTerminalToImage: (data: unknown, options: object) => Promise<Buffer>;
}

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 't4a-peers-'));
  try {
    const peer = await install(directory);
    const figures: Figure[] = [];
    for (const { name, make } of BENCH_SCREENS) figures.push(...(await compare(root, name, make(80, 24), peer)));
    return [...figures, await compareReading(root, peer)];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function install(directory: string): Promise<Peer> {
  writeFileSync(join(directory, 'package.json'), '{"private":true}');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['install', ...flags, PEER], { cwd: directory, stdio: 'ignore' });
  const { resolve } = createRequire(join(directory, 'package.json'));
  const buffer = (await import(pathToFileURL(resolve('ghostty-opentui')).href)) as Pick<Peer, 'ptyToJson'>;
  const image = (await import(pathToFileURL(resolve('ghostty-opentui/image')).href)) as Pick<
    Peer,
    'renderTerminalToImage'
  >;
  return { ptyToJson: buffer.ptyToJson, renderTerminalToImage: image.renderTerminalToImage };
}

async function compare(root: string, name: string, snapshot: Snapshot, peer: Peer): Promise<Figure[]> {
  const renderer = benchRenderer(root);
  const options = benchOptions(8);
  const ours = await medianOf(() => renderer.render(allCopied(snapshot), options, renderer));
  const bytes = renderer.render(snapshot, options).byteLength;
  const data = peer.ptyToJson(ansiOf(snapshot), { cols: snapshot.cols, rows: snapshot.rows });
  const theirs = await medianOf(() => peer.renderTerminalToImage(data, PEER_OPTIONS));
  const { length } = await peer.renderTerminalToImage(data, PEER_OPTIONS);
  return [
    {
      name: `${name}: time over peer`,
      value: ours / theirs,
      limit: 1,
      note: `${ours.toFixed(2)} of ${theirs.toFixed(1)} ms`,
    },
    { name: `${name}: bytes over peer`, value: bytes / length, limit: 1, note: `${bytes} of ${length}` },
  ];
}

async function compareReading(root: string, peer: Peer): Promise<Figure> {
  const lines = ocrLines();
  const options = { ...benchOptions(8), cursor: false };
  const own = await ocrScore(Buffer.concat(benchRenderer(root).render(screen(80, lines), options).chunks), 16, lines);
  const data = peer.ptyToJson(lines.join('\r\n'), { cols: 80, rows: lines.length });
  const png = await peer.renderTerminalToImage(data, PEER_OPTIONS);
  const { height } = await sharp(png).metadata();
  const theirs = await ocrScore(png, height / lines.length, lines);
  return {
    name: 'words misread over peer, at equal tokens',
    value: (own.words - own.right) / (theirs.words - theirs.right),
    limit: 1,
    note: `${own.words - own.right} and ${theirs.words - theirs.right} of ${own.words}; ${own.tokens} and ${theirs.tokens} tokens`,
  };
}

async function medianOf(measured: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 9; run++) {
    const start = performance.now();
    await measured();
    times.push(performance.now() - start);
  }
  return median(times);
}
