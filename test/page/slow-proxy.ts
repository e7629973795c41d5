/** A proxy (SOCKS 5, RFC 1928) between a browser and its server: it delivers late, and cuts its connections when asked. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

const VERSION = 5;
const NO_NAME_OR_PASSWORD = Buffer.from([VERSION, 0]);
const CONNECTED = Buffer.from([VERSION, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
const BY_NAME = 3;

export interface SlowProxy {
  /** For the options of a browser's context. */
  readonly server: string;
  /** What is under way is lost, and new connections are closed until {@link mend}. */
  cut(): void;
  mend(): void;
  /** What comes from now on by this way is kept back until {@link cut}, as by a phone without a network. */
  hold(way: Way): void;
}

type Way = 'requests' | 'replies';

/** @param delayMs of each piece, in both directions; their order stays */
export async function slowProxy(delayMs: number): Promise<SlowProxy> {
  const sockets = new Set<Socket>();
  const held = new Set<Way>();
  let isCut = false;
  const kept = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = createServer((browser) => {
    kept(browser);
    if (isCut) {
      browser.destroy();
      return;
    }
    browser.once('data', () => {
      browser.write(NO_NAME_OR_PASSWORD);
      browser.once('data', (request: Buffer) => {
        const target = kept(connect(placeOf(request)));
        target.once('connect', () => {
          browser.write(CONNECTED);
          deliver(browser, target, delayMs, () => held.has('requests'));
          deliver(target, browser, delayMs, () => held.has('replies'));
        });
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    isCut = true;
    held.clear();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  return {
    server: `socks5://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    mend: () => (isCut = false),
    hold: (way) => void held.add(way),
  };
}

/** Version, command, 0, kind of the address, the address, two bytes of the port. */
function placeOf(request: Buffer): { readonly host: string; readonly port: number } {
  const address = request.subarray(4, -2);
  const host = request[3] === BY_NAME ? address.subarray(1).toString() : address.join('.');
  return { host, port: request.readUInt16BE(request.length - 2) };
}

function deliver(from: Socket, to: Socket, delayMs: number, isHeld: () => boolean): void {
  from.on('data', (bytes) => isHeld() || void setTimeout(() => to.write(bytes), delayMs));
  from.on('close', () => void setTimeout(() => to.destroy(), delayMs));
}
