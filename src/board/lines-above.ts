/** The lines above the screen of the shown terminal, read, searched and copied as in attach. */
import { Clipboard, type Consent } from '../attach/clipboard.js';
import type { PanelHost } from '../attach/panel-host.js';
import { type Opening, Scrollback } from '../attach/scrollback.js';
import type { Size } from '../attach/size.js';
import type { DaemonConnection } from '../client/connection.js';
import type { Stage } from './stage.js';

export interface LinesAboveOptions {
  readonly panels: PanelHost;
  readonly connection: () => DaemonConnection;
  readonly stage: () => Stage;
  /** Of the screen. */
  readonly size: () => Size;
  /** To the terminal of the person. */
  readonly write: (sequence: string) => void;
  readonly draw: () => void;
  readonly say: (message: string) => void;
  readonly report: (error: unknown) => void;
}

export class LinesAbove {
  readonly #options: LinesAboveOptions;
  /** To copy: asked for once. */
  readonly #consent: Consent = { isGiven: undefined };

  constructor(options: LinesAboveOptions) {
    this.#options = options;
  }

  open(opening: Opening): void {
    const { panels, connection, stage, size, write, draw, say, report } = this.#options;
    const { id, mirror } = stage();
    if (id === undefined) return say('No terminal is shown.');
    const panel: Scrollback = new Scrollback({
      connection: connection(),
      id,
      mirror,
      clipboard: new Clipboard(this.#consent, write),
      opening,
      window: size,
      onChange: draw,
      onEnd: (notice) => {
        panels.close(panel);
        say(notice);
      },
      onError: (error) => {
        panels.close(panel);
        report(error);
      },
    });
    panels.open(panel);
  }
}
