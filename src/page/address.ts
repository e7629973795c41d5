/** The part of the page's address that names a terminal. */

/** Begins an address that names a terminal; the code of a link has no slash. */
const MARK = '#/';

/** `#/build`, or `#/daemon/build` where there are several. */
export function placeInAddress(): { readonly daemon?: string; readonly id: string } | undefined {
  if (!location.hash.startsWith(MARK)) return undefined;
  const [first = '', second] = location.hash.slice(MARK.length).split('/').map(decoded);
  if (second !== undefined) return { daemon: first, id: second };
  return first === '' ? undefined : { id: first };
}

export function addressOf(names: readonly string[]): string {
  return MARK + names.map(encodeURIComponent).join('/');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
