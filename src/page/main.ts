/** The page begins: it gets in, and draws. */
import { Unauthorized, storedKey, takeCode, tradeCode } from './admission.js';
import { draw } from './app.js';
import { Desk } from './desk.js';
import type { KeyGrant } from './greeting.js';
import { Model } from './model.js';

async function begin(root: HTMLElement): Promise<void> {
  const model = new Model();
  const desk = new Desk(model);
  model.onChange = () => draw(desk, root);
  const key = await keyOf(takeCode());
  if (key === undefined) model.unauthorized();
  else model.begin(key);
  model.changed();
}

/** A page that is loaded again keeps its key; a new link in the same tab replaces it. */
async function keyOf(code: string | undefined): Promise<KeyGrant | undefined> {
  if (code === undefined) return storedKey();
  try {
    return await tradeCode(code);
  } catch (error) {
    if (error instanceof Unauthorized) return storedKey();
    throw error;
  }
}

const root = document.querySelector<HTMLElement>('#app');
if (root !== null) void begin(root);
