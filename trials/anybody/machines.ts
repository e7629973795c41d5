/** The machines of the trial `anybody`: what differs from this one, a row each. */

export interface Machine {
  readonly name: string;
  /** Programs without which the row is left out. */
  readonly needs: readonly string[];
  /** Before `node`. */
  readonly prefix?: readonly string[];
  /** For vitest. */
  readonly args?: readonly string[];
  /** @param here the present hour (UTC), and a configuration of fonts that names none */
  readonly env?: (here: { readonly hour: number; readonly fonts: string }) => Readonly<Record<string, string>>;
  /** At once. Default: 1. */
  readonly runs?: number;
}

/** Clocks that go on count on; a date is that of the whole tree of processes. */
const dated = (name: string, date: string): Machine => ({
  name,
  needs: ['faketime'],
  prefix: ['faketime', date],
  env: () => ({ FAKETIME_DONT_FAKE_MONOTONIC: '1', DONT_FAKE_MONOTONIC: '1' }),
});

const inZone = (name: string, zone: string): Machine => ({ name, needs: [], env: () => ({ TZ: zone }) });

/** The time zone in which it is this hour now. POSIX counts westwards. */
export function zoneAtHour(wanted: number, utcHour: number): string {
  const east = ((wanted - utcHour + 36) % 24) - 12;
  return `TTT${east > 0 ? '-' : '+'}${Math.abs(east)}`;
}

const atHour = (wanted: number): Machine => ({
  name: `hour-${wanted}`,
  needs: [],
  env: ({ hour }) => ({ TZ: zoneAtHour(wanted, hour) }),
});

export const MACHINES: readonly Machine[] = [
  { name: 'this', needs: [] },
  atHour(2),
  atHour(10),
  atHour(23),
  dated('before-midnight', '23:59:30'),
  dated('end-of-february', '2028-02-29 12:00:00'),
  inZone('kathmandu', 'Asia/Kathmandu'),
  inZone('newfoundland', 'America/St_Johns'),
  { name: 'full-browser', needs: ['chromium'], env: () => ({ T4A_TEST_BROWSER: 'chromium' }) },
  { name: 'no-fonts', needs: [], env: ({ fonts }) => ({ FONTCONFIG_FILE: fonts }) },
  { name: 'one-core', needs: ['taskset'], prefix: ['taskset', '-c', '0'] },
  { name: 'eight-workers', needs: [], args: ['--maxWorkers=8'] },
  { name: 'another-user', needs: ['setpriv'], prefix: ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] },
  { name: 'two-at-once', needs: [], runs: 2 },
];
