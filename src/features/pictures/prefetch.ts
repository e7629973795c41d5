/**
 * Draws a terminal's next picture before it is requested. After a picture, an act and a wait, the next request is likely
 * the same picture, and the daemon is idle between the end of the wait and that request. The renderer keeps the picture
 * as it keeps every picture; only the time of drawing changes. One prefetch for each requested picture bounds the cost
 * to one picture that is never requested.
 */
import { type HasParts, PartKey } from '../../base/parts.js';
import type { TerminalEvent } from '../../protocol/events.js';
import type { PictureParams } from '../../protocol/picture.js';

/** Events after which a picture is likely to be requested. */
export const PREFETCH_EVENTS: ReadonlySet<TerminalEvent['event']> = new Set([
  'settled',
  'idle',
  'command_done',
  'awaiting_input',
  'exit',
]);

/** Longest search for the cells to mark: the next picture waits for its prefetch. */
export const MAX_MARKING_MS = 100;

interface LastRequest {
  readonly params: PictureParams;
  /** Undefined before it begins. */
  drawing: Promise<void> | undefined;
}

const LAST_REQUEST = new PartKey<LastRequest | undefined>(() => undefined);

export class Prefetch<Terminal extends HasParts> {
  readonly #draw: (terminal: Terminal, params: PictureParams) => Promise<unknown>;

  /** @param draw called in a turn of the loop of its own; its errors are ignored, the real request reports them */
  constructor(draw: (terminal: Terminal, params: PictureParams) => Promise<unknown>) {
    this.#draw = draw;
  }

  /** Records the request: the next one is expected to be the same. */
  asked(terminal: Terminal, params: PictureParams): void {
    terminal.part(LAST_REQUEST).value = isRepeatable(params) ? { params, drawing: undefined } : undefined;
  }

  /** Called when a wait has ended and when one of {@link PREFETCH_EVENTS} was published. */
  start(terminal: Terminal): void {
    const last = terminal.part(LAST_REQUEST).value;
    if (last === undefined || last.drawing !== undefined) return;
    last.drawing = new Promise((resolve) => {
      // The reply to the wait goes first.
      setImmediate(() => {
        void this.#draw(terminal, last.params).then(
          () => resolve(),
          () => resolve(),
        );
      });
    });
  }

  /** Pends during a prefetch: a second drawing at the same time would share nothing with it. */
  drawn(terminal: Terminal): Promise<void> | undefined {
    return terminal.part(LAST_REQUEST).value?.drawing;
  }
}

/** A picture that names a revision is requested once, and the renderer keeps only PNG. */
function isRepeatable({ format, since, scrollback, mark }: PictureParams): boolean {
  const namesRevision = since !== undefined || mark.some((each) => typeof each !== 'string' && 'changed_since' in each);
  return format === 'png' && scrollback === 0 && !namesRevision;
}
