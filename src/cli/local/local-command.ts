/** A command that sends no request, or has a conversation of its own with the daemon. */
import type { Invocation } from '../argv/invocation.js';
import type { Host } from '../host.js';
import type { LazyBundles } from '../lazy-bundles.js';

/** @returns the exit status */
export type LocalCommand = (invocation: Invocation, host: Host, bundles: LazyBundles) => number | Promise<number>;
