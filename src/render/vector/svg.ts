/**
 * The screen as one SVG file: text stays text (selectable, placed cell by cell), box drawing and blocks are the pixels of
 * their sprites as rectangles. Nothing outside is referred to; the reader's own monospace font draws the letters.
 */
import type { Snapshot } from '../../vt/snapshot.js';
import { PRIMARY_ADVANCE_EM } from '../fonts/faces.js';
import { baselineOf, strokeOf, checkCellSize, type PictureSize } from '../cell-size.js';
import { MARK_COLOR } from '../raster/overlays.js';
import type { PictureOptions } from '../picture-options.js';
import { css, escaped, type Scene, type SceneRow, sceneOf } from './scene.js';
import { type ShapeBox, SpriteShapes, rect } from './shapes.js';
import type { StyledRun } from './styled-runs.js';

const FONTS = "'DejaVu Sans Mono','JetBrains Mono',Menlo,Consolas,monospace";
const UNDERLINE_STYLES = ['', 'solid', 'double', 'wavy', 'dotted', 'dashed'] as const;

/** Piece by piece, a row in each. @returns its size in pixels */
export function* drawSvg(snapshot: Snapshot, options: PictureOptions): Generator<string, PictureSize> {
  checkCellSize(options);
  const scene = sceneOf(snapshot, options);
  const { cellWidth, cellHeight, pad } = options;
  const width = scene.cols * cellWidth + 2 * pad;
  const height = scene.rowCount * cellHeight + 2 * pad;
  yield `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${escaped(scene.title)}</title>
<style>text{font:${Math.round((cellWidth / PRIMARY_ADVANCE_EM) * 1000) / 1000}px ${FONTS};white-space:pre}.b{font-weight:bold}.i{font-style:italic}</style>
<rect width="${width}" height="${height}" fill="${css(scene.background)}"/>
`;
  const shapes = new SpriteShapes();
  let top = pad;
  for (const row of scene.rows) {
    const drawn = drawRow(scene, row, shapes, pad, top, options);
    yield drawn === '' ? '' : `${drawn}\n`;
    top += cellHeight;
  }
  yield '</svg>\n';
  return { width, height };
}

function drawRow(
  scene: Scene,
  row: SceneRow,
  shapes: SpriteShapes,
  left: number,
  top: number,
  options: PictureOptions,
): string {
  const { cellWidth, cellHeight } = options;
  const parts: string[] = [];
  for (const run of row.runs) {
    const box = { x: left + run.col * cellWidth, y: top, width: run.span * cellWidth, height: cellHeight };
    if (run.bg !== scene.background) parts.push(rect(box, css(run.bg)));
    if (run.sprite !== undefined) parts.push(shapes.rects(run.sprite, css(run.fg), box));
    else if (run.text.trim() !== '' || run.underline > 0 || run.strikethrough || run.overline) {
      parts.push(textOf(run, box, baselineOf(cellWidth, cellHeight)));
    }
  }
  parts.push(cursorRects(scene, row, left, top, options));
  const whole = large(row, parts.join(''), left, top, options);
  const boxes = row.boxes.map((box) => {
    const outline = {
      x: left + box.left * cellWidth,
      y: top,
      width: (box.right - box.left) * cellWidth,
      height: cellHeight,
    };
    return outlined(outline, box, Math.max(1, Math.round(cellWidth / 6)));
  });
  return whole + boxes.join('');
}

/** Lines of double size: the same row, scaled, and cut to its band. */
function large({ lineSize }: SceneRow, drawn: string, left: number, top: number, options: PictureOptions): string {
  if (lineSize === 'single') return drawn;
  const scaleY = lineSize === 'double-width' ? 1 : 2;
  const up = lineSize === 'double-bottom' ? options.cellHeight : 0;
  const transform = `translate(${left} ${top - up}) scale(2 ${scaleY}) translate(${-left} ${-top})`;
  const clip = `inset(${up}px 0 ${up === 0 && scaleY === 2 ? options.cellHeight : 0}px 0)`;
  return `<g style="clip-path:${clip}"><g transform="${transform}">${drawn}</g></g>`;
}

function textOf(run: StyledRun, box: ShapeBox, baseline: number): string {
  const classes = `${run.bold ? 'b' : ''}${run.bold && run.italic ? ' ' : ''}${run.italic ? 'i' : ''}`;
  const attributes = [
    // The reader's font may have another pitch: every character is put into its cell, one of two cells is stretched over them.
    `x="${run.alone ? box.x : columns(box, run.span)}" y="${box.y + baseline}" fill="${css(run.fg)}"`,
    ...(run.alone ? [`textLength="${box.width}" lengthAdjust="spacingAndGlyphs"`] : []),
    ...(classes === '' ? [] : [`class="${classes}"`]),
    ...decorationOf(run),
  ];
  return `<text xml:space="preserve" ${attributes.join(' ')}>${escaped(run.text)}</text>`;
}

function columns({ x, width }: ShapeBox, span: number): string {
  return Array.from({ length: span }, (_, col) => x + (col * width) / span).join(' ');
}

function decorationOf(run: StyledRun): string[] {
  const lines = [
    run.underline > 0 ? 'underline' : '',
    run.strikethrough ? 'line-through' : '',
    run.overline ? 'overline' : '',
  ].filter((line) => line !== '');
  if (lines.length === 0) return [];
  const style = UNDERLINE_STYLES[run.underline] ?? '';
  return [`style="text-decoration:${`${lines.join(' ')} ${style} ${css(run.underlineColor)}`.replace('  ', ' ')}"`];
}

function cursorRects(
  { cursorColor }: Scene,
  { cursor }: SceneRow,
  left: number,
  top: number,
  options: PictureOptions,
): string {
  if (cursor === undefined || cursor.shape === 'block') return '';
  const { cellWidth, cellHeight } = options;
  const box = { x: left + cursor.col * cellWidth, y: top, width: cursor.span * cellWidth, height: cellHeight };
  const thin = strokeOf(cellWidth);
  const thick = Math.max(2, thin);
  if (cursor.shape === 'bar') return rect({ ...box, width: thick }, css(cursorColor));
  if (cursor.shape === 'underline')
    return rect({ ...box, y: top + cellHeight - thick, height: thick }, css(cursorColor));
  return outlined(box, { top: true, bottom: true }, thin, cursorColor);
}

function outlined(
  box: ShapeBox,
  { top, bottom }: { readonly top: boolean; readonly bottom: boolean },
  stroke: number,
  color = MARK_COLOR,
): string {
  const sides = [
    { ...box, width: stroke },
    { ...box, x: box.x + box.width - stroke, width: stroke },
    ...(top ? [{ ...box, height: stroke }] : []),
    ...(bottom ? [{ ...box, y: box.y + box.height - stroke, height: stroke }] : []),
  ];
  return sides.map((side) => rect(side, css(color))).join('');
}
