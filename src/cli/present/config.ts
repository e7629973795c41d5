import { daemonPath } from '../../client/find-daemon.js';
import { CLIENT_SETTINGS } from '../argv/commands.generated.js';
import { settingOf, type SettingName } from '../settings.js';
import type { Present } from '../presenters.js';
import type { Surroundings } from '../host.js';
import { formatTable } from '../output/table.js';
import { replyLine } from './fields.js';

/** For people: each setting, its value, and where that comes from; the command line's own before the daemon's. */
export const presentConfig: Present = async (answer, surroundings) => {
  const { sources, file, ...fields } = answer.reply as Record<string, unknown> & { sources?: Record<string, string> };
  if (sources === undefined) return surroundings.out(replyLine(answer));
  const own = await Promise.all(
    CLIENT_SETTINGS.map(async ({ field }) => {
      const { value, source } = settingOf(field as SettingName, answer.invocation.options[field], surroundings);
      return [field, shown(value ?? (await DEFAULTS[field as SettingName](surroundings))), source];
    }),
  );
  const rows = Object.entries(fields).map(([field, value]) => [field, shown(value), sources[field] ?? '']);
  surroundings.out(formatTable([...own, ...rows], surroundings.columns() ?? Number.POSITIVE_INFINITY));
  surroundings.note(`Their file: ${String(file)}\n`);
};

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What holds where nothing is set. */
const DEFAULTS: Readonly<Record<SettingName, (surroundings: Surroundings) => unknown>> = {
  socket: () => daemonPath(),
  color: () => 'auto',
  shell: ({ env }) => env['SHELL'] || 'bash, else sh',
  cols: () => 80,
  rows: () => 24,
  // That of the profile llm.
  scale: () => 80,
};
