/** Two names at one terminal, each with the command line. */
import { describe, expect, test } from 'vitest';
import { useCommandLine } from '../support/cli-daemon.js';

const cli = useCommandLine();

/** Until it no longer echoes. */
async function started(): Promise<string> {
  const id = await cli.create('sh', '-c', 'stty raw -echo; printf ready; exec cat -v');
  await cli.output(['text', id, '--wait', 'text=ready']);
  return id;
}

describe('control', () => {
  test('is taken, shown, asked for, given and released; input of the other name is refused meanwhile', async () => {
    const id = await started();
    expect(await cli.output(['control', id, 'show'])).toBe('free\n');
    const ada = { env: { T4A_AS: 'ada' } };
    expect(await cli.output(['control', id, 'take', '--person', '--reason', 'password'], ada)).toMatch(
      /^held {4}ada \(person\), since \d\d:\d\d:\d\d: "password"\n$/,
    );
    expect(await cli.t4a(['type', id, 'no', '--as', 'claude'])).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(
          `^t4a: Terminal "${id}" is in the hands of ada, a person \\("password"\\), for \\d s: nothing was written\\.\\n` +
            `  hint: t4a wait ${id} --control free\\n$`,
        ),
      ) as string,
    });
    const asked = await cli.t4a(['control', id, 'take', '--as', 'claude']);
    expect(asked).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`hint: t4a wait ${id} --control mine --as claude`) as string,
    });
    await cli.output(['type', id, 'secret'], ada);
    const waiting = cli.t4a(['wait', id, '--control', 'mine', '--as', 'claude']);
    expect(await cli.output(['control', id, 'show'])).toMatch(
      /^held .*\nasked {3}claude \(agent\), since \d\d:\d\d:\d\d\n$/,
    );
    expect(await cli.output(['control', id, 'give', '--note', 'logged in'], ada)).toMatch(
      /^held {4}claude \(agent\), since \d\d:\d\d:\d\d, ends in (1m|\d+s) without input\n$/,
    );
    expect(await waiting).toMatchObject({ status: 0 });
    expect(await cli.output(['type', id, '!', '--as', 'claude', '--wait', 'settled=200', '--text'])).toBe(
      'readysecret!\n',
    );
    expect(await cli.t4a(['control', id, 'release'], ada)).toMatchObject({ status: 1 });
    expect(await cli.output(['control', id, 'release', '--as', 'claude'])).toBe('free\n');
  });

  test('needs a name to be taken, and an action; a single argument is the action, or else the terminal that is shown', async () => {
    const id = await started();
    expect(await cli.t4a(['control', 'take'])).toMatchObject({
      status: 2,
      stdout: '',
      stderr:
        't4a: "take" of "control" needs a name: "as" of the request.\n  hint: On the command line: --as NAME, or T4A_AS.\n',
    });
    expect(await cli.t4a(['control'])).toMatchObject({ status: 2 });
    expect(await cli.output(['control', 'show'])).toBe('free\n');
    expect(await cli.output(['control', id])).toBe('free\n');
    expect(await cli.t4a(['control', 'taek', '--as', 'ada'])).toMatchObject({ status: 4, stdout: '' });
    expect(await cli.t4a(['control', id, 'taek'])).toMatchObject({ status: 2 });
    expect(await cli.t4a(['wait', '@', '--control', 'never'])).toMatchObject({ status: 125 });
  });

  test('is a condition of a turn, and input goes by the number of inputs', async () => {
    const id = await started();
    const { inputs } = await cli.reply(['text', id, '--wait', 'control=free']);
    expect(inputs).toBe(0);
    await cli.output(['type', id, 'a', '--if-inputs', '0']);
    expect(await cli.t4a(['type', id, 'b', '--if-inputs', '0'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('has had 1 inputs, not 0') as string,
    });
    expect(await cli.output(['text', id, '--wait', 'text=readya'])).toBe('readya\n');
  });
});
