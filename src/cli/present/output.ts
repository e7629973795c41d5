import { StringDecoder } from 'node:string_decoder';
import { OUTER_WITH_VALUE, style } from '../../mirror/outer-sequences.js';
import type { Host } from '../host.js';
import type { Present } from './presenter.js';

const ESC = 0x1b;

/** Bytes as they are; for a person's terminal a text, which the host makes harmless. */
export class RawOutput {
  readonly #host: Host;
  readonly #decoder = new StringDecoder('utf8');
  #hasStyle = false;

  constructor(host: Host) {
    this.#host = host;
  }

  write(bytes: Uint8Array): void {
    if (!this.#host.stdoutIsTerminal) return this.#host.out(bytes);
    this.#hasStyle ||= bytes.includes(ESC);
    this.#host.out(this.#decoder.write(Buffer.from(bytes)).replaceAll('\r\n', '\n'));
  }

  /** Ends a colour and a link that the program has left open. */
  end(): void {
    if (this.#hasStyle) this.#host.out(`${OUTER_WITH_VALUE.link.off}${style('')}`);
  }
}

export const presentOutput: Present<'output'> = ({ bytes }, host) => {
  if (bytes === undefined) return;
  const out = new RawOutput(host);
  out.write(bytes);
  out.end();
};
