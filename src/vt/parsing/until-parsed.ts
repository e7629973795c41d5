/** Wait of writers that need the screen as it is between two of their writes, also within a synchronized update. */
import type { Disposable } from '../../base/lifetime.js';

export interface Parsing {
  readonly pendingBytes: number;
  readonly onParsed: { on(listener: () => void): Disposable };
}

/** Resolves once all that was written is on the screen. */
export function untilParsed(screen: Parsing): Promise<void> {
  if (screen.pendingBytes === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const listening = screen.onParsed.on(() => {
      if (screen.pendingBytes > 0) return;
      listening.dispose();
      resolve();
    });
  });
}
