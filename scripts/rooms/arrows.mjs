// The arrows of the drawing: straight between layers and neighbours, around the rooms between others.
import { DETOUR } from './layout.mjs';

/** Between two arrows that run beside one another: the number of imports stands at the right of each. */
const CLEARANCE = 24;
const EDGE = 8;

/** Do two columns have another one between them? */
export function isDetour({ from, to }, columns) {
  const [a, b] = [columns.indexOf(from), columns.indexOf(to)];
  return a !== -1 && b !== -1 && Math.abs(a - b) > 1;
}

/** @returns lines with their numbers; the places of rooms as `layOut` returns them */
export function drawArrows(arrows, { places, columns, columnsBottom }) {
  const taken = [];
  let detours = 0;
  return arrows.map((arrow) => {
    const [a, b] = [places[arrow.from], places[arrow.to]];
    if (isDetour(arrow, columns)) return around(a, b, columnsBottom + DETOUR * ++detours, arrow.count);
    if (a.y < b.y + b.height && b.y < a.y + a.height) return beside(a, b, arrow.count);
    return down(a, b, arrow.count, places, taken);
  });
}

function beside(a, b, count) {
  const y = a.y + a.height / 2;
  const goesRight = a.x < b.x;
  const line = [goesRight ? a.x + a.width : a.x, y, goesRight ? b.x : b.x + b.width, y];
  return `${straight(line)}${label((line[0] + line[2]) / 2, y - 6, String(count), 'imports', 'middle')}`;
}

function down(a, b, count, places, taken) {
  const [y1, y2] = [a.y + a.height, b.y];
  if (a.x + a.width <= b.x || b.x + b.width <= a.x) return aside(a, b, count);
  const x = freeX(a, b, places, taken);
  taken.push({ x, y1, y2 });
  return `${straight([x, y1, x, y2])}${label(x + 6, y2 - 10, String(count), 'imports')}`;
}

/** To a lower room that is not below this one. */
function aside(a, b, count) {
  const [from, bend] = [a.x + a.width / 2, b.y - 2 * EDGE];
  const to = a.x < b.x ? b.x + 2 * EDGE : b.x + b.width - 2 * EDGE;
  const way = `<polyline points="${from},${a.y + a.height} ${from},${bend} ${to},${bend} ${to},${b.y}"/>\n`;
  return `${way}${head([to, bend, to, b.y])}${label(to + 6, b.y - 2, String(count), 'imports')}`;
}

/** Under the columns between. */
function around(a, b, y, count) {
  const side = a.x < b.x ? 1 : -1;
  const [x1, x2] = [a.x + a.width / 2 + side * 20, b.x + b.width / 2 - side * 20];
  const bottom = b.y + b.height;
  const way = `<polyline points="${x1},${a.y + a.height} ${x1},${y} ${x2},${y} ${x2},${bottom}"/>\n`;
  return `${way}${head([x2, y, x2, bottom])}${label(x2 + 6, bottom + 12, String(count), 'imports')}`;
}

/** Closest to the middle of what both rooms share, past the rooms and arrows between. */
function freeX(a, b, places, taken) {
  const [top, bottom] = [a.y + a.height, b.y];
  const [left, right] = [Math.max(a.x, b.x), Math.min(a.x + a.width, b.x + b.width)];
  const middle = (left + right) / 2;
  const between = Object.values(places).filter((place) => place.y >= top && place.y + place.height <= bottom);
  const isFree = (x) =>
    x >= left + EDGE &&
    x <= right - EDGE &&
    between.every((place) => x < place.x - EDGE || x > place.x + place.width + EDGE) &&
    taken.every((one) => one.y2 <= top || one.y1 >= bottom || Math.abs(one.x - x) >= CLEARANCE);
  for (let distance = 0; distance <= (right - left) / 2; distance++) {
    if (isFree(middle + distance)) return middle + distance;
    if (isFree(middle - distance)) return middle - distance;
  }
  return middle;
}

function straight(line) {
  const [x1, y1, x2, y2] = line;
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>\n${head(line)}`;
}

function head([x1, y1, x2, y2]) {
  const [dx, dy] = [Math.sign(x2 - x1), Math.sign(y2 - y1)];
  const wing = (side) => `${x2 - 7 * dx + side * 4 * dy},${y2 - 7 * dy + side * 4 * dx}`;
  return `<polygon points="${x2},${y2} ${wing(1)} ${wing(-1)}"/>\n`;
}

export function label(x, y, text, kind, anchor = 'start') {
  return `<text class="${kind}" x="${x}" y="${y}" text-anchor="${anchor}">${text}</text>\n`;
}
