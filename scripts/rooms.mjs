// docs/rooms.svg: the rooms of src/, what is in each, and how often one imports another, counted from the import statements.
// `npm run rooms` writes it; the repository does not keep it. `-- --check` draws and writes nothing: each room must have its place.
// What halves there are and what a room may import is said in docs/ARCHITECTURE.md; the places follow from it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawArrows, isDetour, label } from './rooms/arrows.mjs';
import { layOut } from './rooms/layout.mjs';
import { readRooms } from './rooms/table.mjs';

const root = process.env.T4A_TREE ?? dirname(dirname(fileURLToPath(import.meta.url)));
const rooms = readRooms(root);

const STYLE = `<style>
  text { font-family: ui-sans-serif, system-ui, sans-serif; fill: #1f2937; }
  .name { font-size: 15px; font-weight: 600; } .count, .imports { font-size: 11px; fill: #6b7280; }
  .half { font-size: 13px; fill: #6b7280; letter-spacing: 0.06em; } .inner { font-size: 11.5px; }
  .paper { fill: #ffffff; } .room { fill: #eef2ff; stroke: #6366f1; } .foundation { fill: #f3f4f6; stroke: #9ca3af; }
  .chip { fill: #ffffff; stroke: #c7d2fe; } line, polyline { stroke: #4b5563; stroke-width: 1.4; fill: none; } polygon { fill: #4b5563; }
</style>
`;

/** Imported by all rooms above them: an arrow from each would say nothing. */
const FOUNDATIONS = rooms.filter(({ half }) => half === 'both').map(({ name }) => name);

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replaceAll('\\', '/'))
  .sort();

const roomOf = (file) => file.split('/')[0];
const strange = [...new Set(files.map(roomOf))].find((room) => !rooms.some(({ name }) => name === room));
if (strange !== undefined) throw new Error(`src/${strange} has no line in the table of rooms: docs/ARCHITECTURE.md`);

const drawing = draw(importCounts());
const target = join(root, 'docs/rooms.svg');
if (process.argv.includes('--print')) process.stdout.write(drawing);
else if (!process.argv.includes('--check')) writeFileSync(target, drawing);

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
  const layout = layOut(rooms, (columns) => arrows.filter((one) => isDetour(one, columns)).length);
  const { places, width, height, askingX } = layout;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">\n`,
    `<title>The rooms of src/ and the imports between them</title>\n`,
    STYLE,
    `<rect class="paper" width="${width}" height="${height}" rx="12"/>\n`,
    label(20, 36, 'the serving half', 'half'),
    label(askingX, 36, 'the asking half', 'half'),
    ...rooms.map(({ name }) => box(name, places[name], counts)),
    ...drawArrows(arrows, layout),
    '</svg>\n',
  ].join('');
}

function box(room, place, counts) {
  const { x, y, width, height } = place;
  const own = files.filter((file) => roomOf(file) === room);
  const kind = FOUNDATIONS.includes(room) ? 'foundation' : 'room';
  const importers = [...counts].filter(([pair]) => pair.endsWith(`>${room}`) && !pair.startsWith(`${room}>`));
  const imports = importers.reduce((sum, [, count]) => sum + count, 0);
  const used = kind === 'room' ? '' : `, imported ${imports} times by the rooms above`;
  const counted = `${own.length} ${own.length === 1 ? 'file' : 'files'}`;
  const count = width < 100 && height < 50 ? `${own.length}` : `${counted}${width > 200 ? used : ''}`;
  return [
    `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>\n`,
    label(x + 12, y + 21, room, 'name'),
    width < 120 && height > 50 ? label(x + 12, y + 38, count, 'count') : label(x + 12, y + 37, count, 'count'),
    ...innerRooms(place, own),
  ].join('');
}

/** The rooms within a room, with the number of files of each. */
function innerRooms({ x, y, width, height }, own) {
  const inner = new Map();
  for (const file of own) {
    const path = file.split('/').slice(1, -1);
    if (path.length > 0) inner.set(path.join('/'), (inner.get(path.join('/')) ?? 0) + 1);
  }
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
