import { StringDecoder } from 'node:string_decoder';
import type { Host } from '../host.js';
import type { Present } from './presenter.js';

/** Bytes as they are; for a person's terminal a text, which the host makes harmless. */
export class RawOutput {
  readonly #host: Host;
  readonly #decoder = new StringDecoder('utf8');

  constructor(host: Host) {
    this.#host = host;
  }

  write(bytes: Uint8Array): void {
    if (!this.#host.stdoutIsTerminal) return this.#host.out(bytes);
    this.#host.out(this.#decoder.write(Buffer.from(bytes)).replaceAll('\r\n', '\n'));
  }
}

export const presentOutput: Present<'output'> = ({ bytes }, host) => {
  if (bytes !== undefined) new RawOutput(host).write(bytes);
};
