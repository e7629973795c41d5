/** What the owner wants masked: the setting `redact`, of the environment or else of the configuration file, and that of a daemon. */
import type { Client } from '../client/client.js';
import { configFileError } from '../protocol/config-file.js';
import type { ExportOptions } from '../playback/export.js';
import { T4aError } from '../protocol/errors.js';
import type { Host } from './host.js';

type RedactSettings = NonNullable<ExportOptions['redact']>;

/** `replies` is for the daemon. */
const FIELDS = ['patterns', 'variables', 'known', 'replies'];
const VARIABLE = 'T4A_REDACT';

/** A setting that is not understood would let secrets out. @throws T4aError that names the variable, or the file and the line */
export function redactSettings(host: Host): RedactSettings | undefined {
  const text = host.env[VARIABLE] ?? '';
  if (text !== '') {
    const given = settingsIn(parsed(text));
    if (given === undefined) throw new T4aError('usage', `In the environment, ${VARIABLE}: ${EXPECTED}`);
    return given;
  }
  const file = host.configFile();
  const field = file?.fields['redact'];
  if (file === undefined || field === undefined) return undefined;
  const set = settingsIn(field);
  if (set === undefined) throw configFileError(file, 'redact', EXPECTED);
  return set;
}

const NOTHING: RedactSettings = { patterns: [], variables: [], known: false };

/** With those of the daemon, whose terminal it is: `t4a config` may have set them. @throws T4aError, also of the daemon */
export async function redactSettingsWith(
  client: Client,
  host: Host,
  signal?: AbortSignal,
): Promise<RedactSettings | undefined> {
  const own = redactSettings(host);
  // A daemon that is older by a release has no such setting.
  const { redact: its = NOTHING } = (await client.call('config', {}, { signal })) as {
    readonly redact?: RedactSettings;
  };
  const patterns = [...new Set([...(own?.patterns ?? []), ...its.patterns])];
  const variables = [...new Set([...(own?.variables ?? []), ...its.variables])];
  const known = own?.known === true || its.known;
  return own === undefined && patterns.length + variables.length === 0 && !known
    ? undefined
    : { patterns, variables, known };
}

const EXPECTED = 'expected an object such as {"known":true,"variables":["*_TOKEN"],"patterns":["pw=[^ ]+"]}.';

function settingsIn(value: unknown): RedactSettings | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { patterns = [], variables = [], known = false } = value as Record<string, unknown>;
  if (Object.keys(value).some((name) => !FIELDS.includes(name))) return undefined;
  if (!isTexts(patterns) || !isTexts(variables) || typeof known !== 'boolean') return undefined;
  return { patterns, variables, known };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
