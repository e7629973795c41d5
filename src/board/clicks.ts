/** The mouse of the person: over the screen it is the program's, if that listens; over tabs, rail and toasts a click goes there. */
import { type MouseFields, mouseReport } from '../attach/mouse-report.js';
import type { PanelHost } from '../attach/panel-host.js';
import type { MirrorState } from '../mirror/mirror.js';
import { toastAt } from './canvas.js';
import type { Layout } from './layout.js';
import type { RailRow, RailTarget } from './rail.js';
import type { Stage } from './stage.js';
import { type Tab, tabAt } from './tabs.js';
import type { Toast } from './toasts.js';

/** As it is drawn: a click is meant for what the person sees. */
export interface Drawn {
  readonly layout: Layout;
  readonly tabs: readonly Tab[];
  readonly rail: readonly RailRow[];
  readonly toasts: readonly Toast[];
}

export interface ClicksOptions {
  readonly panels: PanelHost;
  readonly stage: () => Stage;
  readonly drawn: () => Drawn | undefined;
  readonly go: (target: ClickTarget) => void;
}

export type ClickTarget = RailTarget | { readonly kind: 'new' };

const WHEEL_ROWS = 3;

export class Clicks {
  readonly #options: ClicksOptions;
  #isLeft = false;
  /** A button was pressed over the screen: its release is the program's, wherever it is. */
  #isPrograms = false;

  constructor(options: ClicksOptions) {
    this.#options = options;
  }

  /** Leaves the mouse to the person's terminal, or takes it back. @returns whether it is left */
  toggle(): boolean {
    this.#isLeft = !this.#isLeft;
    return this.#isLeft;
  }

  /** Mode of the mouse that the person's terminal gets. */
  get tracking(): string {
    const { panels } = this.#options;
    if (this.#isLeft || panels.panel !== undefined) return 'none';
    return this.#listens ?? 'normal';
  }

  /** @param bytes of one report */
  take(bytes: string): void {
    const { panels, drawn, go } = this.#options;
    const report = mouseReport(bytes);
    const seen = drawn();
    if (report === undefined || seen === undefined || panels.panel !== undefined) return;
    if (this.#isPrograms && report.action !== 'scroll') return this.#toProgram(report, seen.layout);
    const target = targetAt(report, seen);
    if (target === 'screen') return this.#toProgram(report, seen.layout);
    if (report.action === 'press' && report.button === 'left' && target !== undefined) go(target);
  }

  get #listens(): string | undefined {
    const stage = this.#options.stage();
    const tracking = stage.isTaking ? stage.mirror.state.modes['mouse_tracking'] : undefined;
    return tracking === undefined || tracking === 'none' ? undefined : String(tracking);
  }

  #toProgram(report: MouseFields, { above, cols, screen }: Layout): void {
    const { visit, picture, mirror, isTaking } = this.#options.stage();
    if (visit === undefined || !isTaking) return;
    if (this.#listens === undefined) return this.#wheel(report, mirror.state);
    if (report.action === 'press') this.#isPrograms = true;
    else if (report.action === 'release') this.#isPrograms = false;
    const place = { ...report, row: Math.max(0, report.row - above), col: Math.min(report.col, cols - 1) };
    visit.mouse(picture.placed(place, mirror, { cols, rows: screen.rows }));
  }

  /** What a terminal does for a program without a mouse on the alternate screen. */
  #wheel({ action, direction }: MouseFields, { altScreen, modes }: MirrorState): void {
    if (action !== 'scroll' || !altScreen) return;
    const prefix = modes['application_cursor'] === true ? '\x1bO' : '\x1b[';
    const final = direction === 'up' ? 'A' : direction === 'down' ? 'B' : '';
    if (final !== '') this.#options.stage().type(`${prefix}${final}`.repeat(WHEEL_ROWS));
  }
}

/** `screen`: over the program. Undefined: nothing is there. */
function targetAt(
  { row, col }: MouseFields,
  { layout, tabs, rail, toasts }: Drawn,
): ClickTarget | 'screen' | undefined {
  const { rows, above, cols } = layout;
  if (row >= rows - 1) return undefined;
  if (col >= cols) return rail[row]?.target;
  if (row < above) {
    const tab = tabAt(tabs, cols, col);
    if (tab === undefined || tab === 'new') return tab && { kind: 'new' };
    return { kind: 'go', id: tab.id };
  }
  const toast = toastAt(toasts, layout, { row, col });
  return toast === undefined ? 'screen' : { kind: 'go', id: toast.id };
}
