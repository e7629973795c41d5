/**
 * A program that has read its terminal for a while waits for somebody: it is not only about to read, or to go on. What is
 * only likely to read (an event loop that watches the terminal among others) has to be quiet for longer, and stays told as
 * likely. Where the group computes meanwhile, it begins anew; and a program that passes keys on to another host asks nothing as
 * long as no question is on the screen.
 */
import type { Clock } from '../base/clock.js';
import { type Disposable, DisposableScope } from '../base/lifetime.js';
import type { AwaitingInput } from '../events/awaiting-input.js';
import { hasTimeLimit, mayBeInspected, printsElsewhere } from './system/proc/foreground.js';
import { isRelay } from './system/proc/relays.js';
import type { Feed } from './feed.js';
import { showsQuestion } from '../search/shown-question.js';
import type { Screen } from '../vt/screen.js';

/** Longer than a prompt that goes on by itself, such as `read -t 0.5`. */
export const LASTING_READ_MS = 1000;

/** Longer than the pause of programs that only show something and watch for keys meanwhile (top: 3 s). */
export const LIKELY_READ_MS = 4000;

/** A terminal, as far as its readers are watched. */
export interface ReadTerminal {
  readonly pid: number;
  readonly device: string;
  readonly screen: Screen;
  readonly feed: Pick<Feed, 'add'>;
  readonly detectors: {
    readonly tellsAwaitingInput: boolean;
    probeInput(): Promise<AwaitingInput | undefined>;
    isComputing(options: { readonly fromNow: boolean }): boolean;
    onAwaitingInput(listener: (found: AwaitingInput) => void, options: { readonly now: boolean }): Disposable;
  };
}

/**
 * Calls the listener once, when a read has lasted that long without output or input in between. A certain read counts
 * after a second, and so does a line without echo: the readers of passwords (sudo) may not be inspected. Where the system
 * does not report reads, it is never called.
 */
export function onLastingRead(
  terminal: ReadTerminal,
  clock: Clock,
  listener: (found: AwaitingInput) => void,
): Disposable {
  const { detectors, feed } = terminal;
  const scope = new DisposableScope();
  if (!detectors.tellsAwaitingInput) return scope;
  let pending: { readonly found: AwaitingInput; readonly timer: Disposable } | undefined;
  let watching: Disposable | undefined;
  const forget = (): void => {
    pending?.timer.dispose();
    pending = undefined;
  };
  const confirm = async (own: typeof pending): Promise<void> => {
    const found = await detectors.probeInput();
    // Output or input has come meanwhile, or the terminal is no longer watched.
    if (own === undefined || own !== pending) return;
    forget();
    const isAtWork = detectors.isComputing({ fromNow: true });
    if (found !== undefined && !isAtWork && isSameReader(found, own.found) && asks(terminal, found))
      return listener(found);
    watch();
  };
  const watch = (): void => {
    watching?.dispose();
    watching = detectors.onAwaitingInput(
      (found) => {
        if (pending !== undefined && (isLasting(pending.found) || !isLasting(found))) return;
        forget();
        const timer = clock.after(isLasting(found) ? LASTING_READ_MS : LIKELY_READ_MS, () => {
          const own = pending;
          void confirm(own).catch(() => {});
        });
        pending = { found, timer };
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

/** A reader that may be inspected is no surer without echo than with it: somebody may have turned echo off for good. */
function isLasting({ certain, kind, pid }: AwaitingInput): boolean {
  return certain || (kind === 'password' && !mayBeInspected(pid));
}

/** A likely reader may have become a certain one, and not the other way round. */
function isSameReader(found: AwaitingInput, before: AwaitingInput): boolean {
  return found.pid === before.pid && (isLasting(found) || !isLasting(before));
}

function asks(terminal: ReadTerminal, found: AwaitingInput): boolean {
  return isRelay(found.pid, found.process)
    ? isLasting(found) || showsQuestion(terminal.screen)
    : !onlyShows(terminal, found);
}

/**
 * It would take keys for a while, below whole lines or with its output in a pipe: it shows something from time to time.
 */
function onlyShows(terminal: ReadTerminal, found: AwaitingInput): boolean {
  if (isLasting(found) || found.kind !== 'raw' || terminal.screen.altScreen) return false;
  const isAtLineStart = terminal.screen.snapshot().cursor.col === 0;
  return (isAtLineStart || printsElsewhere(found.pid)) && hasTimeLimit(terminal, found.pid);
}
