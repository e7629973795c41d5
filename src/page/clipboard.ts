/** What leaves the page by the clipboard, or as a file where the browser has no clipboard for it. */

type Content = Readonly<Record<string, Promise<Blob>>>;

/**
 * @param content is asked for within the click, and may come later: browsers forget the click
 * @returns whether there is a clipboard that takes it. @throws what the content throws
 */
export async function copied(content: Content): Promise<boolean> {
  const all = Promise.all(Object.values(content));
  if (!('clipboard' in navigator) || typeof ClipboardItem === 'undefined') {
    const [only] = await all;
    if (only?.type !== 'text/plain' || !('clipboard' in navigator)) return false;
    await navigator.clipboard.writeText(await only.text());
    return true;
  }
  try {
    await navigator.clipboard.write([new ClipboardItem({ ...content })]);
  } catch (error) {
    // Of a request that failed, its own words.
    await all;
    if (error instanceof DOMException && error.name === 'NotAllowedError') return false;
    throw error;
  }
  return true;
}

const KEPT_MS = 10_000;

export function saved(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name.replaceAll(/[^\w.-]+/g, '_');
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
