/**
 * The mouse of the person's terminal: the program's, if that has asked for it; else the wheel reads the scrollback and a drag
 * selects. With Shift a drag selects in any case, where their terminal leaves it to programs.
 */
import type { MirrorState } from '../mirror/mirror.js';
import { type MouseFields, mouseReport } from './mouse-report.js';
import type { PanelHost } from './panel-host.js';
import type { Opening } from './scrollback.js';
import { WHEEL_ROWS } from './scrollback-keys.js';

export interface OuterMouseOptions {
  readonly panels: PanelHost;
  readonly isReadOnly: boolean;
  readonly state: () => MirrorState;
  /** Whether keys are for attach itself. */
  readonly hasKeyboard: () => boolean;
  /** The cell of the screen that is at the top left. */
  readonly origin: () => { readonly left: number; readonly top: number };
  readonly scrollBack: (opening: Opening) => void;
  /** To the program. */
  readonly send: (report: MouseFields) => void;
  readonly type: (bytes: string) => void;
}

export class OuterMouse {
  readonly #options: OuterMouseOptions;
  #isLeft = false;
  /** A press that may begin a selection. */
  #pressed: MouseFields | undefined;

  constructor(options: OuterMouseOptions) {
    this.#options = options;
  }

  /** Leaves the mouse to the person's terminal, or takes it back. @returns whether it is left */
  toggle(): boolean {
    this.#isLeft = !this.#isLeft;
    return this.#isLeft;
  }

  /** Modes that the person's terminal gets: of the program, as far as the keys are for it, and of the mouse. */
  get modes(): MirrorState['modes'] {
    const { isReadOnly, state, hasKeyboard } = this.#options;
    return { ...(hasKeyboard() || isReadOnly ? {} : state().modes), mouse_tracking: this.tracking };
  }

  /** Mode of the mouse that the person's terminal gets. */
  get tracking(): MirrorState['modes'][string] {
    const { panels, isReadOnly, state, hasKeyboard } = this.#options;
    const isCovered = panels.panel !== undefined && panels.panel.rows === undefined;
    if (this.#isLeft || isCovered) return 'none';
    return hasKeyboard() || isReadOnly || !this.#isPrograms ? 'button' : (state().modes['mouse_tracking'] ?? 'none');
  }

  /** @param bytes of one report @returns whether what is shown here has changed */
  take(bytes: string): boolean {
    const report = mouseReport(bytes);
    return report !== undefined && this.takeReport(report);
  }

  /** @param report with row and column of what shows the screen @returns whether what is shown here has changed */
  takeReport(report: MouseFields): boolean {
    const { panels, hasKeyboard, isReadOnly } = this.#options;
    if (panels.panel !== undefined) return panels.mouse(report);
    if (this.#selects(report)) return this.#drag(report);
    if (hasKeyboard() || isReadOnly || !this.#isPrograms) return report.action === 'scroll' && this.#scroll(report);
    this.#options.send(report);
    return false;
  }

  get #isPrograms(): boolean {
    const tracking = this.#options.state().modes['mouse_tracking'];
    return tracking !== undefined && tracking !== 'none';
  }

  #selects({ button, action, modifiers = [] }: MouseFields): boolean {
    if (this.#pressed !== undefined) return action !== 'scroll';
    const isOurs = !this.#isPrograms || this.#options.isReadOnly || modifiers.includes('shift');
    return isOurs && button === 'left' && action === 'press';
  }

  #drag(report: MouseFields): boolean {
    const pressed = this.#pressed;
    if (report.action === 'press' || pressed === undefined) {
      this.#pressed = report;
      return false;
    }
    const isMoved = report.row !== pressed.row || report.col !== pressed.col;
    if (report.action === 'release' || isMoved) this.#pressed = undefined;
    if (!isMoved) return false;
    this.#options.scrollBack({ by: 'drag', ...this.#options.origin() });
    this.#options.panels.mouse({ ...pressed, action: 'press' });
    return this.#options.panels.mouse(report);
  }

  /** Scrolls as its terminal does for a program without a mouse: arrows on the alternate screen, else the lines above. */
  #scroll({ direction }: MouseFields): boolean {
    const { state, hasKeyboard, isReadOnly, origin } = this.#options;
    const isUp = direction === 'up';
    if (state().altScreen && !hasKeyboard() && !isReadOnly) {
      const arrows = state().modes['application_cursor'] === true ? ARROWS.application : ARROWS.normal;
      if (isUp || direction === 'down') this.#options.type((isUp ? arrows.up : arrows.down).repeat(WHEEL_ROWS));
      return false;
    }
    if (!isUp) return false;
    this.#options.scrollBack({ by: 'wheel', ...origin() });
    return this.#options.panels.mouse({ action: 'scroll', direction: 'up', row: 0, col: 0 });
  }
}

/** Keys of the person, as their terminal sends them for the wheel. */
const ARROWS = {
  normal: { up: '\x1b[A', down: '\x1b[B' },
  application: { up: '\x1bOA', down: '\x1bOB' },
} as const;
