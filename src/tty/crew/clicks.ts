/**
 * The mouse of the person: over the screen as in attach, so the program's if that listens, else for the lines above and a selection; over
 * tabs, rail and toasts a click goes there.
 */
import { type MouseFields, mouseReport } from '../mouse-report.js';
import { OuterMouse } from '../outer-mouse.js';
import type { PanelHost } from '../panel-host.js';
import type { Opening } from '../scrollback.js';
import { toastAt } from './canvas.js';
import type { Layout } from './layout.js';
import type { RailRow, RailTarget } from './rail.js';
import type { CrewStage } from './stage.js';
import { type Tab, tabAt } from './tabs.js';
import type { Toast } from './toasts.js';

/** Shell as it is drawn: a click is meant for what the person sees. */
export interface Drawn {
  readonly layout: Layout;
  readonly tabs: readonly Tab[];
  readonly rail: readonly RailRow[];
  readonly toasts: readonly Toast[];
}

export interface ClicksOptions {
  readonly panels: PanelHost;
  readonly stage: () => CrewStage;
  readonly drawn: () => Drawn | undefined;
  readonly go: (target: ClickTarget) => void;
  readonly scrollBack: (opening: Opening) => void;
}

export type ClickTarget = RailTarget | { readonly kind: 'new' };

export class Clicks {
  readonly #options: ClicksOptions;
  readonly #screen: OuterMouse;
  /** A button went down over the screen: its moves and its release belong there, wherever they are. */
  #isHeld = false;

  constructor(options: ClicksOptions) {
    this.#options = options;
    const { panels, stage, scrollBack } = options;
    this.#screen = new OuterMouse({
      panels,
      isReadOnly: false,
      state: () => stage().mirror.state,
      hasKeyboard: () => !stage().isTaking,
      origin: () => stage().picture.origin,
      scrollBack,
      send: (report) => this.#toProgram(report),
      type: (bytes) => stage().type(bytes),
    });
  }

  /** Leaves the mouse to the person's terminal, or takes it back. @returns whether it is left */
  toggle(): boolean {
    return this.#screen.toggle();
  }

  /** Mode of the mouse that the person's terminal gets. */
  get tracking(): string {
    return String(this.#screen.tracking);
  }

  /** @param bytes of one report @returns whether what is shown here has changed */
  take(bytes: string): boolean {
    const { panels, drawn, stage, go } = this.#options;
    const report = mouseReport(bytes);
    const seen = drawn();
    if (report === undefined || seen === undefined) return false;
    const { panel } = panels;
    if (panel !== undefined && panel.rows === undefined) return false;
    const { action, button } = report;
    const target = this.#isHeld && action !== 'scroll' ? 'screen' : targetAt(report, seen);
    if (target === 'screen') {
      if (action === 'press') this.#isHeld = true;
      else if (action === 'release') this.#isHeld = false;
      return stage().visit !== undefined && this.#screen.takeReport(onScreen(report, seen.layout));
    }
    if (panel !== undefined || action !== 'press' || button !== 'left' || target === undefined) return false;
    go(target);
    return true;
  }

  #toProgram(report: MouseFields): void {
    const { visit, picture, mirror, isTaking } = this.#options.stage();
    const { layout } = this.#options.drawn() ?? {};
    if (visit === undefined || layout === undefined || !isTaking) return;
    visit.mouse(picture.placed(report, mirror, { cols: layout.cols, rows: layout.screen.rows }));
  }
}

/** Place of a report from the top left of the screen. */
function onScreen(report: MouseFields, { above, cols, screen }: Layout): MouseFields {
  const row = Math.max(0, Math.min(report.row - above, screen.rows - 1));
  return { ...report, row, col: Math.min(report.col, cols - 1) };
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
