/**
 * One terminal on the page: its frames, one after another. The next is asked for at once, so that the echo of a key finds
 * its question waiting; under a flood, as fast as the browser draws them.
 */
import { Mirror, type Frame, type MirrorChange, type MirrorState } from '../mirror/mirror.js';
import { watchFrames } from '../mirror/watcher.js';
import { RequestError, type DaemonLink } from './daemon-link.js';
import { Past } from './past.js';
import type { TerminalScreen } from './terminal-screen.js';

/** What a frame reports beside the screen. */
export interface Standing extends MirrorState {
  readonly rows: number;
}

export interface WatchingSink {
  standing(standing: Standing): void;
  /** The screen is another. */
  frame(mirror: Mirror): void;
  bell(): void;
  /** A shell has marked commands. */
  commands(): void;
  gone(): void;
}

/** Frames within one picture of the browser. The second is one that a key has caused while the first was not drawn yet. */
const FRAMES_A_PICTURE = 2;

/** Hidden pages draw nothing. They ask again at least so often, for the title. */
const HIDDEN_MS = 1000;

export class Watching {
  mirror = new Mirror();
  readonly past: Past;
  readonly #link: DaemonLink;
  readonly #id: string;
  readonly #screen: TerminalScreen;
  readonly #sink: WatchingSink;
  readonly #left = new AbortController();
  #isHidden = false;
  /** The browser draws what has come. */
  #picture: Promise<void> | undefined;
  #framesInPicture = 0;

  constructor(link: DaemonLink, id: string, screen: TerminalScreen, sink: WatchingSink) {
    this.#link = link;
    this.#id = id;
    this.#screen = screen;
    this.#sink = sink;
    this.past = new Past(link, id, screen);
    this.past.onCommands = () => sink.commands();
    screen.onView = () => this.#isHidden || void this.past.show().catch(ignoreLoss);
    this.past.onOldest = () => this.#isHidden || screen.draw(this.mirror, this.past.oldest, false);
  }

  leave(): void {
    // A daemon answers a question about an idle terminal after half a minute, and a page has few of them.
    this.#left.abort();
  }

  /** The screen shows something else: frames come, and are not drawn. */
  set isHidden(hidden: boolean) {
    if (hidden === this.#isHidden) return;
    this.#isHidden = hidden;
    if (hidden || this.mirror.rev === undefined) return;
    this.#screen.draw(this.mirror, this.past.oldest, true);
    void this.past.measure().catch(ignoreLoss);
  }

  /** Until the terminal is left, or the connection lost. */
  async follow(): Promise<void> {
    let cols: number | undefined;
    const watched = { send: this.#link.ask, id: this.#id, mirror: this.mirror, signal: this.#left.signal };
    const how = await watchFrames(watched, (frame, change) => {
      this.#apply(frame, change, cols);
      ({ cols } = this.mirror.state);
      return this.#pace();
    }).catch(ignoreLoss);
    if (how === 'gone') this.#sink.gone();
  }

  async #pace(): Promise<void> {
    this.#picture ??= nextPicture().then(() => {
      this.#picture = undefined;
      this.#framesInPicture = 0;
    });
    if (++this.#framesInPicture >= FRAMES_A_PICTURE) await this.#picture;
  }

  /** @param cols of the frame before */
  #apply(frame: Frame, change: MirrorChange, cols: number | undefined): void {
    const { state } = this.mirror;
    const isOther = this.past.frame(frame.first_line, this.mirror.oldest, state.altScreen);
    if (!this.#isHidden) this.#draw(frame.complete === true, isOther || cols !== state.cols);
    if (frame.title !== undefined) this.#sink.standing({ ...state, rows: this.mirror.rows.length });
    if (!this.#isHidden) this.#sink.frame(this.mirror);
    if (change.bells > 0) this.#sink.bell();
  }

  /** @param isOther the lines above the screen are others */
  #draw(isComplete: boolean, isOther: boolean): void {
    this.#screen.draw(this.mirror, this.past.oldest, isComplete);
    void (isOther ? this.past.measure() : this.past.show()).catch(ignoreLoss);
  }
}

function nextPicture(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, HIDDEN_MS);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function ignoreLoss(error: unknown): void {
  // The link begins anew, or the terminal has gone.
  if (!(error instanceof RequestError)) throw error;
}
