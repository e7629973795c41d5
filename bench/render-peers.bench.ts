/**
 * Beside the renderers of other terminal servers for agents, on the same bytes: time, bytes of the picture, cells that are
 * decoded right, gaps between cells, rows where they belong after scrolling, words that tesseract reads at equal tokens.
 */
import sharp from 'sharp';
import { estimateTokens } from '../src/render/costs.js';
import type { Snapshot } from '../src/vt/snapshot.js';
import { screen } from '../test/render/support/screen.js';
import { ansiOf } from './render-ansi.js';
import type { CellRenderer } from './render-cell-templates.js';
import { CellReader, type CellsRead } from './render-cells.js';
import { ocrLines, ocrScore, tesseractVersion } from './render-ocr-score.js';
import { PeerPackages, type PeerRenderer, type PeerServer, type PeerSize } from './render-peer-packages.js';
import { compareRows, wrongAfterScrolling } from './render-peer-rows.js';
import { type XtermPeer, XtermPeers } from './render-peer-xterm.js';
import { BENCH_SCREENS } from './render-screens.js';
import { deepestGap } from './render-seams.js';
import { fidelitySheet } from './render-sheet.js';
import { allCopied, benchOptions, benchRenderer } from './bench-renderer.js';
import { type BenchContext, type Figure, median } from './support/figure.js';

/** Its picture of 80x24 at this size costs as many tokens as ours at 8x16: 624x384 pixels. */
const PEER_SIZE: PeerSize = { fontSize: 13, lineHeight: 1.2 };
const PEER_CELL_HEIGHT = 16;
const COLS = 80;
const ROWS = 24;
/** One page has some 170 words, of which 3 to 12 are misread: fewer pages cannot tell renderers apart. */
const OCR_PAGES = Array.from({ length: 12 }, (_, page) => page);

interface NamedScreen {
  readonly name: string;
  readonly snapshot: Snapshot;
}

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const screens = BENCH_SCREENS.map(({ name, make }) => ({ name, snapshot: make(COLS, ROWS) }));
  const sheets = [...screens.slice(0, 5), { name: 'fidelity sheet', snapshot: fidelitySheet() }];
  const figures = await comparePackages(root, screens, sheets);
  using peers = await XtermPeers.load(root);
  for (const name of peers.refused) figures.push({ name: `neither given, on npm, nor in git: ${name}`, value: 1 });
  for (const peer of peers.found) {
    figures.push({ name: `measured: ${peer.described}`, value: 1 });
    for (const { name, snapshot } of [...screens, ...sheets.slice(5)]) {
      const terminal = await peer.terminalAfter(ansiOf(snapshot), COLS, ROWS);
      const picture = (): Promise<Buffer> => peer.picture(terminal, COLS, ROWS);
      figures.push(...(await compare(root, name, snapshot, peer.name, picture)));
    }
    figures.push(...(await compareXtermCells(sheets, peer)));
  }
  return figures;
}

async function comparePackages(
  root: string,
  screens: readonly NamedScreen[],
  sheets: readonly NamedScreen[],
): Promise<Figure[]> {
  using packages = new PeerPackages();
  const figures: Figure[] = packages.refused.map((peer) => ({ name: `not on npm: ${peer}`, value: 1 }));
  const peer = await packages.renderer();
  if (peer === undefined) return figures;
  const server = await packages.server();
  for (const { name, snapshot } of screens) {
    const data = peer.parse(snapshot);
    const picture = (): Promise<Buffer> => peer.picture(data, PEER_SIZE);
    figures.push(...(await compare(root, name, snapshot, 'ghostty-opentui', picture)));
  }
  figures.push(...(await compareCells(root, sheets, peer, server)));
  figures.push(...(await compareGaps(root, peer)));
  for (const cellWidth of [7, 8, 10]) figures.push(await compareReading(root, cellWidth, peer));
  if (server === undefined) return figures;
  const after = async (bytes: string): Promise<Buffer> =>
    peer.picture(await server.dataAfter(bytes, COLS, ROWS), PEER_SIZE);
  figures.push(...(await compareRows(root, after, PEER_CELL_HEIGHT)));
  return figures;
}

async function compare(
  root: string,
  name: string,
  snapshot: Snapshot,
  peer: string,
  picture: () => Promise<Buffer>,
): Promise<Figure[]> {
  const renderer = benchRenderer(root);
  const options = benchOptions(8);
  const ours = await medianOf(() => renderer.render(allCopied(snapshot), options, renderer));
  const bytes = renderer.render(snapshot, options).byteLength;
  const theirs = await medianOf(picture);
  const png = await picture();
  const { width, height } = await sharp(png).metadata();
  const size = `${width}x${height} pixels, ${estimateTokens(width, height).claude} tokens`;
  return [
    {
      name: `${name}: time over ${peer}`,
      value: ours / theirs,
      limit: 1,
      note: `${ours.toFixed(2)} of ${theirs.toFixed(1)} ms`,
    },
    {
      name: `${name}: bytes over ${peer}`,
      value: bytes / png.length,
      limit: 1,
      note: `${bytes} of ${png.length}; ${size}`,
    },
  ];
}

async function compareXtermCells(sheets: readonly NamedScreen[], peer: XtermPeer): Promise<Figure[]> {
  const cells = peer.cells();
  const reader = new CellReader(cells);
  const figures: Figure[] = [];
  for (const { name, snapshot } of sheets) {
    const read = await reader.read(snapshot, await cells.draw(snapshot));
    figures.push({ name: `${name}: cells wrong, ${peer.name}`, value: read.wrong, note: faultsIn(read) });
  }
  const gap = Math.round((await deepestGap(cells)) * 100);
  const wrong = await wrongAfterScrolling((bytes) => peer.screenAfter(bytes, COLS, ROWS));
  return [
    ...figures,
    { name: `ink missing where cells meet, ${peer.name}`, value: gap, unit: ' %' },
    { name: `wrong cells after scrolling, ${peer.name}`, value: wrong, note: 'of 1920' },
  ];
}

/** Colours as they were written: minimum contrast, which changes them on purpose, is off. */
function ourCells(root: string): CellRenderer {
  const renderer = benchRenderer(root);
  const options = { ...benchOptions(8), minimumContrast: 1 };
  const { cellWidth, cellHeight, theme } = options;
  const draw = (snapshot: Snapshot): Promise<Buffer> =>
    Promise.resolve(Buffer.concat(renderer.render(snapshot, options).chunks));
  return { name: 't4a', cellWidth, cellHeight, foreground: theme.foreground, background: theme.background, draw };
}

async function compareCells(
  root: string,
  sheets: readonly NamedScreen[],
  peer: PeerRenderer,
  server: PeerServer | undefined,
): Promise<Figure[]> {
  const ours = ourCells(root);
  const theirs = peer.cells(PEER_SIZE);
  const ourReader = new CellReader(ours);
  const theirReader = new CellReader(theirs);
  const figures: Figure[] = [];
  for (const { name, snapshot } of sheets) {
    const own = await ourReader.read(snapshot, await ours.draw(snapshot));
    figures.push({ name: `${name}: cells wrong, t4a`, value: own.wrong, limit: 0, note: faultsIn(own) });
    const other = await theirReader.read(snapshot, await theirs.draw(snapshot));
    figures.push({ name: `${name}: cells wrong, ghostty-opentui`, value: other.wrong, note: faultsIn(other) });
    if (server === undefined) continue;
    const data = await server.dataAfter(ansiOf(snapshot), COLS, ROWS);
    const third = await theirReader.read(snapshot, await peer.picture(data, PEER_SIZE));
    figures.push({ name: `${name}: cells wrong, tuistory`, value: third.wrong, note: faultsIn(third) });
  }
  return figures;
}

function faultsIn({ cells, faults }: CellsRead): string {
  const kinds = [...faults].sort(([, a], [, b]) => b - a).map(([kind, count]) => `${kind} ${count}`);
  return [`of ${cells}`, ...kinds].join(', ');
}

async function compareGaps(root: string, peer: PeerRenderer): Promise<Figure[]> {
  const gap = async (renderer: CellRenderer): Promise<number> => Math.round((await deepestGap(renderer)) * 100);
  const whole = await gap(peer.cells(sizeAsWideAs(8)));
  return [
    { name: 'ink missing where cells meet, t4a', value: await gap(ourCells(root)), unit: ' %', limit: 0 },
    {
      name: 'ink missing where cells meet, ghostty-opentui',
      value: await gap(peer.cells(PEER_SIZE)),
      unit: ' %',
      note: `${whole} % where its cells are whole pixels`,
    },
  ];
}

/** The peer is read at each of the sizes that it could be drawn in for the tokens; its best one counts. */
async function compareReading(root: string, cellWidth: number, peer: PeerRenderer): Promise<Figure> {
  const options = { ...benchOptions(cellWidth), cursor: false };
  const ours = await misreadOf(cellWidth * 2, (snapshot) =>
    Promise.resolve(Buffer.concat(benchRenderer(root).render(snapshot, options).chunks)),
  );
  const sizes = sizesForTokens(ours.tokens, cellWidth);
  const readings: (OcrMisread & { readonly size: PeerSize })[] = [];
  for (const size of sizes) {
    const rowHeight = Math.round(size.fontSize * size.lineHeight);
    const reading = await misreadOf(rowHeight, (snapshot) => peer.picture(peer.parse(snapshot), size));
    readings.push({ ...reading, size });
  }
  const [best, ...others] = readings.sort((a, b) => a.misread - b.misread);
  if (best === undefined) throw new Error('no size costs that many tokens');
  const worse = others.map(({ misread, size }) => `${misread} at ${size.fontSize.toFixed(1)}`);
  return {
    name: `${cellWidth}x${cellWidth * 2}: words misread more than of ghostty-opentui's picture`,
    value: ours.misread - best.misread,
    limit: 0,
    note: `${ours.misread} and ${best.misread} of ${ours.words}; ${ours.tokens} and ${best.tokens} tokens, its font at ${best.size.fontSize.toFixed(1)} (${worse.join()}); ${tesseractVersion()}`,
  };
}

interface OcrMisread {
  readonly misread: number;
  readonly words: number;
  readonly tokens: number;
}

async function misreadOf(rowHeight: number, draw: (snapshot: Snapshot) => Promise<Buffer>): Promise<OcrMisread> {
  let [misread, words, tokens] = [0, 0, 0];
  for (const page of OCR_PAGES) {
    const lines = ocrLines(page);
    const score = await ocrScore(await draw(screen(COLS, lines)), rowHeight, lines);
    misread += score.words - score.right;
    words += score.words;
    tokens = score.tokens;
  }
  return { misread, words, tokens };
}

/**
 * Fonts whose picture costs as many tokens, or the next more: the largest, and the one whose cells are as wide as ours. One
 * picture of the two is blurred less, now this, now that.
 */
function sizesForTokens(tokens: number, cellWidth: number): PeerSize[] {
  let largest = { cost: Infinity, fontSize: 0, rowHeight: 0 };
  for (let tenths = 80; tenths <= 240; tenths++) {
    const fontSize = tenths / 10;
    const rowHeight = Math.round(fontSize * PEER_SIZE.lineHeight);
    const cost = estimateTokens(Math.ceil(COLS * fontSize * 0.6), ROWS * rowHeight).claude;
    if (cost >= tokens && cost <= largest.cost) largest = { cost, fontSize, rowHeight };
  }
  return [{ fontSize: largest.fontSize, lineHeight: largest.rowHeight / largest.fontSize }, sizeAsWideAs(cellWidth)];
}

function sizeAsWideAs(cellWidth: number): PeerSize {
  // A hair less: rounded up, the picture would be a pixel wider.
  const fontSize = cellWidth / 0.6 - 1e-4;
  return { fontSize, lineHeight: (cellWidth * 2) / fontSize };
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
