/** Reaches, without schemas: clients compare them, too. */

/**
 * What a caller must be trusted with, from least to most: to see, to type into what runs, to start and end programs, to
 * change the daemon itself. Doors to the daemon (the profiles of tools, gateways, pages) admit commands and fields by it.
 */
export const REACHES = ['read', 'use', 'create', 'admin'] as const;

export type Reach = (typeof REACHES)[number];

export function isWithin(reach: Reach, most: Reach): boolean {
  return REACHES.indexOf(reach) <= REACHES.indexOf(most);
}
