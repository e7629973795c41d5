/**
 * The screen as one HTML file: a preformatted block of spans, selectable, every grapheme of more than one cell in a box of
 * its width so that columns stay columns. Box drawing and its like are invisible text under the shapes of their sprites, so
 * that lines meet in whatever font there is. Nothing outside is referred to.
 */
import type { Snapshot } from '../../vt/snapshot.js';
import { PRIMARY_ADVANCE_EM } from '../fonts/faces.js';
import { MARK_COLOR } from '../raster/overlays.js';
import { checkCellSize, type PictureSize } from '../cell-size.js';
import type { PictureOptions } from '../picture-options.js';
import { css, escaped, type Scene, type SceneRow, sceneOf } from './scene.js';
import type { StyledRun } from './styled-runs.js';
import { SpriteShapes } from './shapes.js';

const FONTS = "'DejaVu Sans Mono','JetBrains Mono',Menlo,Consolas,monospace";
const UNDERLINE_STYLES = ['', 'solid', 'double', 'wavy', 'dotted', 'dashed'] as const;
/** Links that a browser may follow; others stay text. */
const SAFE_LINK = /^(?:https?|mailto|file):/i;

/** Piece by piece, a row in each. @returns its size in pixels */
export function* drawHtml(snapshot: Snapshot, options: PictureOptions): Generator<string, PictureSize> {
  checkCellSize(options);
  const scene = sceneOf(snapshot, options);
  const { cellHeight, pad, cellWidth } = options;
  const width = scene.cols * cellWidth + 2 * pad;
  const height = scene.rowCount * cellHeight + 2 * pad;
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(scene.title)}</title><style>
body{margin:0;background:${css(scene.background)}}
${styleOf(scene, options, width - 2 * pad)}</style></head><body><pre>
`;
  const symbols = new Map<string, string>();
  for (const row of scene.rows) {
    collectSymbols(row, symbols, options);
    yield drawRow(scene, row, options);
  }
  yield `</pre>${symbols.size === 0 ? '' : `<svg style="display:none">${[...symbols.values()].join('')}</svg>`}</body></html>
`;
  return { width, height };
}

function styleOf(scene: Pick<Scene, 'background' | 'foreground'>, options: PictureOptions, width: number): string {
  const { cellWidth, cellHeight, pad } = options;
  return `pre{margin:0;padding:${pad}px;width:${width}px;color:${css(scene.foreground)};background:${css(scene.background)};font:${cellWidth / PRIMARY_ADVANCE_EM}px/${cellHeight}px ${FONTS};font-variant-ligatures:none}
pre div{position:relative;height:${cellHeight}px;overflow:hidden}
pre span{display:inline-block;height:${cellHeight}px;vertical-align:top;overflow:hidden;white-space:pre}
pre svg{position:absolute;left:0;top:0;width:100%;height:100%;pointer-events:none}
pre b{position:relative;display:inline-block;width:100%;height:100%;font-weight:inherit}
pre b u{color:transparent;text-decoration:none}
pre i{position:absolute;box-sizing:border-box;pointer-events:none}
a{color:inherit}
`;
}

export interface HtmlRows {
  readonly rows: readonly string[];
  /** Rules for rows of every screen under these options. */
  readonly style: string;
  /** 0xRRGGBB. */
  readonly background: number;
}

/**
 * The rows of a screen alone, for a page that shows one screen after the other.
 * @param symbols takes the sprites that the rows refer to
 */
export function htmlRows(snapshot: Snapshot, options: PictureOptions, symbols: Map<string, string>): HtmlRows {
  const scene = sceneOf(snapshot, options);
  const rows = Array.from(scene.rows, (row) => {
    collectSymbols(row, symbols, options);
    return drawRow(scene, row, options);
  });
  return { rows, style: styleOf(scene, options, scene.cols * options.cellWidth), background: scene.background };
}

function drawRow(scene: Scene, row: SceneRow, { cellWidth, cellHeight }: PictureOptions): string {
  const spans = row.runs.map((run) => span(run, scene.background, cellWidth)).join('');
  const over = [
    ...row.boxes.map(({ left, right, top, bottom }) =>
      overlay(left, right - left, cellWidth, cellHeight, { top, bottom }),
    ),
    ...(row.cursor === undefined || row.cursor.shape === 'block'
      ? []
      : [cursorOverlay(row, scene.cursorColor, cellWidth, cellHeight)]),
  ];
  const style = row.lineSize === 'single' ? '' : ` style="${largeStyle(row)}"`;
  return `<div><div${style}>${spans}</div>${over.join('')}</div>`;
}

function largeStyle({ lineSize }: SceneRow): string {
  const scaleY = lineSize === 'double-width' ? 1 : 2;
  const origin = lineSize === 'double-bottom' ? '0 100%' : '0 0';
  return `transform:scale(2,${scaleY});transform-origin:${origin};width:50%`;
}

function span(run: StyledRun, background: number, cellWidth: number): string {
  const lines = [
    run.underline > 0 ? 'underline' : '',
    run.strikethrough ? 'line-through' : '',
    run.overline ? 'overline' : '',
  ].filter((line) => line !== '');
  const style = [
    `width:${run.span * cellWidth}px`,
    `color:${css(run.fg)}`,
    ...(run.bg === background ? [] : [`background:${css(run.bg)}`]),
    ...(run.bold ? ['font-weight:bold'] : []),
    ...(run.italic ? ['font-style:italic'] : []),
    ...(lines.length === 0
      ? []
      : [`text-decoration:${lines.join(' ')} ${UNDERLINE_STYLES[run.underline] ?? ''} ${css(run.underlineColor)}`]),
  ];
  const text =
    run.sprite === undefined
      ? escaped(run.text)
      : `<b><u>${escaped(run.text)}</u><svg><use href="#${symbolId(run)}"/></svg></b>`;
  const linked =
    run.link !== undefined && SAFE_LINK.test(run.link) ? `<a href="${escaped(run.link)}">${text}</a>` : text;
  return `<span style="${style.join(';')}">${linked}</span>`;
}

/** Every sprite, once. */
function collectSymbols({ runs }: SceneRow, symbols: Map<string, string>, options: PictureOptions): void {
  for (const run of runs) {
    if (run.sprite === undefined) continue;
    const id = symbolId(run);
    if (symbols.has(id)) continue;
    const box = { x: 0, y: 0, width: run.span * options.cellWidth, height: options.cellHeight };
    const rects = new SpriteShapes().rects(run.sprite, 'currentColor', box);
    symbols.set(id, `<symbol id="${id}" viewBox="0 0 ${box.width} ${box.height}">${rects}</symbol>`);
  }
}

function symbolId({ sprite = 0, span }: StyledRun): string {
  return `u${sprite.toString(16)}-${span}`;
}

function cursorOverlay({ cursor }: SceneRow, color: number, cellWidth: number, cellHeight: number): string {
  if (cursor === undefined) return '';
  const left = cursor.col * cellWidth;
  const width = cursor.span * cellWidth;
  const border = {
    bar: 'border-left:2px solid',
    underline: 'border-bottom:2px solid',
    hollow: 'border:1px solid',
    block: '',
  }[cursor.shape];
  return `<i style="left:${left}px;top:0;width:${width}px;height:${cellHeight}px;${border} ${css(color)}"></i>`;
}

function overlay(
  col: number,
  cols: number,
  cellWidth: number,
  cellHeight: number,
  { top, bottom }: { readonly top: boolean; readonly bottom: boolean },
): string {
  const line = `1px solid ${css(MARK_COLOR)}`;
  const edges = `border-left:${line};border-right:${line}${top ? `;border-top:${line}` : ''}${bottom ? `;border-bottom:${line}` : ''}`;
  return `<i style="left:${col * cellWidth}px;top:0;width:${cols * cellWidth}px;height:${cellHeight}px;${edges}"></i>`;
}
