/** Calls the person while the page is not looked at: by notifications, and a number on the icon of an installed page. */
import { Calls } from './calls.js';
import type { Need } from './state.js';

export class Caller {
  readonly #calls: Calls;
  #again: ReturnType<typeof setTimeout> | undefined;
  #count = 0;

  /** @param go a notification was clicked */
  constructor(go: (need: Need) => void) {
    this.#calls = new Calls((call, need) => {
      const { title, ...options } = call;
      const shown = new Notification(title, { ...options, icon: 'icon.svg' });
      shown.onclick = () => {
        focus();
        shown.close();
        go(need);
      };
      return shown;
    });
  }

  get mayAsk(): boolean {
    return 'Notification' in globalThis && isSecureContext && Notification.permission === 'default';
  }

  async ask(): Promise<boolean> {
    return (await Notification.requestPermission()) === 'granted';
  }

  /** @param needs all there are now */
  see(needs: readonly Need[]): void {
    if (!('Notification' in globalThis) || Notification.permission !== 'granted') return;
    const dueMs = this.#calls.see(needs, !document.hidden && document.hasFocus(), performance.now());
    clearTimeout(this.#again);
    if (dueMs !== undefined) this.#again = setTimeout(() => this.see(needs), dueMs);
    this.#badge(needs.length);
  }

  #badge(count: number): void {
    if (count === this.#count || !('setAppBadge' in navigator)) return;
    this.#count = count;
    // Only the page of an installed app has one.
    void (count === 0 ? navigator.clearAppBadge() : navigator.setAppBadge(count)).catch(() => {});
  }
}
