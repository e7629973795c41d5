// The tables of rooms in docs/ARCHITECTURE.md, which say what a room may import. The architecture test and the drawing read them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** In place of a list: the rooms of its own half, and those of both. */
const WHOLE_HALF = 'all of its half';
const HALVES = ['both', 'serving', 'asking'];

/** @returns the rooms of src/ in the order of the table */
export function readRooms(root) {
  const rooms = rowsBelow(root, '| room | half | may import | content |').map(([room, half, imports]) => ({
    name: names(room)[0]?.replace(/\/$/, ''),
    half,
    mayImport: imports === WHOLE_HALF ? WHOLE_HALF : names(imports),
  }));
  const wrong = rooms.find(({ name, half }) => name === undefined || !HALVES.includes(half));
  if (wrong !== undefined) throw new Error(`docs/ARCHITECTURE.md: "${wrong.name}" is in no half: ${HALVES.join(', ')}`);
  return rooms.map((room) => ({ ...room, mayImport: importsOf(room, rooms) }));
}

/** @returns the rooms within rooms, by the path of each below src/ */
export function readInnerRooms(root) {
  return rowsBelow(root, '| inner room | may import of its room | content |').map(([room, imports]) => {
    const [outer, ...inner] = names(room)[0].split('/');
    return { outer, name: inner.join('/'), mayImport: names(imports) };
  });
}

function importsOf({ name, half, mayImport }, rooms) {
  if (mayImport !== WHOLE_HALF) return mayImport;
  return rooms.filter((room) => room.name !== name && ['both', half].includes(room.half)).map((room) => room.name);
}

/** The cells of each row of the table with this head. */
function rowsBelow(root, head) {
  const page = readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8');
  const lines = page.split('\n');
  const first = lines.indexOf(head) + 2;
  if (first === 1) throw new Error(`docs/ARCHITECTURE.md has no table "${head}"`);
  const end = lines.findIndex((line, i) => i >= first && !line.startsWith('|'));
  return lines.slice(first, end).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

function names(cell) {
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name);
}
