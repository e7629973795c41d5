/** Screens for tests of what is read from them. */
import { onTestFinished } from 'vitest';
import { Screen } from '../../../src/vt/screen.js';

export const PLAIN_COLORS = {
  foreground: 0xffffff,
  background: 0,
  cursor: 0xffffff,
  palette: Array.from({ length: 256 }, () => 0),
};

export function newScreen({ cols = 20, rows = 5, scrollback = 100 } = {}): Screen {
  const screen = new Screen({ cols, rows, scrollback, colors: PLAIN_COLORS, version: 'test' });
  onTestFinished(() => screen.dispose());
  return screen;
}

export async function feed(screen: Screen, text: string): Promise<void> {
  screen.write(Buffer.from(text));
  if (!(await screen.settle(10_000))) throw new Error('the screen did not settle');
}

export async function screenOf(text: string, size: { cols?: number; rows?: number; scrollback?: number } = {}) {
  const screen = newScreen(size);
  await feed(screen, text);
  return screen;
}
