/** While the daemon is gone: the last frame in grey, until it answers again. */
import type { DaemonConnection } from '../../client/connection.js';
import { statusLine } from '../status-line.js';
import type { OuterFrame } from '../../mirror/frame-writer.js';
import { OUTER, style } from '../../mirror/outer-sequences.js';
import { isT4aError } from '../../protocol/errors.js';

const RETRY_MS = 500;

export interface AwayOptions {
  readonly reconnect: () => Promise<DaemonConnection>;
  readonly onBack: (connection: DaemonConnection) => void;
  readonly onError: (error: unknown) => void;
}

export class Away {
  readonly #lines: readonly string[];
  readonly #options: AwayOptions;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /** @param lines last frame */
  constructor(lines: readonly string[], options: AwayOptions) {
    this.#lines = lines.map(greyed);
    this.#options = options;
    this.#wait();
  }

  /** Rows of another size are cut, or missing, until the daemon is back. */
  frame(rows: number, cols: number): OuterFrame {
    const status = {
      left: ' The daemon has gone. What it showed comes back with it.',
      right: 'q: leave ',
      look: 'failed',
    } as const;
    const lines = Array.from({ length: Math.max(0, rows - 1) }, (_, i) => this.#lines[i] ?? '');
    return { lines: [...lines, statusLine(status, cols)], cursor: undefined };
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    this.#timer = setTimeout(() => void this.#try(), RETRY_MS);
  }

  async #try(): Promise<void> {
    const { reconnect, onBack, onError } = this.#options;
    try {
      const connection = await reconnect();
      if (this.#isOver) return await connection.close();
      onBack(connection);
    } catch (error) {
      if (this.#isOver) return;
      if (!isT4aError(error) || FINAL.has(error.code)) onError(error);
      else this.#wait();
    }
  }
}

/** Waiting mends none of these. */
const FINAL: ReadonlySet<string> = new Set(['version_mismatch', 'socket_owner', 'socket_path']);

// oxlint-disable-next-line no-control-regex -- sequences begin with Escape
const SGR = /\x1b\[[\d;:]*m/g;

function greyed(line: string): string {
  return `${style('90')}${line.replaceAll(SGR, '')}${OUTER.resetStyle.on}`;
}
