/** Styles of the parts that are loaded when they are meant. */

let loaded: Promise<void> | undefined;

/** Those of the wall, the past and the boards: once, with the first of them. */
export function partStyles(): Promise<void> {
  loaded ??= new Promise((resolve) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = 'parts.css';
    // Without it the part is plain, and works.
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
  return loaded;
}
