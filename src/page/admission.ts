/** How the page gets in: the code of the link for a key, which its tab keeps. */
import { STORED, type KeyGrant } from './greeting.js';
import { conversation } from './proof.js';

export function storedKey(): KeyGrant | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? 'null');
    return typeof value === 'object' && value !== null ? (value as KeyGrant) : undefined;
  } catch {
    return undefined;
  }
}

/** The code of the link leaves the address bar and the history before anything else happens. */
export function takeCode(): string | undefined {
  const code = location.hash.slice(1);
  if (code === '') return undefined;
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
  sessionStorage.setItem(STORED, JSON.stringify(grant));
  return grant;
}

export function forgetKey(): void {
  sessionStorage.removeItem(STORED);
}

export function socketUrl(): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/socket`;
}
