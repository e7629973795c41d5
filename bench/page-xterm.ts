/**
 * xterm.js 6 as it is commonly served: its default renderer, a WebSocket, and a PTY of its own whose bytes go to the browser as
 * they come. For the figures of the page beside it.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { spawn } from 'node-pty';
import { WebSocketServer } from 'ws';

export const XTERM_FILES = ['lib/xterm.js', 'css/xterm.css'] as const;

export interface XtermServer {
  readonly url: string;
  stop(): Promise<void>;
}

export function xtermFile(root: string, file: string): Buffer {
  return readFileSync(path.join(root, 'node_modules/@xterm/xterm', file));
}

/** Each connection starts the program. */
export async function serveXterm(root: string, cmd_args: readonly string[]): Promise<XtermServer> {
  const [program = '', ...args] = cmd_args;
  const http = createServer((request, response) => {
    const file = XTERM_FILES.find((name) => request.url === `/${name}`);
    const type = file?.endsWith('.css') ? 'text/css' : file === undefined ? 'text/html' : 'text/javascript';
    response.setHeader('Content-Type', type);
    response.end(file === undefined ? PAGE : xtermFile(root, file));
  });
  const sockets = new WebSocketServer({ server: http });
  sockets.on('connection', (socket) => {
    const pty = spawn(program, args, { cols: 80, rows: 24, name: 'xterm-256color', encoding: null });
    pty.onData((bytes) => socket.send(bytes));
    socket.on('message', (text: Buffer) => pty.write(text));
    socket.on('close', () => pty.kill('SIGKILL'));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`,
    async stop() {
      sockets.clients.forEach((socket) => socket.terminate());
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}

const PAGE = `<!doctype html><link rel="stylesheet" href="/css/xterm.css"><div id="terminal"></div>
<script src="/lib/xterm.js"></script><script>
  const terminal = new Terminal({ cols: 80, rows: 24 });
  terminal.open(document.querySelector('#terminal'));
  const socket = new WebSocket('ws://' + location.host);
  socket.binaryType = 'arraybuffer';
  socket.onmessage = ({ data }) => terminal.write(new Uint8Array(data));
  terminal.onData((text) => socket.send(text));
  terminal.focus();
</script>`;
