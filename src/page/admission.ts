/**
 * How the page gets in: the code of the link for a key. Its tab keeps that, and the browser does for the tabs that come after it,
 * as long as the key is valid.
 */
import { STORED, type KeyGrant } from './greeting.js';
import { conversation } from './proof.js';

/** The tab's own, or else that of the link that this browser has used last. */
export function storedKey(): KeyGrant | undefined {
  return keptIn(sessionStorage) ?? keptIn(localStorage);
}

function keptIn(storage: Storage): KeyGrant | undefined {
  try {
    const kept = JSON.parse(storage.getItem(STORED) ?? 'null') as Partial<KeyGrant> | null;
    return typeof kept?.key === 'string' && typeof kept.key_id === 'string' ? (kept as KeyGrant) : undefined;
  } catch {
    return undefined;
  }
}

/** The code of the link leaves the address bar and the history before anything else happens. */
export function takeCode(): string | undefined {
  const code = location.hash.slice(1);
  // An address that names a terminal has no code.
  if (code === '' || code.startsWith('/')) return undefined;
  history.replaceState(null, '', location.pathname);
  return code;
}

/** @throws Unauthorized */
export async function tradeCode(code: string): Promise<KeyGrant> {
  const socket = new WebSocket(socketUrl());
  const grant = await conversation<KeyGrant>(socket, 'link used', (say, next) => {
    say({ code });
    next((message) => message as unknown as KeyGrant);
  });
  keepKey(grant);
  return grant;
}

export function keepKey({ key_id, key, until }: KeyGrant): void {
  const kept = JSON.stringify({ key_id, key, until });
  for (const storage of [sessionStorage, localStorage]) storage.setItem(STORED, kept);
}

/** What the browser keeps may be the key of a newer link. */
export function forgetKey(): void {
  const own = keptIn(sessionStorage);
  sessionStorage.removeItem(STORED);
  if (own === undefined || keptIn(localStorage)?.key_id === own.key_id) localStorage.removeItem(STORED);
}

/** Beside the page, which a proxy may serve below a path. */
export function socketUrl(): string {
  const url = new URL('socket', document.baseURI);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = url.search = '';
  return url.href;
}
