// docs/rooms.svg: the rooms of src/, what is in each, and how often one imports another, counted from the import statements.
// `npm run rooms`; `-- --check` only says whether the drawing is stale.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.env.T4A_TREE ?? dirname(dirname(fileURLToPath(import.meta.url)));
const WIDTH = 900;
const HEIGHT = 680;

/** Where each room stands: layers from bottom to top, the serving half at the left, the asking half at the right. */
const PLACES = {
  daemon: { x: 20, y: 64, width: 526, height: 178 },
  cli: { x: 600, y: 64, width: 280, height: 178 },
  mcp: { x: 600, y: 284, width: 90, height: 44 },
  tools: { x: 650, y: 366, width: 110, height: 44 },
  vitest: { x: 800, y: 366, width: 80, height: 44 },
  rpc: { x: 20, y: 340, width: 80, height: 96 },
  recording: { x: 20, y: 448, width: 102, height: 46 },
  events: { x: 128, y: 340, width: 110, height: 154 },
  vt: { x: 282, y: 340, width: 110, height: 154 },
  render: { x: 436, y: 340, width: 110, height: 154 },
  client: { x: 600, y: 448, width: 280, height: 46 },
  protocol: { x: 20, y: 532, width: 860, height: 46 },
  base: { x: 20, y: 612, width: 700, height: 46 },
  boot: { x: 748, y: 612, width: 132, height: 46 },
};

const STYLE = `<style>
  text { font-family: ui-sans-serif, system-ui, sans-serif; fill: #1f2937; }
  .name { font-size: 15px; font-weight: 600; } .count, .imports { font-size: 11px; fill: #6b7280; }
  .half { font-size: 13px; fill: #6b7280; letter-spacing: 0.06em; } .inner { font-size: 11.5px; }
  .paper { fill: #ffffff; } .room { fill: #eef2ff; stroke: #6366f1; } .foundation { fill: #f3f4f6; stroke: #9ca3af; }
  .chip { fill: #ffffff; stroke: #c7d2fe; } line { stroke: #4b5563; stroke-width: 1.4; } polygon { fill: #4b5563; }
</style>
`;

/** Imported by all rooms above them: an arrow from each would say nothing. */
const FOUNDATIONS = ['base', 'protocol', 'boot'];

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replaceAll('\\', '/'))
  .sort();

const roomOf = (file) => file.split('/')[0];
const strange = [...new Set(files.map(roomOf))].find((room) => PLACES[room] === undefined);
if (strange !== undefined) throw new Error(`src/${strange} has no place in the drawing: scripts/rooms.mjs`);

const drawing = draw(importCounts());
const target = join(root, 'docs/rooms.svg');
if (process.argv.includes('--print')) process.stdout.write(drawing);
else if (!process.argv.includes('--check')) writeFileSync(target, drawing);
else if (readFileSync(target, 'utf8') !== drawing) {
  console.error('docs/rooms.svg is stale: run "npm run rooms"');
  process.exitCode = 1;
}

/** Imports between rooms, by `from>to`. */
function importCounts() {
  const counts = new Map();
  for (const file of files) {
    const text = readFileSync(join(root, 'src', file), 'utf8');
    for (const [, specifier] of text.matchAll(/\bfrom '(\.[^']*)'/g)) {
      const pair = `${roomOf(file)}>${roomOf(posix.join(posix.dirname(file), specifier))}`;
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
  }
  return counts;
}

function draw(counts) {
  const arrows = [...counts]
    .map(([pair, count]) => ({ from: pair.split('>')[0], to: pair.split('>')[1], count }))
    .filter(({ from, to }) => from !== to && !FOUNDATIONS.includes(to))
    .sort((a, b) => `${a.from}>${a.to}`.localeCompare(`${b.from}>${b.to}`, 'en'));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">\n`,
    `<title>The rooms of src/ and the imports between them</title>\n`,
    STYLE,
    `<rect class="paper" width="${WIDTH}" height="${HEIGHT}" rx="12"/>\n`,
    label(20, 36, 'the serving half', 'half'),
    label(600, 36, 'the asking half', 'half'),
    ...Object.keys(PLACES).map((room) => box(room, counts)),
    ...arrows.map(arrow),
    '</svg>\n',
  ].join('');
}

function box(room, counts) {
  const { x, y, width, height } = PLACES[room];
  const own = files.filter((file) => roomOf(file) === room);
  const kind = FOUNDATIONS.includes(room) ? 'foundation' : 'room';
  const importers = [...counts].filter(([pair]) => pair.endsWith(`>${room}`) && !pair.startsWith(`${room}>`));
  const imports = importers.reduce((sum, [, count]) => sum + count, 0);
  const used = kind === 'room' ? '' : `, imported ${imports} times by the rooms above`;
  const count = width < 100 && height < 50 ? `${own.length}` : `${own.length} files${width > 200 ? used : ''}`;
  return [
    `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>\n`,
    label(x + 12, y + 21, room, 'name'),
    width < 120 && height > 50 ? label(x + 12, y + 38, count, 'count') : label(x + 12, y + 37, count, 'count'),
    ...innerRooms(room, own),
  ].join('');
}

/** The rooms within a room, with the number of files of each. */
function innerRooms(room, own) {
  const inner = new Map();
  for (const file of own) {
    const path = file.split('/').slice(1, -1);
    if (path.length > 0) inner.set(path.join('/'), (inner.get(path.join('/')) ?? 0) + 1);
  }
  const { x, y, width, height } = PLACES[room];
  if (height < 100) return [];
  const isWide = width > 200;
  const columns = isWide ? Math.floor((width - 24) / 116) : 1;
  const step = 22;
  return [...inner]
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([name, count], i) => {
      const left = x + 12 + (i % columns) * 116;
      const top = y + (isWide ? 50 : 46) + Math.floor(i / columns) * (isWide ? 30 : 16.5);
      if (!isWide) return label(left, top + 10, `${name} ${count}`, 'inner');
      return `<rect class="chip" x="${left}" y="${top}" width="108" height="${step}" rx="5"/>\n${label(left + 8, top + 15, `${name} ${count}`, 'inner')}`;
    });
}

/** From edge to edge, straight: rooms that import each other stand above or beside one another. */
function arrow({ from, to, count }) {
  const [a, b] = [PLACES[from], PLACES[to]];
  const isBeside = a.y < b.y + b.height && b.y < a.y + a.height;
  let line;
  if (isBeside) {
    const y = a.y + a.height / 2;
    const goesRight = a.x < b.x;
    line = [goesRight ? a.x + a.width : a.x, y, goesRight ? b.x : b.x + b.width, y];
  } else {
    const left = Math.max(a.x, b.x);
    const right = Math.min(a.x + a.width, b.x + b.width);
    const x = arrowX(from, to, left, right);
    line = [x, a.y + a.height, x, b.y];
  }
  const [x1, y1, x2, y2] = line;
  const text = isBeside
    ? label((x1 + x2) / 2, y1 - 6, String(count), 'imports', 'middle')
    : label(x1 + 6, y2 - 10, String(count), 'imports');
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>\n${head(line)}${text}`;
}

/** Where two arrows would run into each other, one keeps to the side. */
function arrowX(from, to, left, right) {
  const between = {
    'daemon>recording': 110,
    'cli>client': 780,
    'cli>tools': 735,
    'cli>mcp': 640,
    'mcp>client': 620,
    'mcp>tools': 675,
  };
  return between[`${from}>${to}`] ?? (left + right) / 2;
}

function head([x1, y1, x2, y2]) {
  const [dx, dy] = [Math.sign(x2 - x1), Math.sign(y2 - y1)];
  const wing = (side) => `${x2 - 7 * dx + side * 4 * dy},${y2 - 7 * dy + side * 4 * dx}`;
  return `<polygon points="${x2},${y2} ${wing(1)} ${wing(-1)}"/>\n`;
}

function label(x, y, text, kind, anchor = 'start') {
  return `<text class="${kind}" x="${x}" y="${y}" text-anchor="${anchor}">${text}</text>\n`;
}
