/** Routes to other hosts come from a bundle beside this one, which is loaded with the first of them. */
import { defaultFleetEntry } from './paths.js';
import type { Route } from './route.js';

/** @throws T4aError `host_unknown`, `host_ambiguous`, `usage` */
export async function routeTo(on: string): Promise<Route> {
  const fleet = (await import(defaultFleetEntry())) as { readonly routeTo: (on: string) => Route };
  return fleet.routeTo(on);
}
