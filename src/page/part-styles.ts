/** The styles of the parts that are loaded when they are meant: once, with the first of them. */
let loaded: Promise<void> | undefined;

export function partStyles(): Promise<void> {
  loaded ??= new Promise((resolve) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = '/parts.css';
    // Without it the part is plain, and works.
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
  return loaded;
}
