/** Ids in what another host sends, as addresses. The host is that of the route, and never what the reply says. */
import { LOCAL } from './address.js';

/** Fields of replies and events that hold the id of a terminal, or what holds some. */
const IDS = ['id', 'terminal', 'parent'] as const;
const LISTS = ['terminals', 'ended', 'recordings', 'asks', 'triggers'] as const;

export function addressed<Reply extends object>(host: string, reply: Reply): Reply {
  if (host === LOCAL) return reply;
  const fields = reply as Readonly<Record<string, unknown>>;
  const changed: Record<string, unknown> = {};
  for (const field of IDS) {
    const id = fields[field];
    if (typeof id === 'string') changed[field] = `${host}/${id}`;
  }
  for (const field of LISTS) {
    const list = fields[field];
    if (Array.isArray(list)) {
      changed[field] = list.map((one: unknown) =>
        typeof one === 'object' && one !== null ? addressed(host, one) : one,
      );
    }
  }
  return { ...reply, ...changed };
}
