/**
 * Draws a terminal's next picture before it is asked for. Whoever took one, acted and waited will look again, and between
 * the end of the wait and that request nobody has anything to do. What was drawn is kept by the renderer as every picture
 * is; nothing but the time at which it is drawn changes. One for each that was asked for, so that it costs no more than
 * one picture where nobody looks again.
 */
import type { TerminalEvent } from '../../protocol/events.js';
import type { PictureParams } from '../../protocol/picture.js';

/** Events after which a terminal is looked at. */
export const WORTH_A_LOOK: ReadonlySet<TerminalEvent['event']> = new Set([
  'settled',
  'idle',
  'command_done',
  'awaiting_input',
  'exit',
]);

/** Of looking for what is to be marked: the next picture waits for the one that is drawn ahead. */
export const MAX_MARKING_MS = 100;

interface Look {
  readonly params: PictureParams;
  /** Undefined until it has begun. */
  drawing: Promise<void> | undefined;
}

export class Prefetch<Terminal extends object> {
  readonly #draw: (terminal: Terminal, params: PictureParams) => Promise<unknown>;
  readonly #looks = new WeakMap<Terminal, Look>();

  /** @param draw asked in a turn of the loop of its own; whatever is wrong is told when the picture is asked for */
  constructor(draw: (terminal: Terminal, params: PictureParams) => Promise<unknown>) {
    this.#draw = draw;
  }

  /** The next one is expected to be like this. */
  asked(terminal: Terminal, params: PictureParams): void {
    if (isRepeatable(params)) this.#looks.set(terminal, { params, drawing: undefined });
    else this.#looks.delete(terminal);
  }

  /** To be called when a wait has ended and when an event was published that is {@link WORTH_A_LOOK}. */
  start(terminal: Terminal): void {
    const look = this.#looks.get(terminal);
    if (look === undefined || look.drawing !== undefined) return;
    look.drawing = new Promise((resolve) => {
      // Whoever waited is answered first.
      setImmediate(() => {
        void this.#draw(terminal, look.params).then(
          () => resolve(),
          () => resolve(),
        );
      });
    });
  }

  /** Pends while one is being drawn: another at the same time would share nothing with it. */
  drawn(terminal: Terminal): Promise<void> | undefined {
    return this.#looks.get(terminal)?.drawing;
  }
}

/** What names a revision is asked for once, and only PNG is kept by the renderer. */
function isRepeatable({ format, since, scrollback, mark }: PictureParams): boolean {
  const namesRevision = since !== undefined || mark.some((each) => typeof each !== 'string' && 'changed_since' in each);
  return format === 'png' && scrollback === 0 && !namesRevision;
}
