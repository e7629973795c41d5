/** Says that the program has printed a picture, of which neither texts nor pictures of the screen have anything. */
import type { Terminal } from '../../terminal/terminal.js';
import type { UnshownPicture } from '../../vt/replies/unshown-pictures.js';

/** While its place is on the screen. @returns a part of the reply */
export function pictureWarning({ seen: { picture }, screen }: Terminal): { readonly warning?: string } {
  if (picture === undefined) return {};
  const row = picture.line - screen.firstShownNumber - screen.scrollbackLines;
  if (row < 0 || row >= screen.rows) return {};
  return { warning: warningOf(picture) };
}

/** For replies that have all output, also of what has scrolled by. */
export function anyPictureWarning({ seen: { picture } }: Terminal): { readonly warning?: string } {
  return picture === undefined ? {} : { warning: warningOf(picture) };
}

function warningOf({ protocol }: UnshownPicture): string {
  return `The program printed a picture (${protocol}) that is not shown: t4a draws text alone.`;
}
