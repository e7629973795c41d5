/** Maker of the fields of a request from an invocation. */
import type { Client } from '../../client/client.js';
import type { Fields, Invocation } from '../argv/invocation.js';
import type { Host } from '../host.js';

/** @param client connects; called only to ask something first */
export type Prepare = (invocation: Invocation, host: Host, client: () => Promise<Client>) => Fields | Promise<Fields>;
