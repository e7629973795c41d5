/**
 * The route of a listed host leads to it as long as the list has it. What `t4a hosts rm` has taken out is reached by no connection that a
 * gateway, a page or a server of tools still has open: nothing is sent any more, it is closed within a second, and none is opened again.
 */
import type { Duplex } from 'node:stream';
import { stampOf } from '../base/file-stamp.js';
import { hasFeature } from '../client/envelope.js';
import { callersHostsFile } from '../client/paths.js';
import type { Route } from '../client/route.js';
import { UnreadConfigFile } from '../protocol/config-file.js';
import { isT4aError, T4aError, quote } from '../protocol/errors.js';
import type { RightFile } from '../protocol/vocabulary.js';
import { firstReply } from './greeting.js';
import { HostList, type ListedRoute } from './host-list.js';
import { readHosts } from './hosts-file.js';
import type { RoutePlaces } from './route-url.js';

/** Between looks at what sends nothing, as a stream of events. */
const LOOK_MS = 1000;

export interface WhileListedOptions {
  /** Input that others have asked for ends with the connection, and with the host's place in the list. */
  readonly isDoor?: boolean;
}

/** @param route to the host of that name and URL @throws what the list says of it, by `open` of the route */
export function whileListed(
  listed: ListedRoute,
  route: Route,
  places: RoutePlaces,
  { isDoor = false }: WhileListedOptions = {},
): Route {
  const file = callersHostsFile();
  const place = new Place(listed.name, listed.url, file, places);
  return {
    ...route,
    async open(options) {
      const before = place.whyNot();
      if (before !== undefined) throw before;
      const opened = await route.open(options);
      try {
        if (isDoor && hasFeature(opened.daemon, 'as_long_as'))
          await asDoor(opened.stream, listed, file, options.signal);
        const after = place.whyNot();
        if (after !== undefined) throw after;
      } catch (error) {
        opened.stream.destroy();
        throw error;
      }
      guard(opened.stream, place);
      return opened;
    },
  };
}

/**
 * The host looks into the list itself, also while this process stands still, if the file is on its machine. Requests to a host of another
 * machine end with this connection.
 */
async function asDoor(
  stream: Duplex,
  { carrier, written }: ListedRoute,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const lowered = async (files: readonly RightFile[]): Promise<boolean> => {
    const answer = await firstReply(stream, { cmd: 'restrict', reach: 'admin', as_long_as: files }, signal);
    return 'reply' in answer && answer.reply['ok'] === true;
  };
  const texts = carrier.kind === 'socket' && written !== undefined ? [written.name, written.route] : [];
  const files = texts.map((text) => ({ path, contains: JSON.stringify(text) }));
  if (files.length === 0 || !(await lowered(files))) await lowered([]);
}

class Place {
  readonly #name: string;
  readonly #url: string;
  readonly #file: string;
  readonly #places: RoutePlaces;
  /** Stamp of the file when it was read last, and had the host. */
  #stamp: string | undefined;

  constructor(name: string, url: string, file: string, places: RoutePlaces) {
    this.#name = name;
    this.#url = url;
    this.#file = file;
    this.#places = places;
  }

  /**
   * Undefined while it is listed. A list that is wrong, as while it is being edited, ends nothing: `t4a hosts` reports it. Security: one that
   * has changed and cannot be read, as without descriptors, may have the host no more.
   */
  whyNot(): T4aError | undefined {
    const stamp = stampOf(this.#file);
    if (stamp === this.#stamp) return undefined;
    try {
      const { url } = new HostList(readHosts(this.#file), this.#places).find(this.#name);
      if (url !== this.#url) return leadsElsewhere(this.#name);
    } catch (error) {
      if (!isT4aError(error)) throw error;
      if (error instanceof UnreadConfigFile) return new T4aError('host_unknown', error.message, { hint: 't4a hosts' });
      return error.code === 'usage' ? undefined : error;
    }
    this.#stamp = stamp;
    return undefined;
  }
}

function leadsElsewhere(name: string): T4aError {
  return new T4aError('host_unknown', `The list has another route for the host ${quote(name)} now.`, {
    hint: 't4a hosts',
  });
}

/** The error for requests under way. */
function brokenOff({ code, message, details }: T4aError): T4aError {
  return new T4aError(code, `${message} What was done of the request before stays done.`, details);
}

const guarded = new Set<() => boolean>();
let looking: NodeJS.Timeout | undefined;

/** Writes of the stream look first: from the moment that the list is changed nothing is sent. */
function guard(stream: Duplex, place: Place): void {
  const isListed = (): boolean => {
    const why = place.whyNot();
    if (why !== undefined) stream.destroy(brokenOff(why));
    return why === undefined;
  };
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean;
  Object.assign(stream, { write: (...given: unknown[]) => isListed() && write(...given) });
  guarded.add(isListed);
  looking ??= setInterval(() => guarded.forEach((look) => look()), LOOK_MS).unref();
  stream.once('close', () => {
    guarded.delete(isListed);
    if (guarded.size > 0) return;
    clearInterval(looking);
    looking = undefined;
  });
}
