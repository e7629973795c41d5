/** Code that only some commands need, each in a bundle of its own, loaded when one of them is run. */
import type * as attach from '../tty/attach/attach.js';
import type * as board from '../tty/crew/board.js';
import type * as crew from '../crew/entry.js';
import type * as fleet from '../fleet/entry.js';
import type * as gateway from '../fleet/gateway/serve.js';
import type * as grpc from '../grpc/serve.js';
import type * as interminai from '../interminai/serve.js';
import type * as mcp from '../mcp/server.js';
import type * as nats from '../nats/entry.js';
import type * as exporting from '../playback/export.js';
import type * as lines from '../playback/final-lines.js';
import type * as play from '../playback/play.js';
import type * as tmux from '../tmux/serve.js';
import type * as tools from '../tools/index.js';
import type * as web from '../web/serve.js';

export interface LazyBundles {
  /** Runs the daemon in this process until it ends. */
  daemon(args: readonly string[]): Promise<number>;
  attach(): Promise<typeof attach>;
  board(): Promise<typeof board>;
  crew(): Promise<typeof crew>;
  fleet(): Promise<typeof fleet>;
  gateway(): Promise<typeof gateway>;
  grpc(): Promise<typeof grpc>;
  interminai(): Promise<typeof interminai>;
  lines(): Promise<typeof lines>;
  mcp(): Promise<typeof mcp>;
  nats(): Promise<typeof nats>;
  exporting(): Promise<typeof exporting>;
  play(): Promise<typeof play>;
  tmux(): Promise<typeof tmux>;
  tools(): Promise<typeof tools>;
  web(): Promise<typeof web>;
  /** A text file of the package, by its path in it. */
  file(path: string): string;
  /** Directory of the package. */
  root(): string;
}
