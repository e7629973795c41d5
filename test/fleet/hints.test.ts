/** What errors propose can be typed as it stands: for the host that was asked, and in the options of the command. */
import { expect, test } from 'vitest';
import { connect } from '../../src/client/index.js';
import { hintHere } from '../../src/cli/hints.js';
import { commandSyntax } from '../../src/cli/argv/command-table.js';
import { testFleet } from '../support/fleet.js';

async function heldTerminal(socketPath: string): Promise<void> {
  await using ada = await connect({ socketPath, autoStart: false, as: 'ada' });
  await ada.call('create', { name: 'held', cmd_args: ['cat'] });
  await ada.call('control', { id: 'held', action: 'take', person: true });
}

const hintOf = (stderr: string): string | undefined => /^ {2}hint: (.*)$/m.exec(stderr)?.[1];

test('a hint about a terminal of another host has the host in front of the id', async () => {
  const { daemon, output, t4a } = testFleet();
  const far = await daemon('far');
  await output('hosts', 'add', 'web1', `unix:${far}`);
  await heldTerminal(far);
  const held = 't4a wait web1/held --control free';
  expect(hintOf((await t4a(['type', 'web1/held', 'x'])).stderr)).toBe(held);
  expect(hintOf((await t4a(['type', 'held', 'x', '--on', 'web1'])).stderr)).toBe(held);
  expect(JSON.parse((await t4a(['type', 'web1/held', 'x', '--json'])).stderr)).toMatchObject({ hint: held });
  expect((await t4a(['text', 'web1/hled'])).stderr).toContain('"web1/held"');
  expect(hintOf((await t4a(['text', 'web1/none'])).stderr)).toBe('t4a --on web1 list');
  const route = `unix:${far}`;
  expect(hintOf((await t4a(['type', 'held', 'x', '--on', route])).stderr)).toBe(
    `t4a --on ${route} wait held --control free`,
  );
  const asks = await t4a(['run', '--on', 'web1', '--command', 'read x']);
  expect(asks.stderr).toMatch(
    /hint: t4a type web1\/t\d+ ANSWER --submit, then t4a wait web1\/t\d+ --exit; or t4a kill web1\/t\d+/,
  );
});

test.each([
  ['create', 'Give an existing directory as "cwd".', 'Give an existing directory as --cwd.'],
  [
    'create',
    'Where it is meant to be shared, "reuse": true returns it.',
    'Where it is meant to be shared, --reuse returns it.',
  ],
  ['mouse', 'For example "on_text": "OK".', 'For example --on-text OK.'],
  [
    'wait',
    'Wait for "settled_ms" or for the "text" of the prompt.',
    'Wait for --settled-ms or for the --text of the prompt.',
  ],
  ['type', 'Leave it out, or ask "wait" first.', 'Leave it out, or ask "wait" first.'],
  ['mouse', 'Did you mean "rows"?', 'Did you mean "rows"?'],
  [
    'create',
    'End some with "kill", or raise "max_terminals" with "config".',
    'End some with "t4a kill", or raise it with "t4a config --max-terminals N".',
  ],
])('of %s, %j is on the command line %j', (name, hint, expected) => {
  const command = commandSyntax(name);
  if (command === undefined) throw new Error(`no command ${name}`);
  expect(hintHere(hint, { command, params: {}, options: {} })).toBe(expected);
});
