/** The page begins: it gets in, and draws. */
import { storedKey, takeCode, tradeCode } from './admission.js';
import { Unauthorized } from './proof.js';
import { draw } from './app.js';
import { Desk } from './desk.js';
import type { KeyGrant } from './greeting.js';
import { followHeight } from './height.js';
import { Model } from './model.js';

async function begin(root: HTMLElement): Promise<void> {
  const model = new Model();
  const desk = new Desk(model);
  model.onChange = () => draw(desk, root);
  model.away.lineOf = async (since) => (await import('./beside.js')).beside.awayLine(since);
  followHeight();
  takeFiles(desk);
  const code = takeCode();
  model.hasNewLink = code !== undefined;
  model.changed();
  const key = await keyOf(code, (reason) => {
    model.reason = reason;
    model.changed();
  });
  if (key === undefined) model.unauthorized(code === undefined ? 'no link' : 'link used');
  else model.connections.begin(key);
}

/** A recording that is dropped on the page plays. */
function takeFiles(desk: Desk): void {
  addEventListener('dragover', (event) => event.dataTransfer?.types.includes('Files') && event.preventDefault());
  addEventListener('drop', (event) => {
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    desk.model.attempt(async () => (await import('./wall-and-boards.js')).parts.playFile(desk, file));
  });
}

const RETRY_MS = 1000;

/** A page that is loaded again keeps its key; a new link in the same tab replaces it. */
async function keyOf(code: string | undefined, onDelay: (reason: string) => void): Promise<KeyGrant | undefined> {
  while (code !== undefined) {
    try {
      return await tradeCode(code);
    } catch (error) {
      if (error instanceof Unauthorized) break;
      // No socket was free. The code is still worth a key, for a minute.
      onDelay(error instanceof Error ? error.message : String(error));
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
  return storedKey();
}

const root = document.querySelector<HTMLElement>('#app');
if (root !== null) void begin(root);
