/** Printer of the reply of one command. */
import type { CommandName, Reply } from '../../protocol/registry.js';
import type { Fields, Invocation } from '../argv/invocation.js';
import type { Host } from '../host.js';

export interface Answer<Name extends CommandName = CommandName> {
  readonly invocation: Invocation;
  /** Fields as sent. */
  readonly params: Fields;
  readonly reply: Reply<Name>;
  /** Raw bytes that came with the reply. */
  readonly bytes: Uint8Array | undefined;
}

export type Present<Name extends CommandName> = (answer: Answer<Name>, host: Host) => void | Promise<void>;
