/** What the page and the server say to each other on a new socket, up to the proof of both that they have the key. */
import { CLOSED, pageWords, serverWords, type Challenge, type KeyGrant, type Welcome } from './greeting.js';
import { hmac } from './sha256.js';

/** Why a page needs a new link. */
export type ShutOut = 'no link' | 'link used' | 'key over' | 'revoked' | 'ended';

export class Unauthorized extends Error {
  readonly why: ShutOut;
  constructor(why: ShutOut) {
    super(why);
    this.why = why;
  }
}

/** The socket was closed, and may be opened again. */
export class SocketClosed extends Error {
  /** No `t4a web` answers there, or the way to it is cut: it has said nothing. */
  readonly isUnanswered: boolean;
  constructor(code: number, reason: string) {
    super(reason || 'The connection was closed.');
    this.isUnanswered = code === ABNORMAL;
  }
}

/** RFC 6455: the connection was closed without a word. */
const ABNORMAL = 1006;

/** Undefined for a socket that was closed for another reason. */
export function shutOut(code: number, otherwise: ShutOut): ShutOut | undefined {
  if (code === CLOSED.revoked) return 'revoked';
  if (code === CLOSED.ended) return 'ended';
  return code === CLOSED.unauthorized ? otherwise : undefined;
}

/** Resolves once the socket carries requests. @throws Unauthorized, also if the server has not proved that it has the key */
export function admitted(socket: WebSocket, { key_id, key }: KeyGrant, daemon?: string): Promise<Welcome> {
  const nonce = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('');
  return conversation<Welcome>(socket, 'key over', (say, next) => {
    say({ key_id, nonce });
    next((answer) => {
      const challenge = answer as unknown as Challenge;
      // Another program may have the port by now: it gets nothing.
      if (challenge.proof !== hmac(key, serverWords(nonce))) throw new Unauthorized('key over');
      say({ proof: hmac(key, pageWords(challenge.nonce)), ...(daemon === undefined ? {} : { daemon }) });
      next((welcome) => welcome as unknown as Welcome);
      return undefined;
    });
  });
}

type Message = Readonly<Record<string, unknown>>;
type Next<Result> = (take: (message: Message) => Result | undefined) => void;

/** @param begin on an open socket @throws Unauthorized */
export function conversation<Result>(
  socket: WebSocket,
  otherwise: ShutOut,
  begin: (say: (message: object) => void, next: Next<Result>) => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let take: ((message: Message) => Result | undefined) | undefined;
    socket.onopen = () =>
      begin(
        (message) => socket.send(JSON.stringify(message)),
        (following) => (take = following),
      );
    socket.onmessage = ({ data }) => {
      try {
        const result = take?.(JSON.parse(String(data)) as Message);
        if (result !== undefined) resolve(result);
      } catch (error) {
        socket.close();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    socket.onclose = ({ code, reason }) => {
      const why = shutOut(code, otherwise);
      reject(why === undefined ? new SocketClosed(code, reason) : new Unauthorized(why));
    };
  });
}
