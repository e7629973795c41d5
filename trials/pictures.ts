/**
 * `npm run pictures`: rows drawn by one renderer until its glyphs, rows and frames have gone and come back many times. Every
 * hundredth picture must be byte for byte the one of a fresh renderer, and the first screens must look at the end as at the start.
 */
import path from 'node:path';
import { type PictureOptions, Renderer } from '../src/render/renderer.js';
import { THEMES } from '../src/render/theme.js';
import { ATTR_INVERSE, type Snapshot, type SnapshotRow } from '../src/vt/snapshot.js';
import { cursorAt, indexed, type Pen, rgb, rowOf, type Run, screenOf } from '../test/render/support/screen.js';
import { Random } from './support/random.js';
import { Failures, type Report } from './support/report.js';

/** With their defaults; a seed of 0 is replaced by a random one, which is printed. */
export const FLAGS = { rows: 100_000, seed: 0 };

const COLS = 80;
const ROWS = 24;
const TERMINALS = 12;
/** The least that can be configured: glyphs of a few sizes fill it. */
const ATLAS_BYTES = 1 << 20;
const COMPARED_EVERY = 100;
const WORDS = 'main const error build 12:59 [####] ├── 漢字 😀 ✓ ℹ ⣿⣶ ▀▄ naïve ~/src'.split(' ');

interface Watched {
  readonly terminal: object;
  lines: readonly SnapshotRow[];
}

export function trial({ rows, seed, root }: typeof FLAGS & { readonly root: string }): Promise<Report> {
  const failures = new Failures();
  const random = new Random(seed);
  const fontsDir = path.join(root, 'fonts');
  const fresh = (): Renderer => new Renderer({ fontsDir, atlasBytes: () => ATLAS_BYTES });
  const looks = [...THEMES.values()].flatMap((theme) =>
    [7, 8, 10, 20].map((cellWidth) => ({
      cellWidth,
      cellHeight: cellWidth * 2,
      pad: cellWidth % 3,
      cursor: true,
      theme,
    })),
  );
  const used = fresh();
  const watched = Array.from({ length: TERMINALS }, (): Watched => ({ terminal: {}, lines: newLines(random) }));
  const usual = random.pick(looks);
  const firsts = watched.map(({ lines }) => ({
    snapshot: screenOf(lines),
    bytes: bytesOf(used, screenOf(lines), usual),
  }));
  let drawn = 0;
  let pictures = 0;
  let compared = 0;
  for (; drawn < rows && !failures.full; pictures++) {
    const one = random.pick(watched);
    const look = random.chance(0.7) ? usual : random.pick(looks);
    drawn += change(one, random);
    const snapshot = snapshotOf(one.lines, random);
    const bytes = bytesOf(used, snapshot, look, one.terminal);
    if (pictures % COMPARED_EVERY !== 0) continue;
    compared++;
    if (!bytes.equals(bytesOf(fresh(), copyOf(snapshot), look)))
      failures.add(`picture ${pictures} differs from a fresh one`);
  }
  for (const [at, { snapshot, bytes }] of firsts.entries()) {
    const again = bytesOf(used, snapshot, usual, watched[at]?.terminal);
    if (!again.equals(bytes)) failures.add(`screen ${at} is not at the end what it was at the start`);
  }
  return Promise.resolve({
    figures: [
      ['rows drawn', drawn],
      ['pictures', pictures],
      ['compared with a fresh renderer', compared + firsts.length],
    ],
    failures: failures.list,
  });
}

/** Returns how many rows are new. */
function change(one: Watched, random: Random): number {
  if (random.chance(0.3)) {
    one.lines = newLines(random);
    return ROWS;
  }
  const lines = [...one.lines];
  const count = 1 + random.below(3);
  for (let each = 0; each < count; each++) {
    if (random.chance(0.5)) lines.splice(0, lines.length, ...lines.slice(1), newRow(random));
    else lines[random.below(ROWS)] = newRow(random);
  }
  one.lines = lines;
  return count;
}

function newLines(random: Random): readonly SnapshotRow[] {
  return Array.from({ length: ROWS }, () => newRow(random));
}

function newRow(random: Random): SnapshotRow {
  if (random.chance(0.2)) return rowOf(COLS, []);
  const photograph = random.chance(0.03);
  const count = photograph ? COLS : random.below(14);
  return rowOf(
    COLS,
    Array.from({ length: count }, (): Run =>
      photograph ? ['▀', noisePen(random)] : [`${random.pick(WORDS)} `, pen(random)],
    ),
  );
}

function pen(random: Random): Pen {
  if (random.chance(0.5)) return {};
  return { fg: indexed(random.below(random.chance(0.8) ? 16 : 256)), attrs: random.chance(0.2) ? ATTR_INVERSE : 0 };
}

function noisePen(random: Random): Pen {
  return { fg: rgb(random.below(1 << 24)), bg: rgb(random.below(1 << 24)) };
}

function snapshotOf(lines: readonly SnapshotRow[], random: Random): Snapshot {
  return screenOf(lines, { cursor: cursorAt(random.below(ROWS), random.below(COLS)) });
}

/** With rows that nothing is known of. */
function copyOf(snapshot: Snapshot): Snapshot {
  return { ...snapshot, lines: snapshot.lines.map((row) => ({ ...row })) };
}

function bytesOf(renderer: Renderer, snapshot: Snapshot, look: PictureOptions, terminal?: object): Buffer {
  return Buffer.concat(renderer.render(snapshot, look, terminal).chunks);
}
