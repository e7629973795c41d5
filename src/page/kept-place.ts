/** What this tab shows, so that it shows the same once it is loaded again: the chosen terminal, and the daemon that is shown alone. */

export interface KeptPlace {
  readonly chosen?: { readonly daemon: string; readonly id: string } | undefined;
  readonly only?: string | undefined;
}

const STORED = 't4a-place';

export function keptPlace(): KeptPlace {
  try {
    const { chosen, only } = (JSON.parse(sessionStorage.getItem(STORED) ?? '{}') ?? {}) as KeptPlace;
    const isPlace = typeof chosen?.daemon === 'string' && typeof chosen.id === 'string';
    return { chosen: isPlace ? chosen : undefined, only: typeof only === 'string' ? only : undefined };
  } catch {
    return {};
  }
}

let last = '';

export function keepPlace(place: KeptPlace): void {
  const text = JSON.stringify(place);
  if (text === last) return;
  last = text;
  sessionStorage.setItem(STORED, text);
}
