/** Requests over HTTP: the page and its files, and nothing else. Host is checked before anything is looked at. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Assets } from './assets.js';
import type { WebPlaces } from './places.js';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  'Cache-Control': 'no-store',
} as const;

/** Rebinding: a name of the attacker's may lead here, and then its page has this origin. Only the names that we gave count. */
export function hasOwnHost({ headers }: IncomingMessage, places: WebPlaces): boolean {
  return headers.host !== undefined && places.hosts.has(headers.host.toLowerCase());
}

export function hasOwnOrigin({ headers }: IncomingMessage, places: WebPlaces): boolean {
  return headers.origin !== undefined && places.origins.has(headers.origin);
}

export function answerHttp(
  request: IncomingMessage,
  response: ServerResponse,
  places: WebPlaces,
  assets: Assets,
): void {
  if (!hasOwnHost(request, places)) return refuse(response, 421, 'This host is not served here.');
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405, 'Only GET.');
  const asset = assets.at(request.url ?? '');
  if (asset === undefined) return refuse(response, 404, 'There is no such page.');
  const mayZip = /\bgzip\b/.test(request.headers['accept-encoding']?.toString() ?? '');
  const bytes = mayZip ? asset.zipped : asset.bytes;
  response.writeHead(200, {
    ...HEADERS,
    'Content-Type': asset.type,
    'Content-Length': bytes.length,
    ...(mayZip ? { 'Content-Encoding': 'gzip' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
  response.end(`${text}\n`);
}
