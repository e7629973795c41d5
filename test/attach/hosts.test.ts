/** `t4a attach` where hosts.json has other hosts. */
import { expect, test } from 'vitest';
import { testFleet } from '../support/fleet.js';
import { attached } from './attached.js';

test('c asks for the host, too, and shows the new terminal there, which knows nothing of this place', async () => {
  const { env, dir, output, daemon } = testFleet();
  await output('hosts', 'add', 'far', `unix:${await daemon('far.sock')}`);
  await output('hosts', 'add', 'gone', `unix:${dir.join('gone.sock')}`);
  const { client, person } = await attached({
    command: 'echo first; cat',
    person: { env: { XDG_CONFIG_HOME: env['XDG_CONFIG_HOME'] ?? '', HOME: dir.path, SHELL: '/bin/sh' } },
  });
  await person.waitForText('first');
  await person.waitForText(' local/inner ');
  await person.press(['Ctrl+B', 'c']);
  await person.waitForText('Host of the new terminal:');
  const listed = (await person.text()).split('\n').slice(-4, -1);
  expect(listed.map((line) => line.trimEnd())).toEqual(['▸ local  this one', '  far', '  gone']);
  // A host that is down leaves the person where they are.
  await person.press(['g', 'Enter']);
  await person.waitForText('Name of the new terminal:');
  await person.type('zoo');
  await person.press('Enter');
  await person.waitForText('The host "gone" cannot be reached');
  await person.press(['Ctrl+B', 'c', 'f', 'Enter']);
  await person.waitForText('Name of the new terminal:');
  await person.type('zoo');
  await person.press('Enter');
  await person.waitForText('zoo is a terminal of far.');
  await person.waitForText(' far/zoo ');
  await person.type('pwd');
  await person.press('Enter');
  await person.waitForText(dir.path);
  expect(JSON.parse(await output('list', '--on', 'far', '--json'))).toMatchObject({
    terminals: [{ id: 'zoo', cols: 90, rows: 25 }],
  });
  // And back: the daemon of this machine is the first of the other hosts now.
  await person.press(['Ctrl+B', 'c', 'l', 'Enter']);
  await person.waitForText('Name of the new terminal:');
  await person.type('home');
  await person.press('Enter');
  await person.waitForText('home is a terminal of local.');
  expect(await client.call('status', { id: 'home' })).toMatchObject({ alive: true });
  await person.press(['Ctrl+B', 'd']);
  await person.waitForText('Detached from home.');
  await person.waitForText('status 0');
});
