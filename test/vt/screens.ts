/** Screens to write to, and their content in a form that can be compared. */
import { onTestFinished } from 'vitest';
import type { ReportedColors } from '../../src/vt/snapshot.js';
import { rowText } from '../../src/vt/rows/row-text.js';
import { Screen, type ScreenOptions } from '../../src/vt/screen.js';
import type { Snapshot, SnapshotRow } from '../../src/vt/snapshot.js';

export const THEME: ReportedColors = {
  foreground: 0xc0caf5,
  background: 0x1a1b26,
  cursor: 0xff9e64,
  palette: Uint32Array.from({ length: 256 }, (_, index) => index * 0x010101),
};

export function openScreen(options: Partial<ScreenOptions> = {}): Screen {
  const screen = new Screen({ cols: 20, rows: 5, scrollback: 100, colors: THEME, version: '1.2.3', ...options });
  onTestFinished(() => screen.dispose());
  return screen;
}

const encoder = new TextEncoder();

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Writes and waits until it is parsed. */
export async function show(screen: Screen, text: string): Promise<Snapshot> {
  screen.write(bytesOf(text));
  await screen.settle(60_000);
  return screen.snapshot();
}

export function textOf(snapshot: Snapshot): string[] {
  return snapshot.lines.map((row) => rowText(row));
}

/** Everything but the revision, which depends on how the bytes were cut. */
export function contentOf(snapshot: Snapshot): object {
  return { ...snapshot, rev: undefined, lines: snapshot.lines.map(rowContent) };
}

export function rowContent(row: SnapshotRow): object {
  return { ...row, cells: Array.from(row.cells) };
}
