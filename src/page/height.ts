/** The height that a phone's keyboard leaves: browsers either make the page smaller, or lay the keyboard over it. */
import { PHONE_WIDTH } from './cell-size.js';

/** CSS pixels. A phone has more without its keyboard, bars of the browser taken off. */
const SHORT = 520;

/** What a keyboard takes at least; the bars of a browser take less. */
const KEYBOARD = 120;

export function followHeight(): void {
  addEventListener('resize', update);
  visualViewport?.addEventListener('resize', update);
  update();
}

/** Whether there is room for little beside the terminal. */
export function isShort(): boolean {
  return 'short' in document.documentElement.dataset;
}

function update(): void {
  const { style, dataset } = document.documentElement;
  const { height, scale } = visualViewport ?? { height: innerHeight, scale: 1 };
  // Fingers that magnify the page make it smaller, too.
  const isLaidOver = scale < 1.01 && height < innerHeight - KEYBOARD;
  if (isLaidOver) style.setProperty('--height', `${height}px`);
  else style.removeProperty('--height');
  if (isLaidOver) scrollTo(0, 0);
  const isSmall = (isLaidOver ? height : innerHeight) < SHORT && innerWidth <= PHONE_WIDTH;
  if (isSmall) dataset['short'] = '';
  else delete dataset['short'];
}
