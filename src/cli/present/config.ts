import { daemonPath } from '../../client/find-daemon.js';
import { CLIENT_SETTINGS } from '../argv/commands.generated.js';
import { DEFAULT_IDLE_MS, settingOf, type SettingName } from '../settings.js';
import type { Host } from '../host.js';
import { formatTable } from '../output/table.js';
import type { Present } from './presenter.js';
import { presentReply } from './reply.js';

/** Prints each setting for people, with its value and source; the command line's own before the daemon's. */
export const presentConfig: Present<'config'> = async (answer, host) => {
  const { sources, file, ...fields } = answer.reply;
  if (sources === undefined) return presentReply(answer, host);
  const own = await Promise.all(
    CLIENT_SETTINGS.map(async ({ field }) => {
      const { value, source } = settingOf(field as SettingName, answer.invocation.options[field], host);
      return [field, shown(value ?? (await DEFAULTS[field as SettingName](host))), source];
    }),
  );
  const rows = Object.entries(fields).map(([field, value]) => [field, shown(value), sources[field] ?? '']);
  host.out(formatTable([...own, ...rows], host.columns() ?? Number.POSITIVE_INFINITY));
  host.note(`Their file: ${String(file)}\n`);
};

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Values without a setting. */
const DEFAULTS: Readonly<Record<SettingName, (host: Host) => unknown>> = {
  socket: () => daemonPath(),
  color: () => 'auto',
  json: () => false,
  shell: ({ env }) => env['SHELL'] || 'bash, else sh',
  cols: () => 80,
  rows: () => 24,
  context: () => 0,
  idle: () => DEFAULT_IDLE_MS,
  // The cell size of the profile llm.
  scale: () => 80,
  cli_host: () => true,
};
