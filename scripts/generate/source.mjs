// What is written in TypeScript, imported from here: bundled into memory, then loaded as a data URL.
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The protocol, and the CLI's additions to it. */
export function loadContract() {
  return load(`
export { COMMANDS } from './src/protocol/registry.ts';
export { protocolSchema } from './src/protocol/json-schema.ts';
import { envelopeShape } from './src/protocol/command.ts';
export const envelopeFields = Object.keys(envelopeShape);
export { ERRORS } from './src/protocol/errors.ts';
import { z } from 'zod';
import { clientSettingsShape } from './src/protocol/client-settings.ts';
export const clientSettings = z.toJSONSchema(z.object(clientSettingsShape)).properties;
export * as limits from './src/protocol/limits.ts';
export { KEY_TABLE } from './src/vt/keys/key-table.ts';
export { LAST_TERMINAL } from './src/protocol/vocabulary.ts';
import * as additions from './src/cli/argv/local-syntax.ts';
import { LOCAL_COMMANDS } from './src/cli/local/syntax.ts';
import { TURN_FIELDS } from './src/cli/argv/syntax.ts';
export const local = { ...additions, LOCAL_COMMANDS, TURN_FIELDS };
`);
}

/** The CLI's parser and help, on the table that is being generated: the one on disk may be stale, or not there. */
export function loadCommandLine(tableModule) {
  const freshTable = {
    name: 'fresh-table',
    setup(bundle) {
      bundle.onResolve({ filter: /commands\.generated\.js$/ }, () => ({ path: 'table', namespace: 'fresh' }));
      bundle.onLoad({ filter: /.*/, namespace: 'fresh' }, () => ({ contents: tableModule, loader: 'ts' }));
    },
  };
  const entry = `
export { parseCommandLine } from './src/cli/argv/parse.ts';
export { argumentBytes } from './src/cli/prepare/input.ts';
export { preparedFields } from './src/cli/prepare/request-fields.ts';
export { commandHelp, flagDescription, overviewHelp } from './src/cli/argv/help.ts';
`;
  return load(entry, [freshTable]);
}

export async function load(contents, plugins = []) {
  const result = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    plugins,
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
  });
  const code = Buffer.from(result.outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}
