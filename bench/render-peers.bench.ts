/**
 * Beside the renderers of other terminal servers for agents, on the same bytes: time, bytes of the picture, rows where they
 * belong, words that tesseract reads right at equal tokens. They are installed into a temporary directory for the run; one
 * that the registry does not have is named. ghostty-opentui is a renderer; tuistory is a server that draws with it, measured
 * through its own session: bytes to a PTY, then its data to a picture.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import type { Snapshot } from '../src/vt/snapshot.js';
import { rgb, rowOf, screen, screenOf } from '../test/render/support/screen.js';
import { ansiOf } from './render-ansi.js';
import { ocrLines, ocrScore } from './render-ocr-score.js';
import { BENCH_SCREENS } from './render-screens.js';
import { allCopied, benchOptions, benchRenderer } from './render-studio.js';
import { type BenchContext, type Figure, median } from './support/figure.js';

const PEERS = ['ghostty-opentui@1.5.0', 'tuistory@0.10.1', 'tui-mcp', '@ellery/terminal-mcp', '@dwmkerr/shellwright'];
const INSTALL_TIMEOUT_MS = 120_000;
/** Its picture of 80x24 at this size costs as many tokens as ours at 8x16: 624x384 pixels. */
const PEER_OPTIONS = { fontSize: 13, lineHeight: 1.2 };
const PEER_CELL_HEIGHT = 16;

interface GhosttyOpentui {
  readonly ptyToJson: (input: string, options: { readonly cols: number; readonly rows: number }) => unknown;
  readonly renderTerminalToImage: (data: unknown, options: object) => Promise<Buffer>;
}

interface Tuistory {
  readonly launchTerminal: (options: object) => Promise<{
    readonly waitIdle: (options: object) => Promise<unknown>;
    readonly getTerminalData: () => unknown;
    readonly close: () => unknown;
  }>;
}

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 't4a-peers-'));
  try {
    writeFileSync(join(directory, 'package.json'), '{"private":true}');
    const refused = PEERS.filter((peer) => !install(directory, peer));
    const figures: Figure[] = refused.map((peer) => ({ name: `${peer} cannot be installed`, value: 1 }));
    const load = async <T>(name: string): Promise<T> => {
      const { resolve } = createRequire(join(directory, 'package.json'));
      return (await import(pathToFileURL(resolve(name)).href)) as T;
    };
    if (refused.includes(PEERS[0] ?? '')) return figures;
    const { ptyToJson } = await load<GhosttyOpentui>('ghostty-opentui');
    const { renderTerminalToImage } = await load<GhosttyOpentui>('ghostty-opentui/image');
    const peer = { ptyToJson, renderTerminalToImage };
    for (const { name, make } of BENCH_SCREENS) figures.push(...(await compare(root, name, make(80, 24), peer)));
    figures.push(await compareReading(root, peer));
    if (!refused.includes(PEERS[1] ?? '')) {
      figures.push(...(await compareRows(root, await load<Tuistory>('tuistory'), peer, directory)));
    }
    return figures;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function install(directory: string, peer: string): boolean {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  try {
    execFileSync('npm', ['install', ...flags, peer], { cwd: directory, stdio: 'ignore', timeout: INSTALL_TIMEOUT_MS });
    return true;
  } catch {
    return false;
  }
}

async function compare(root: string, name: string, snapshot: Snapshot, peer: GhosttyOpentui): Promise<Figure[]> {
  const renderer = benchRenderer(root);
  const options = benchOptions(8);
  const ours = await medianOf(() => renderer.render(allCopied(snapshot), options, renderer));
  const bytes = renderer.render(snapshot, options).byteLength;
  const data = peer.ptyToJson(ansiOf(snapshot), { cols: snapshot.cols, rows: snapshot.rows });
  const theirs = await medianOf(() => peer.renderTerminalToImage(data, PEER_OPTIONS));
  const { length } = await peer.renderTerminalToImage(data, PEER_OPTIONS);
  return [
    {
      name: `${name}: time over ghostty-opentui`,
      value: ours / theirs,
      limit: 1,
      note: `${ours.toFixed(2)} of ${theirs.toFixed(1)} ms`,
    },
    { name: `${name}: bytes over ghostty-opentui`, value: bytes / length, limit: 1, note: `${bytes} of ${length}` },
  ];
}

async function compareReading(root: string, peer: GhosttyOpentui): Promise<Figure> {
  const lines = ocrLines();
  const options = { ...benchOptions(8), cursor: false };
  const own = await ocrScore(Buffer.concat(benchRenderer(root).render(screen(80, lines), options).chunks), 16, lines);
  const data = peer.ptyToJson(lines.join('\r\n'), { cols: 80, rows: lines.length });
  const png = await peer.renderTerminalToImage(data, PEER_OPTIONS);
  const { height } = await sharp(png).metadata();
  const theirs = await ocrScore(png, height / lines.length, lines);
  return {
    name: 'words misread over ghostty-opentui, at equal tokens',
    value: (own.words - own.right) / (theirs.words - theirs.right),
    limit: 1,
    note: `${own.words - own.right} and ${theirs.words - theirs.right} of ${own.words}; ${own.tokens} and ${theirs.tokens} tokens`,
  };
}

/** Fifty coloured rows go by in a terminal of 24: which cells have the colour of the row that belongs there? */
async function compareRows(
  root: string,
  tuistory: Tuistory,
  peer: GhosttyOpentui,
  directory: string,
): Promise<Figure[]> {
  const rows = Array.from({ length: 50 }, (_, y) => [(y * 53) % 256, (y * 97 + 40) % 256, (y * 151 + 90) % 256]);
  const file = join(directory, 'rows.txt');
  writeFileSync(file, rows.map(([r, g, b]) => `\u001b[48;2;${r};${g};${b}m${' '.repeat(80)}\u001b[0m`).join('\r\n'));
  const session = await tuistory.launchTerminal({
    command: 'sh',
    args: ['-c', `cat ${file}; sleep 60`],
    cols: 80,
    rows: 24,
  });
  await session.waitIdle({ timeout: 2000 });
  const start = performance.now();
  const png = await peer.renderTerminalToImage(session.getTerminalData(), PEER_OPTIONS);
  const time = performance.now() - start;
  session.close();
  const visible = rows.slice(-24);
  const own = screenOf(
    visible.map(([r = 0, g = 0, b = 0]) => rowOf(80, [[' '.repeat(80), { bg: rgb(r * 65_536 + g * 256 + b) }]])),
  );
  const { chunks } = benchRenderer(root).render(own, { ...benchOptions(8), cursor: false });
  // Its picture holds what has scrolled away, too: the screen is the end of it.
  const { width, height } = await sharp(png).metadata();
  const shown = Math.round(height / PEER_CELL_HEIGHT);
  const top = Math.max(0, height - 24 * PEER_CELL_HEIGHT);
  const end = await sharp(png)
    .extract({ left: 0, top, width, height: height - top })
    .png()
    .toBuffer();
  return [
    {
      name: 'wrong cells after scrolling, ours',
      value: await wrongCells(Buffer.concat(chunks), visible),
      limit: 0,
      note: 'of 1920',
    },
    {
      name: "wrong cells after scrolling, tuistory's at the end of its picture",
      value: await wrongCells(end, visible),
      note: `of 1920; ${shown} rows are in its picture of a screen of 24; ${time.toFixed(0)} ms, ${png.length} bytes`,
    },
  ];
}

async function wrongCells(png: Buffer, rows: readonly (readonly number[])[]): Promise<number> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let wrong = 0;
  for (const [y, color] of rows.entries()) {
    for (let col = 0; col < 80; col++) {
      const x = Math.floor(((col + 0.5) * info.width) / 80);
      const at = (Math.floor(((y + 0.5) * info.height) / rows.length) * info.width + x) * 3;
      if (color.some((channel, index) => Math.abs(channel - (data[at + index] ?? 0)) > 2)) wrong++;
    }
  }
  return wrong;
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
