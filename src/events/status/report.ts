/**
 * OSC 7501, revision 0.4: what a program says it is doing, in `key=value` pairs with ":" between them. Every report replaces the
 * record of its id whole. A report that breaks a limit has no effect at all, so that no half of it is believed.
 */

import { STATUS_LIMITS } from '../../protocol/limits.js';
import { STATUS_KINDS, STATUS_STATES } from '../../protocol/program-status.js';

export type StatusState = (typeof STATUS_STATES)[number];
export type StatusKind = (typeof STATUS_KINDS)[number];

/** One thing that a program does. Absent fields are undefined. */
export interface StatusReport {
  readonly state: StatusState | 'clear';
  /** Segments with "/" between them; empty for the program itself. */
  readonly id: string;
  /** Kind, with `blocked` alone. */
  readonly kind: StatusKind | undefined;
  /** 0 to 100, with `working` and `blocked` alone. */
  readonly progress: number | undefined;
  readonly app: string | undefined;
  readonly title: string | undefined;
  readonly msg: string | undefined;
}

/** Bound from ESC to the terminator, both included. */
const MAX_BYTES = 4096;
/** `ESC ] 7501 ;` */
const INTRODUCER_BYTES = 7;
const MAX_KEY_LENGTH = 16;
const MAX_ID_LENGTH = STATUS_LIMITS.path;
const MAX_SEGMENTS = 8;
const MAX_SEGMENT_LENGTH = 32;
const MAX_APP_LENGTH = STATUS_LIMITS.app;

interface TextLimits {
  /** Characters of base64. */
  readonly encoded: number;
  /** Bytes of UTF-8. */
  readonly decoded: number;
}

const TEXTS: Readonly<Record<'title' | 'msg', TextLimits>> = {
  title: { encoded: 256, decoded: STATUS_LIMITS.title },
  msg: { encoded: 2732, decoded: STATUS_LIMITS.msg },
};

const KEY = /^[a-z]+$/;
const VALUE = /^[\w.,+/=-]*$/;
const NAME = /^[\w.+-]+$/;
/** Padding may be left out; where it is, it is right. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\x1f\x7f-\x9f]/;
/** Characters that change the direction of what follows, or show nothing: a claim could pass for other words. */
const UNSEEN = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Whether the body of the message asks if reports are read. */
export function isStatusQuery(body: string): boolean {
  return body === '?';
}

/** @param terminatorBytes 1 for BEL, 2 for ST @returns undefined for what is to be ignored */
export function parseStatusReport(body: string, terminatorBytes: number): StatusReport | undefined {
  // An answer to a query, that was printed.
  if (body.startsWith('?')) return undefined;
  if (INTRODUCER_BYTES + Buffer.byteLength(body) + terminatorBytes > MAX_BYTES) return undefined;
  const values = new Map<string, string>();
  for (const pair of body.split(':')) {
    const at = pair.indexOf('=');
    const key = pair.slice(0, Math.max(0, at)).trim();
    const value = pair.slice(at + 1).trim();
    if (!KEY.test(key) || !VALUE.test(value)) continue;
    // Also of a pair that a later one replaces.
    if (key.length > MAX_KEY_LENGTH || breaksLimit(key, value)) return undefined;
    values.set(key, value);
  }
  const state = [...STATUS_STATES, 'clear' as const].find((each) => each === values.get('state'));
  const id = values.get('id');
  if (state === undefined || (id !== undefined && !isId(id))) return undefined;
  const app = values.get('app');
  return {
    state,
    id: id ?? '',
    kind: state === 'blocked' ? STATUS_KINDS.find((each) => each === values.get('kind')) : undefined,
    progress: state === 'working' || state === 'blocked' ? percent(values.get('progress')) : undefined,
    app: app !== undefined && NAME.test(app) ? app : undefined,
    title: text(values.get('title')),
    msg: text(values.get('msg')),
  };
}

/** A report as a hook gives it. */
export interface GivenStatus {
  readonly state: StatusReport['state'];
  readonly kind?: StatusKind | undefined;
  /** The `id` of a printed report. */
  readonly path?: string | undefined;
  readonly app?: string | undefined;
  readonly title?: string | undefined;
  readonly msg?: string | undefined;
  readonly progress?: number | undefined;
}

/** Report by the rules for printed ones. @returns the field that breaks one: what a terminal leaves out silently is refused here */
export function statusReportOf(given: GivenStatus): StatusReport | { readonly refused: keyof GivenStatus } {
  const { state, kind, path, app, title, msg, progress } = given;
  const isOpen = state === 'working' || state === 'blocked';
  if (kind !== undefined && state !== 'blocked') return { refused: 'kind' };
  if (progress !== undefined && (!isOpen || percent(String(progress)) === undefined)) return { refused: 'progress' };
  if (path !== undefined && (path.length > MAX_ID_LENGTH || !isId(path))) return { refused: 'path' };
  if (app !== undefined && (app.length > MAX_APP_LENGTH || !NAME.test(app))) return { refused: 'app' };
  const encoded = { title: encode(title), msg: encode(msg) };
  for (const field of ['title', 'msg'] as const) {
    const value = encoded[field];
    if (value !== undefined && decode(value, TEXTS[field]) === undefined) return { refused: field };
  }
  return { state, id: path ?? '', kind, progress, app, title: text(encoded.title), msg: text(encoded.msg) };
}

function encode(given: string | undefined): string | undefined {
  return given === undefined ? undefined : Buffer.from(given, 'utf8').toString('base64');
}

function breaksLimit(key: string, value: string): boolean {
  if (key === 'title' || key === 'msg') return decode(value, TEXTS[key]) === undefined;
  if (key === 'app') return value.length > MAX_APP_LENGTH;
  return key === 'id' && value.length > MAX_ID_LENGTH;
}

function isId(id: string): boolean {
  const segments = id.split('/');
  return (
    segments.length <= MAX_SEGMENTS && segments.every((each) => each.length <= MAX_SEGMENT_LENGTH && NAME.test(each))
  );
}

function percent(value: string | undefined): number | undefined {
  const number = value !== undefined && /^\d{1,3}$/.test(value) ? Number(value) : undefined;
  return number !== undefined && number <= 100 ? number : undefined;
}

/** Checked before. Without characters that are not seen. */
function text(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  return Buffer.from(value, 'base64').toString('utf8').replaceAll(UNSEEN, '');
}

/** Undefined for bad base64, bad UTF-8, control characters, and what is too long. */
function decode(value: string, { encoded, decoded }: TextLimits): string | undefined {
  if (value.length > encoded || !BASE64.test(value)) return undefined;
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length > decoded) return undefined;
  try {
    const decodedText = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return CONTROL.test(decodedText) ? undefined : decodedText;
  } catch {
    return undefined;
  }
}
