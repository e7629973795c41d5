/** The screen as rows of styled runs, with what lies upon them: the common ground of SVG and HTML. */
import type { LineSize, Snapshot, SnapshotRow } from '../../vt/snapshot.js';
import { cursorOf, type DrawnCursor, boxesOf, type RowBox } from '../raster/overlays.js';
import { DEFAULT_MINIMUM_CONTRAST, CellColorRules, ScreenColors } from '../raster/cell-colors.js';
import type { PictureOptions } from '../picture-options.js';
import { type StyledRun, styledRuns } from './styled-runs.js';
import { viewOf } from '../view.js';

export interface SceneRow {
  readonly runs: readonly StyledRun[];
  readonly lineSize: LineSize;
  readonly boxes: readonly RowBox[];
  readonly cursor: DrawnCursor | undefined;
}

export interface Scene {
  readonly cols: number;
  /** Each made when it is asked for: a large screen has more runs than are made in one go. */
  readonly rows: Iterable<SceneRow>;
  readonly rowCount: number;
  readonly foreground: number;
  readonly background: number;
  readonly cursorColor: number;
  readonly title: string;
}

export function sceneOf(whole: Snapshot, options: PictureOptions): Scene {
  const view = viewOf(whole, options);
  const { snapshot } = view;
  const colors = new ScreenColors(options.theme, snapshot.colors, snapshot.reverseScreen);
  const rules = {
    minimumContrast: options.minimumContrast ?? DEFAULT_MINIMUM_CONTRAST,
    boldAsBright: options.boldAsBright ?? false,
  };
  const plain = new CellColorRules(colors, { ...rules, faded: false });
  const fadedInks = new CellColorRules(colors, { ...rules, faded: true });
  const drawnCursor = options.cursor ? cursorOf(snapshot, options.focused ?? true) : undefined;
  const sceneRow = (row: SnapshotRow, y: number): SceneRow => {
    const faded = options.unchangedRows?.has(y - view.rowOffset) === true;
    const boxes = boxesOf(options.marks ?? [], y, view, snapshot.cols);
    const cursor = drawnCursor?.row === y ? drawnCursor : undefined;
    const runs = styledRuns(row, faded ? fadedInks : plain, colors, { cursor, faded, boxes });
    return { runs, lineSize: row.lineSize, boxes, cursor };
  };
  const { cols, lines, title } = snapshot;
  const { foreground, background, cursor: cursorColor } = colors;
  return { cols, rows: mapped(lines, sceneRow), rowCount: lines.length, foreground, background, cursorColor, title };
}

function* mapped<T, U>(items: readonly T[], map: (item: T, index: number) => U): Generator<U, void> {
  for (const [index, item] of items.entries()) yield map(item, index);
}

export function css(rgb: number): string {
  return `#${rgb.toString(16).padStart(6, '0')}`;
}

/** Not allowed in XML at all, not even escaped. */
const NOT_XML = /[^\P{Cc}\t\n\r]|\p{Cs}|[\ufffe\uffff]/gu;

/** Text as markup. */
export function escaped(text: string): string {
  return text.replaceAll(NOT_XML, '\ufffd').replaceAll(/[&<>"']/g, entity);
}

function entity(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}
