/** Persons at terminals of another host: `t4a attach` and `t4a view`, each in a terminal of this machine. */
import { expect, onTestFinished, test } from 'vitest';
import { connect, launch, type Client, type Terminal } from '../../src/client/index.js';
import { CLI } from '../support/cli.js';
import { builtDaemonEntry } from '../support/daemon.js';
import { testFleet } from '../support/fleet.js';

interface People {
  /** Of the far host. */
  readonly inner: Terminal;
  /** A terminal of this machine, in which a person has typed that command. */
  readonly person: (...words: string[]) => Promise<Terminal>;
}

/** A host `web1` whose route is a command that becomes `t4a stdio`, with a terminal `inner` that runs `cat`. */
async function people(): Promise<People> {
  const { dir, env, daemon, standIn, output } = testFleet();
  const far = await daemon('far');
  standIn('reach-web1', far);
  await output('hosts', 'add', 'web1', '--', 'sh', dir.join('bin', 'reach-web1'));
  const open = async (socketPath: string): Promise<Client> => {
    const client = await connect({ socketPath, daemonEntry: builtDaemonEntry });
    onTestFinished(() => client.close());
    return client;
  };
  const [there, here] = [await open(far), await open(dir.join('local'))];
  return {
    inner: await launch({ client: there, cmd_args: ['cat'], name: 'inner' }),
    person: (...words) => {
      const command = [process.execPath, CLI, ...words].map((word) => `'${word}'`).join(' ');
      return launch({ client: here, command: `${command}; echo "status $?"; exec cat`, env, cols: 90, rows: 26 });
    },
  };
}

test('attach shows a terminal of another host, and its keys reach the program there', async () => {
  const { inner, person } = await people();
  const viewer = await person('attach', 'web1/inner');
  await viewer.waitForText('│ ^B ?');
  await viewer.type('from here');
  await inner.waitForText('from here');
  await viewer.waitForText('from here');
  await viewer.press(['Ctrl+B', 'd']);
  await viewer.waitForText('status 0');
  expect((await inner.call('status', {})).alive).toBe(true);
});

test('view shows a terminal of another host as it changes', async () => {
  const { inner, person } = await people();
  await inner.type('before');
  await inner.waitForText('before');
  const viewer = await person('view', 'web1/inner');
  await viewer.waitForText('before');
  await inner.type(' and after');
  await viewer.waitForText('before and after');
  await viewer.press('q');
  await viewer.waitForText('status 0');
  expect((await inner.text()).trimEnd()).toBe('before and after');
});
