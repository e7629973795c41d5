/** Settings of the file and the environment for those who ask. */
import { resolve } from 'node:path';
import { isT4aError } from '../../protocol/errors.js';
import { paintOf, type Paint } from '../output/color.js';
import { CLIENT_SETTINGS } from '../argv/commands.generated.js';
import { settingOf, type SettingName } from '../settings.js';
import type { Host } from '../host.js';
import { failed, passed, warning, type Finding } from './finding.js';

export interface Configuration {
  readonly finding: Finding;
  /** Undefined where none is named, or what is set cannot be read. */
  readonly socketPath: string | undefined;
  readonly paint: Paint;
}

const CHECK = 'configuration';
const ADVICE = 'Set HOME or XDG_CONFIG_HOME to a directory of your own, if one is to be read.';

export function examineConfiguration(socket: unknown, color: unknown, host: Host): Configuration {
  try {
    let refused: string | undefined;
    const file = host.configFile((says) => (refused = says));
    // Each is read, so that each is checked.
    const all = CLIENT_SETTINGS.map(({ field }) => settingOf(field as SettingName, undefined, host));
    const set = all.filter(({ source }) => source !== 'default').length;
    const named = settingOf('socket', socket, host).value;
    const says = refused ?? (file === undefined ? 'no file' : `${file.path} can be read`);
    const report = `${says}; ${set} of ${all.length} settings of the command line are set`;
    return {
      finding: refused === undefined ? passed(CHECK, report) : warning(CHECK, report, ADVICE),
      socketPath: typeof named === 'string' ? resolve(named) : undefined,
      paint: paintOf(color, host),
    };
  } catch (error) {
    if (!isT4aError(error)) throw error;
    const named = typeof socket === 'string' ? socket : host.env['T4A_SOCKET'] || undefined;
    return {
      finding: failed(CHECK, error.message, error.details.hint ?? 'Mend it: t4a config --help'),
      socketPath: named === undefined ? undefined : resolve(named),
      paint: (_color, text) => text,
    };
  }
}
