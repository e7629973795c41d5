/** Says that the program has printed a picture, of which neither texts nor pictures of the screen have anything. */
import type { Terminal } from '../../terminal/terminal.js';
import type { UnshownPicture } from '../../vt/replies/unshown-pictures.js';

/** While its place is on the screen. @returns a part of the reply */
export function pictureWarning({ seen: { pictures }, screen }: Terminal): { readonly warning?: string } {
  const top = screen.firstShownNumber + screen.scrollbackLines;
  return warningOf(Array.from(pictures.values()).filter(({ line }) => line >= top && line < top + screen.rows));
}

/** For replies that have all output, also of what has scrolled by. */
export function anyPictureWarning({ seen: { pictures } }: Terminal): { readonly warning?: string } {
  return warningOf(Array.from(pictures.values()));
}

function warningOf(pictures: readonly UnshownPicture[]): { readonly warning?: string } {
  const [kind, ...others] = pictures.map(({ protocol }) => protocol).toSorted();
  if (kind === undefined) return {};
  const what =
    others.length === 0 ? `a picture (${kind}) that is` : `pictures (${[kind, ...others].join(', ')}) that are`;
  return { warning: `The program printed ${what} not shown: t4a draws text alone.` };
}
