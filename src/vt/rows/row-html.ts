/**
 * Rows as HTML: one `<pre>` whose spans have their style inline, so that it can be pasted anywhere.
 *
 * Security: text and link targets come from the program. Everything is escaped, and only harmless targets become links;
 * `javascript:` and the like stay text.
 */
import { rowRuns, type Run } from './row-runs.js';
import { withoutGap } from './row-text.js';
import {
  ATTR_BOLD,
  ATTR_DIM,
  ATTR_INVERSE,
  ATTR_INVISIBLE,
  ATTR_ITALIC,
  ATTR_OVERLINE,
  ATTR_STRIKETHROUGH,
  ATTR_UNDERLINE_MASK,
  ATTR_UNDERLINE_SHIFT,
  COLOR_DEFAULT,
  COLOR_KIND_MASK,
  COLOR_PALETTE,
  COLOR_VALUE_MASK,
  type DynamicColors,
  type ReportedColors,
  type SnapshotRow,
} from '../snapshot.js';

export interface HtmlColors {
  readonly theme: ReportedColors;
  /** Colours that the program has set. */
  readonly dynamic: DynamicColors;
  /** DECSCNM. */
  readonly reverseScreen: boolean;
}

/** @param lines for each line its rows */
export function rowsHtml(lines: readonly (readonly SnapshotRow[])[], colors: HtmlColors): string {
  return framedHtml(
    lines.map((rows) => lineHtml(rows, colors)),
    colors,
  );
}

/** @param rows of one line; for {@link framedHtml} */
export function lineHtml(rows: readonly SnapshotRow[], colors: HtmlColors): string {
  const runs = rows.flatMap((row, i) => rowRuns(withoutGap(row, rows[i + 1])));
  return runs.map((run) => runHtml(run, colors)).join('');
}

export function framedHtml(lines: readonly string[], colors: HtmlColors): string {
  const foreground = css(COLOR_DEFAULT, 'foreground', colors);
  const background = css(COLOR_DEFAULT, 'background', colors);
  return `<pre style="color:${foreground};background:${background}">${lines.join('\n')}\n</pre>\n`;
}

function runHtml({ graphemes, style, link }: Run, colors: HtmlColors): string {
  const text = escapeHtml(graphemes.join(''));
  const rules = styleRules(style, colors);
  const span = rules.length === 0 ? text : `<span style="${rules.join(';')}">${text}</span>`;
  return link !== undefined && SAFE_TARGET.test(link) ? `<a href="${escapeHtml(link)}">${span}</a>` : span;
}

const SAFE_TARGET = /^(?:https?|ftp|file|mailto):/iu;

const UNDERLINE_STYLES = ['', 'solid', 'double', 'wavy', 'dotted', 'dashed'] as const;

function styleRules({ fg, bg, attributes, underlineColor }: Run['style'], colors: HtmlColors): string[] {
  const rules: string[] = [];
  const inverse = (attributes & ATTR_INVERSE) !== 0;
  if (inverse || fg !== COLOR_DEFAULT) {
    rules.push(`color:${inverse ? css(bg, 'background', colors) : css(fg, 'foreground', colors)}`);
  }
  if (inverse || bg !== COLOR_DEFAULT) {
    rules.push(`background:${inverse ? css(fg, 'foreground', colors) : css(bg, 'background', colors)}`);
  }
  if ((attributes & ATTR_BOLD) !== 0) rules.push('font-weight:bold');
  if ((attributes & ATTR_DIM) !== 0) rules.push('opacity:.6');
  if ((attributes & ATTR_ITALIC) !== 0) rules.push('font-style:italic');
  if ((attributes & ATTR_INVISIBLE) !== 0) rules.push('visibility:hidden');
  const underline = UNDERLINE_STYLES[(attributes & ATTR_UNDERLINE_MASK) >> ATTR_UNDERLINE_SHIFT] ?? '';
  const lines = [
    ...(underline === '' ? [] : ['underline']),
    ...((attributes & ATTR_STRIKETHROUGH) === 0 ? [] : ['line-through']),
    ...((attributes & ATTR_OVERLINE) === 0 ? [] : ['overline']),
  ];
  if (lines.length === 0) return rules;
  const looks = underline === '' || underline === 'solid' ? [] : [underline];
  const color = underlineColor === COLOR_DEFAULT ? [] : [css(underlineColor, 'foreground', colors)];
  return [...rules, `text-decoration:${[...lines, ...looks, ...color].join(' ')}`];
}

function css(word: number, ground: 'foreground' | 'background', { theme, dynamic, reverseScreen }: HtmlColors): string {
  const kind = word & COLOR_KIND_MASK;
  const value = word & COLOR_VALUE_MASK;
  if (kind === COLOR_PALETTE) return hexColor(dynamic.palette.get(value) ?? theme.palette[value] ?? 0);
  if (kind !== COLOR_DEFAULT) return hexColor(value);
  const shown = reverseScreen ? OPPOSITE[ground] : ground;
  return hexColor(dynamic[shown] ?? theme[shown]);
}

const OPPOSITE = { foreground: 'background', background: 'foreground' } as const;

export function hexColor(color: number): string {
  return `#${color.toString(16).padStart(6, '0')}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (character) => ENTITIES[character] ?? character);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
