// Where each room stands in the drawing: layers from bottom to top, the serving half at the left, the asking half at the right, the
// rooms of both below them. A room stands above those that it may import; the one that may import its whole half is on top.

const MARGIN = 20;
const TOP = 64;
const HALL = { height: 178, minWidth: { serving: 526, asking: 280 } };
/** A column holds the names of its inner rooms. */
const COLUMN = { width: 110, height: 154, gap: 44 };
const BLOCK = { width: 90, height: 46, gap: 28, step: 80 };
const FOUNDATION = { height: 46, gap: 28, step: 80 };
/** Free at the right of the asking half, for the arrow that passes all blocks. */
const LANE = 56;
/** From layer to layer, so that an arrow to a lower layer finds a way past those between. */
const STAGGER = 30;
const BETWEEN_HALVES = 54;
const ABOVE_COLUMNS = 98;
const BELOW_COLUMNS = 38;
/** Below the columns, so much more for each arrow between columns that do not stand beside one another. */
export const DETOUR = 14;

/**
 * `countDetours` of the names of the columns: arrows that pass below others.
 * @returns `places` by room, `width` and `height` of the drawing, where the asking half begins, the names of the columns
 */
export function layOut(rooms, countDetours) {
  const of = (half) => rooms.filter((room) => room.half === half);
  const [servingHall, columns] = hallAndOthers(of('serving'));
  const [askingHall, blocks] = hallAndOthers(of('asking'));
  const columnNames = columns.map(({ name }) => name);
  const places = {};

  const servingWidth = Math.max(HALL.minWidth.serving, columns.length * (COLUMN.width + COLUMN.gap) - COLUMN.gap);
  const askingX = MARGIN + servingWidth + BETWEEN_HALVES;
  const layers = byLayer(blocks);
  const blocksWidth = Math.max(0, ...layers.slice(1).map((layer, i) => endOfBlocks(layer, layers.length - 2 - i)));
  const askingWidth = Math.max(HALL.minWidth.asking, blocksWidth + LANE);
  const width = askingX + askingWidth + MARGIN;

  const hallBottom = TOP + HALL.height;
  const columnsBottom = Math.max(
    hallBottom + ABOVE_COLUMNS + COLUMN.height,
    hallBottom + layers.length * BLOCK.step + BLOCK.height / 2,
  );
  const columnsTop = columnsBottom - COLUMN.height;
  for (const room of servingHall) places[room.name] = { x: MARGIN, y: TOP, width: servingWidth, height: HALL.height };
  for (const room of askingHall) places[room.name] = { x: askingX, y: TOP, width: askingWidth, height: HALL.height };

  const spare = servingWidth - columns.length * COLUMN.width;
  for (const [i, room] of columns.entries()) {
    const x = MARGIN + i * COLUMN.width + Math.round((i * spare) / Math.max(1, columns.length - 1));
    places[room.name] = { x, y: columnsTop, width: COLUMN.width, height: COLUMN.height };
  }
  for (const [layer, row] of layers.entries()) {
    const y = columnsBottom - BLOCK.height - layer * BLOCK.step;
    const left = askingX + STAGGER * (layers.length - 1 - layer);
    // The lowest one is what all others stand on.
    const whole = layer === 0 ? { x: askingX, width: (askingWidth + BLOCK.gap) / row.length - BLOCK.gap } : undefined;
    for (const [i, room] of row.entries()) {
      const { x, width: own } = whole ?? { x: left, width: BLOCK.width };
      places[room.name] = { x: x + i * (own + BLOCK.gap), y, width: own, height: BLOCK.height };
    }
  }

  const foundations = byLayer(of('both')).toReversed();
  const foundationsTop = columnsBottom + BELOW_COLUMNS + DETOUR * countDetours(columnNames);
  for (const [layer, row] of foundations.entries()) {
    const own = (width - 2 * MARGIN + FOUNDATION.gap) / row.length - FOUNDATION.gap;
    for (const [i, room] of row.entries()) {
      const y = foundationsTop + layer * FOUNDATION.step;
      places[room.name] = { x: MARGIN + i * (own + FOUNDATION.gap), y, width: own, height: FOUNDATION.height };
    }
  }
  const height = foundationsTop + foundations.length * FOUNDATION.step - (FOUNDATION.step - FOUNDATION.height) + 22;
  return { places, width, height, askingX, columns: columnNames, columnsBottom };
}

/** The room that nothing of its half imports and that imports most: the daemon, the command line. */
function hallAndOthers(rooms) {
  const most = Math.max(...rooms.map(({ mayImport }) => mayImport.length));
  const hall = rooms.find(({ mayImport }) => mayImport.length === most);
  return [[hall], rooms.filter((room) => room !== hall)];
}

/** Rooms by the longest way down through those of the same list. */
function byLayer(rooms) {
  const layerOf = (room) => {
    const below = rooms.filter(({ name }) => room.mayImport.includes(name));
    return below.length === 0 ? 0 : 1 + Math.max(...below.map(layerOf));
  };
  const layers = [];
  for (const room of rooms) (layers[layerOf(room)] ??= []).push(room);
  return layers;
}

function endOfBlocks(row, staggered) {
  return STAGGER * staggered + row.length * (BLOCK.width + BLOCK.gap) - BLOCK.gap;
}
