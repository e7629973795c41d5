/**
 * The input of a terminal that is certain to be shown, for recordings with input. Not reported, and with no trace of its
 * length: what was sent as a secret, and what was written while echo was off, except at the prompt of a shell with marks,
 * whose line editor shows it.
 *
 * The flags are read before each write, which waits for that, and again after it: a program that turns echo off in
 * between has not been asked for a password by then, one that turns it on again has read one. In doubt, input is left out.
 */
import { inputSecrecy, type InputSecrecy, type TerminalFlags } from '../../events/secrecy.js';
import { DisposableScope, type Disposable } from '../../base/lifetime.js';

/** The part of a terminal whose input is recorded. */
export interface InputOwner {
  readonly feed: { add(observer: { onInput(bytes: Uint8Array, isSecret: boolean): void }): Disposable };
  readonly input: { beforeWrite: (() => Promise<void>) | undefined };
  readonly detectors: { readonly shell: { readonly atPrompt: boolean } };
}

export interface ShownInputOptions {
  /** Undefined if unknown. */
  readonly readFlags: () => Promise<TerminalFlags | undefined>;
  readonly onShown: (text: string) => void;
}

/** Ends the line before a prompt for a password, and is no part of one. */
const ENTER: ReadonlySet<string> = new Set(['\r', '\n']);

export class ShownInput implements Disposable {
  readonly #owner: InputOwner;
  readonly #readFlags: ShownInputOptions['readFlags'];
  readonly #onShown: ShownInputOptions['onShown'];
  readonly #scope = new DisposableScope();
  #before: InputSecrecy = 'unknown';

  constructor(owner: InputOwner, { readFlags, onShown }: ShownInputOptions) {
    this.#owner = owner;
    this.#readFlags = readFlags;
    this.#onShown = onShown;
    this.#scope.add(owner.feed.add({ onInput: (bytes, isSecret) => void this.#onInput(bytes, isSecret) }));
    const beforeWrite = async (): Promise<void> => {
      this.#before = await this.#secrecy();
    };
    owner.input.beforeWrite = beforeWrite;
    this.#scope.defer(() => {
      // The next part of the recording may have begun.
      if (owner.input.beforeWrite === beforeWrite) owner.input.beforeWrite = undefined;
    });
  }

  dispose(): void {
    this.#scope.dispose();
  }

  async #onInput(bytes: Uint8Array, isSecret: boolean): Promise<void> {
    const before = this.#before;
    this.#before = 'unknown';
    if (isSecret || before !== 'shown') return;
    // The bytes may be in a buffer that is used again.
    const text = Buffer.from(bytes).toString('utf8');
    if (ENTER.has(text) || (await this.#secrecy()) !== 'hidden') this.#onShown(text);
  }

  async #secrecy(): Promise<InputSecrecy> {
    const { atPrompt } = this.#owner.detectors.shell;
    const flags = await this.#readFlags();
    return flags === undefined ? 'hidden' : inputSecrecy(flags, atPrompt);
  }
}
