/** `npm run fuzz`: request lines against a daemon, output into screens, reports of status, floods through terminals, crowds of clients, hostile hosts. Larger counts by flag. */
import { fuzzCrowds } from './fuzz/crowds.js';
import { fuzzFloods } from './fuzz/floods.js';
import { fuzzHosts } from './fuzz/hosts.js';
import { fuzzOutput } from './fuzz/output.js';
import { fuzzRequests } from './fuzz/requests.js';
import { fuzzStatusReports } from './fuzz/status-reports.js';
import { startBusyLoops } from './support/busy-loops.js';
import { Random } from './support/random.js';
import type { Report } from './support/report.js';

/** With their defaults; a seed of 0 is replaced by a random one, which is printed. `busy`: cores kept busy beside it. */
export const FLAGS = {
  lines: 20_000,
  bytes: 20_000_000,
  floods: 50_000_000,
  crowds: 12,
  hosts: 12,
  reports: 50_000,
  busy: 2,
  seed: 0,
};

export async function trial(options: typeof FLAGS & { readonly root: string }): Promise<Report> {
  const busyLoops = startBusyLoops(options.busy);
  try {
    const reports = [
      await fuzzRequests(options.root, options.lines, options.seed),
      await fuzzOutput(options.bytes, new Random(options.seed)),
      await fuzzStatusReports(options.reports, new Random(options.seed)),
      await fuzzFloods(options.root, options.floods, new Random(options.seed)),
      await fuzzCrowds(options.root, options.crowds, new Random(options.seed)),
      await fuzzHosts(options.root, options.hosts, new Random(options.seed)),
    ];
    return {
      figures: reports.flatMap(({ figures }) => figures),
      failures: reports.flatMap(({ failures }) => failures),
    };
  } finally {
    busyLoops.stop();
  }
}
