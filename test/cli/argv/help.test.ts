/** Help and version, which need no daemon: of each command in this process, the overview as built. */
import { describe, expect, test } from 'vitest';
import { COMMAND_LINE_NAMES, commandTable } from '../../../src/cli/argv/command-table.js';
import { runCli } from '../../support/cli.js';
import { run } from '../../support/command-line.js';

describe('help', () => {
  test.each(COMMAND_LINE_NAMES)('explains %s with --help and with the command "help"', async (name) => {
    const [asFlag, asCommand] = [await run([name, '--help']), await run(['help', name])];
    expect(asFlag).toMatchObject({ status: 0, noted: '' });
    expect(asFlag.printed).toMatch(new RegExp(`^Usage: t4a ${name}\\b`));
    expect(asFlag.printed).toContain(`\n  t4a ${name}`);
    expect(asCommand.printed).toBe(asFlag.printed);
  });

  test('lists every command', async () => {
    const { status, stdout } = await runCli(['--help']);
    expect(status).toBe(0);
    for (const { name, summary } of commandTable())
      expect(stdout).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 20)}`, 'm'));
    expect((await runCli(['help'])).stdout).toBe(stdout);
  });

  test('prints the version with --version and with the command "version"', async () => {
    const [flag, command] = await Promise.all([runCli(['--version']), runCli(['version'])]);
    expect(flag.stdout).toMatch(/^t4a \d+\.\d+\.\d+\n$/);
    expect(command.stdout).toBe(flag.stdout);
  });
});
