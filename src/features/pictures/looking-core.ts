/** What features use that look at a terminal: with pictures. */
import type { Terminal } from '../../terminal/terminal.js';
import type { Core } from '../core.js';
import type { PictureParams } from '../../protocol/picture.js';
import type { Call } from '../../rpc/service.js';
import type { Snapshot } from '../../vt/snapshot.js';
import type { Capture } from './capture.js';
import type { PictureReply, Pictures } from './pictures.js';
import type { Prefetch } from './prefetch.js';
import type { Themes } from './themes.js';

export interface LookingCore extends Core {
  readonly looks: Looks;
}

export interface Looks {
  readonly themes: Themes;
  readonly pictures: Pictures;
  /** Finds what is to be marked, then draws. @throws T4aError see `Pictures.draw`; the signal's reason */
  draw(captured: Capture, params: PictureParams, call: Call): Promise<PictureReply>;
  /** The viewport as this client may see it: with masked secrets, if its replies are masked. */
  shown(seen: Pick<Capture, 'terminal' | 'snapshot' | 'over'>, call: Call): Promise<Snapshot>;
  readonly prefetch: Prefetch<Terminal>;
}
