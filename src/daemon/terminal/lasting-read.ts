/** A program that has read its terminal for a while waits for somebody: it is not only about to read, or to go on. */
import type { Clock } from '../../base/clock.js';
import { type Disposable, DisposableScope } from '../../base/lifetime.js';
import type { AwaitingInput } from '../../events/input/awaiting-input.js';
import type { Terminal } from './terminal.js';

/** Longer than a prompt that goes on by itself, such as `read -t 0.5`. */
export const LASTING_READ_MS = 1000;

/**
 * Calls the listener once, when a read has lasted that long without output or input in between. Only a certain read counts,
 * or a line without echo: the readers of passwords (sudo) may not be inspected. Where the system does not report reads, it
 * is never called.
 */
export function onLastingRead(terminal: Terminal, clock: Clock, listener: (found: AwaitingInput) => void): Disposable {
  const { detectors, feed } = terminal;
  const scope = new DisposableScope();
  if (!detectors.tellsAwaitingInput) return scope;
  let pending: Disposable | undefined;
  let watching: Disposable | undefined;
  const forget = (): void => {
    pending?.dispose();
    pending = undefined;
  };
  const confirm = async (before: AwaitingInput, own: Disposable | undefined): Promise<void> => {
    const found = await detectors.probeInput();
    // Output or input has come meanwhile, or the terminal is no longer watched.
    if (own !== pending) return;
    forget();
    if (found !== undefined && isLasting(found) && found.pid === before.pid) return listener(found);
    watch();
  };
  const watch = (): void => {
    watching?.dispose();
    watching = detectors.onAwaitingInput(
      (found) => {
        if (!isLasting(found) || pending !== undefined) return;
        const timer = clock.after(LASTING_READ_MS, () => void confirm(found, timer).catch(() => {}));
        pending = timer;
      },
      { now: true },
    );
  };
  scope.add(feed.add({ onBytes: forget, onInput: forget }));
  scope.defer(forget);
  scope.defer(() => watching?.dispose());
  watch();
  return scope;
}

function isLasting({ certain, kind }: AwaitingInput): boolean {
  return certain || kind === 'password';
}
