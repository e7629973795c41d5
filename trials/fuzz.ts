/** `npm run fuzz`: request lines against a daemon, then output into screens. Larger counts by flag. */
import { fuzzOutput } from './fuzz/output.js';
import { fuzzRequests } from './fuzz/requests.js';
import { Random } from './support/random.js';
import type { Report } from './support/report.js';

/** With their defaults; a seed of 0 is replaced by a random one, which is printed. */
export const FLAGS = { lines: 20_000, bytes: 20_000_000, seed: 0 };

export async function trial(options: typeof FLAGS & { readonly root: string }): Promise<Report> {
  const requests = await fuzzRequests(options.root, options.lines, options.seed);
  const output = await fuzzOutput(options.bytes, new Random(options.seed));
  return {
    figures: [...requests.figures, ...output.figures],
    failures: [...requests.failures, ...output.failures],
  };
}
