/** A request line for one of several hosts: its ids may be addresses, `host/terminal`. */
import { LOCAL, parseAddress } from '../address.js';
import { T4aError, quote } from '../../protocol/errors.js';
import { MOST_GATEWAYS } from './passed.js';
import { MAX_KILLED } from '../../protocol/limits.js';
import { parseRequest, type ParsedLine } from '../../protocol/request.js';
import { requestIdOf } from '../../protocol/request-line.js';
import { requestFields, type RequestFields } from '../../protocol/request-line.js';

/** Fields of requests that name terminals. */
const NAMING = ['id', 'terminal', 'parent'] as const;

const ADDRESS = /[/:]/;
const INSTANCE = /^[\w.:+-]{1,128}$/;

export function parseAddressedLine(line: Uint8Array): ParsedLine {
  const all = requestFields(line);
  if (all instanceof T4aError) return { req: requestIdOf(line), request: all };
  if (all['via'] === undefined) return parseAddressed(all);
  const { via, ...fields } = all;
  const parsed = parseAddressed(fields);
  return isVia(via) ? { ...parsed, via } : { req: parsed.req, request: wrongVia() };
}

function parseAddressed(fields: RequestFields): ParsedLine {
  if (NAMING.some((field) => isTooLong(fields[field]))) return parseRequest(fields);
  const named = NAMING.flatMap((field) => texts(fields[field]).filter((text) => ADDRESS.test(text)));
  if (named.length === 0) return parseRequest(fields);
  const hosts = new Set(NAMING.flatMap((field) => texts(fields[field])).map((text) => parseAddress(text).host ?? ''));
  const given = fields['host'];
  if (given !== undefined && typeof given !== 'string') return parseRequest(fields);
  if (given !== undefined) hosts.add(given).delete('');
  const [host = LOCAL] = hosts;
  const bare = Object.fromEntries(
    NAMING.flatMap((field) => (fields[field] === undefined ? [] : [[field, bareOf(fields[field])] as const])),
  );
  const parsed = parseRequest({ ...fields, ...bare, host });
  return hosts.size === 1 ? parsed : { req: parsed.req, request: severalHosts(hosts) };
}

/** No command takes as many: it is refused without a look at each. */
function isTooLong(value: unknown): boolean {
  return Array.isArray(value) && value.length > MAX_KILLED;
}

function isVia(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= MOST_GATEWAYS &&
    value.every((one) => typeof one === 'string' && INSTANCE.test(one))
  );
}

function wrongVia(): T4aError {
  const message = `"via" of the request is no list of at most ${MOST_GATEWAYS} instances of gateways.`;
  return new T4aError('invalid_field', message, {
    field: 'via',
    hint: 'Leave it out: gateways set it for each other.',
  });
}

function texts(value: unknown): string[] {
  return [value].flat().filter((one): one is string => typeof one === 'string');
}

function bareOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bareOf);
  return typeof value === 'string' ? parseAddress(value).id : value;
}

function severalHosts(hosts: ReadonlySet<string>): T4aError {
  const names = [...hosts].map((host) => quote(host || LOCAL)).join(' and ');
  return new T4aError('invalid_field', `One request asks one host, not ${names}.`, { field: 'id' });
}
