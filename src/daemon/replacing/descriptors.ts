/**
 * Descriptor of a daemon that takes the place of the one that has started it; behind it are its masters, then the pipes of stubs
 * (stub.ts).
 */
export const CHANNEL_FD = 3;
export const LISTENER_FD = 4;
export const FIRST_MASTER_FD = 5;
