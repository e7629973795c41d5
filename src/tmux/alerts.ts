/** Alerts of windows: bells, output and silence, as flags of windows in sessions and as hooks. Without `monitor-…` options nothing of it runs. */
import { systemClock } from '../base/clock.js';
import type { Client } from '../client/client.js';
import { MAX_TIMEOUT_MS } from '../protocol/limits.js';
import type { Alert, WindowLink, Pane, Window } from './model.js';
import type { HookNotice } from './notices.js';
import type { State } from './state.js';

interface Kind {
  readonly hook: string;
  readonly action: string;
  /** A bell rings again; the others are raised once. */
  readonly repeats?: true;
  readonly isOn: (window: Window) => boolean;
}

/** Listed in the order of flags. */
const KINDS: Readonly<Record<Alert, Kind>> = {
  '#': { hook: 'alert-activity', action: 'activity-action', isOn: ({ options }) => options.isOn('monitor-activity') },
  '!': {
    hook: 'alert-bell',
    action: 'bell-action',
    repeats: true,
    isOn: ({ options }) => options.isOn('monitor-bell'),
  },
  '~': { hook: 'alert-silence', action: 'silence-action', isOn: (window) => silenceMs(window) > 0 },
};

/** Longer ones are waited for in parts. */
const MAX_TIMER_MS = 2 ** 31 - 1;

interface Silence {
  readonly ms: number;
  readonly sinceMs: number;
  readonly timer: NodeJS.Timeout;
}

export class Alerts {
  readonly #client: Client;
  readonly #state: State;
  readonly #onNotice: (notice: HookNotice) => void;
  readonly #silences = new Map<Window, Silence>();
  readonly #watched = new Map<Pane, AbortController>();
  /** Terminals of panes whose first output was before an option asked for it. */
  readonly #known = new WeakMap<Pane, string>();

  constructor(client: Client, state: State, onNotice: (notice: HookNotice) => void) {
    this.#client = client;
    this.#state = state;
    this.#onNotice = onNotice;
  }

  /** A pane of the window rang the bell. */
  rang(window: Window): void {
    this.#raise(window, '!');
  }

  /** The flags of the window go; the choice is an activity. */
  chosen(window: Window): void {
    forget(window);
    this.#raise(window, '#');
    if (this.#silences.has(window)) this.#beSilent(window);
  }

  /** To be called after commands: options and panes may be others. What is printed once it has ended is seen. */
  async follow(): Promise<void> {
    const { windows } = this.#state;
    for (const window of this.#silences.keys())
      if (!windows.has(window.id) || silenceMs(window) === 0) this.#endSilence(window);
    const wanted = new Set<Pane>();
    for (const window of windows.values()) {
      const ms = silenceMs(window);
      if (ms > 0 && this.#silences.get(window)?.ms !== ms) this.#beSilent(window);
      const isWatched = KINDS['#'].isOn(window) && [...window.links].some(({ alerts }) => !alerts.has('#'));
      for (const pane of window.panes) {
        if (isWatched && pane.terminal !== '') wanted.add(pane);
        else this.#known.set(pane, pane.terminal);
      }
    }
    for (const pane of this.#watched.keys()) if (!wanted.has(pane)) this.#endWatch(pane);
    const added = [...wanted].filter((pane) => !this.#watched.has(pane));
    await Promise.all(added.map((pane) => this.#watch(pane)));
  }

  close(): void {
    for (const window of this.#silences.keys()) this.#endSilence(window);
    for (const pane of this.#watched.keys()) this.#endWatch(pane);
  }

  #raise(window: Window, alert: Alert): void {
    const { hook: name, action, repeats, isOn } = KINDS[alert];
    if (!isOn(window)) return;
    for (const link of window.links) {
      if (link.alerts.has(alert) && repeats !== true) continue;
      // A session that a terminal of tmux shows has none for its current window; no terminal shows one of these.
      link.alerts.add(alert);
      if (applies(link, action)) this.#onNotice({ name, session: link.session, window });
    }
  }

  /** Resolves once the watch has begun. */
  async #watch(pane: Pane): Promise<void> {
    const { terminal: id } = pane;
    const watch = new AbortController();
    this.#watched.set(pane, watch);
    const isKnown = this.#known.get(pane) === id;
    const before = isKnown ? await this.#client.call('status', { id }).catch(() => undefined) : undefined;
    this.#known.set(pane, id);
    void this.#waitFor(pane, before?.output_bytes ?? 0, watch);
  }

  #endWatch(pane: Pane): void {
    this.#watched.get(pane)?.abort();
    this.#watched.delete(pane);
  }

  /** Until it prints: the wait ends then, and none follows as long as the flag stands. */
  async #waitFor(pane: Pane, since: number, watch: AbortController): Promise<void> {
    const { terminal: id, window } = pane;
    const { signal } = watch;
    const until = [{ output_since: since }];
    try {
      const { outcome } = await this.#client.call('wait', { id, until, timeout_ms: MAX_TIMEOUT_MS }, { signal });
      if (outcome === 'matched' && pane.window === window) this.#raise(window, '#');
    } catch {
      // The terminal or the daemon has gone, or it is watched no more: the next command looks again.
    } finally {
      if (this.#watched.get(pane) === watch) this.#watched.delete(pane);
    }
  }

  #beSilent(window: Window, waitMs = silenceMs(window), sinceMs = systemClock.now()): void {
    this.#endSilence(window);
    const timer = setTimeout(() => void this.#silent(window), Math.min(waitMs, MAX_TIMER_MS));
    timer.unref();
    this.#silences.set(window, { ms: silenceMs(window), sinceMs, timer });
  }

  /** Panes may have printed since the timer was set. */
  async #silent(window: Window): Promise<void> {
    const silence = this.#silences.get(window);
    if (silence === undefined || !this.#state.windows.has(window.id)) return this.#endSilence(window);
    const printed = window.panes.filter(({ terminal }) => terminal !== '');
    const idle = await Promise.all(printed.map(({ terminal }) => this.#idleMs(terminal)));
    // Another command has changed it while the daemon was asked.
    if (this.#silences.get(window) !== silence) return;
    const forMs = Math.min(systemClock.now() - silence.sinceMs, ...idle);
    if (forMs < silence.ms) return this.#beSilent(window, silence.ms - forMs, silence.sinceMs);
    this.#raise(window, '~');
    this.#beSilent(window);
  }

  async #idleMs(id: string): Promise<number> {
    const facts = await this.#client.call('status', { id }).catch(() => undefined);
    return facts?.idle_ms ?? Infinity;
  }

  #endSilence(window: Window): void {
    clearTimeout(this.#silences.get(window)?.timer);
    this.#silences.delete(window);
  }
}

/** Clears the flags of a window in all sessions. */
export function forget(window: Window): void {
  for (const { alerts } of window.links) alerts.clear();
}

/** The flags of a window in a session, as tmux shows them. */
export function alertsOf({ alerts }: WindowLink): string {
  return Object.keys(KINDS)
    .filter((alert) => alerts.has(alert as Alert))
    .join('');
}

function silenceMs({ options }: Window): number {
  return options.number('monitor-silence') * 1000;
}

function applies(link: WindowLink, action: string): boolean {
  const { current, options } = link.session;
  const when = options.text(action);
  return when === 'any' || when === (current === link ? 'current' : 'other');
}
