/** The setting `json` in the configuration file, as another tool's configuration has it. */
import { realpathSync } from 'node:fs';
import { callersConfigFile, callersConfigPath } from '../client/paths.js';
import { T4aError } from '../protocol/errors.js';
import { changeWhole } from './whole-file.js';

export interface JsonDefault {
  readonly path: string;
  /** Value that the file has now: one that was there stays. */
  readonly json: unknown;
  readonly changed: boolean;
}

/** Reads the file, and changes nothing yet. @returns a function that writes it @throws T4aError `usage` if the file cannot be changed */
export function jsonByDefault(): () => JsonDefault {
  const path = callersConfigPath();
  const file = read();
  const before = file?.fields['json'];
  if (before !== undefined) return () => ({ path, json: before, changed: false });
  return () => {
    // A link stays one: people keep their settings elsewhere.
    changeWhole(file === undefined ? path : realpathSync(path), () => ({ ...read()?.fields, json: true }));
    return { path, json: true, changed: true };
  };
}

function read(): ReturnType<typeof callersConfigFile> {
  return callersConfigFile((says) => {
    throw new T4aError('usage', `${says}: "json" cannot be set there.`);
  });
}
