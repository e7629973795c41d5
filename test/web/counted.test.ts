/** What `t4a web` counts for all of its pages: a link has a share, all links of guests together have one, and the owner the rest. */
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import type { KeyGrant } from '../../src/page/greeting.js';
import { Assets } from '../../src/web/assets.js';
import { Keys } from '../../src/web/keys.js';
import { LOOK, WHOLE } from '../../src/web/link-scope.js';
import { WebServer } from '../../src/web/server.js';
import { clientOfOwnDaemon } from '../support/launch.js';
import { tempDir } from '../support/temp-dir.js';
import { enter, trade, type TestSocket } from './served.js';

/** Makes its film once the file of its name is there: for as long as a test says. */
const FILMS = `
const { existsSync, writeFileSync } = require('node:fs');
writeFileSync(__filename + '.' + process.pid, '');
const film = () => existsSync(__filename + '.go') ? process.stdout.write('GIF') : setTimeout(film, 10);
film();
`;

async function servedHere() {
  const client = await clientOfOwnDaemon();
  const program = path.join(tempDir().path, 'films.cjs');
  writeFileSync(program, FILMS);
  const keys = new Keys(systemClock);
  const server = new WebServer(new Assets(new URL('../../', import.meta.url)), {
    keys,
    daemons: () => new Map([['local', { socketPath: client.socketPath }]]),
    isReadOnly: false,
    person: 'ada',
    version: '0',
    program,
    onFlood: () => {},
  });
  const { origin } = await server.listen({ host: '127.0.0.1', port: 0 }, []);
  onTestFinished(() => server.close());
  const link = (scope = WHOLE): Promise<KeyGrant> => trade(origin, keys.newCode(scope));
  const page = async (grant: KeyGrant): Promise<TestSocket> => (await enter(origin, grant))[0];
  const begun = (): number => readdirSync(path.dirname(program)).length - 1;
  return { client, link, page, begun, go: () => writeFileSync(`${program}.go`, '') };
}

const half = { cmd: 'web_upload', name: 'half', size: 4, part: Buffer.from('{}').toString('base64') };

test('files that pages send: one link has half of the places, and another has room', async () => {
  const { link, page } = await servedHere();
  const [greedy, other] = [await link(), await link()];
  const pages = [await page(greedy), await page(greedy)];
  const { cmd, ...fields } = half;
  for (const each of pages) expect(await each.ask(cmd, fields)).toMatchObject({ ok: true });
  const refused = { ok: false, code: 'too_many_requests' };
  expect(await (await page(greedy)).ask(cmd, fields)).toMatchObject(refused);
  for (const each of [await page(other), await page(other)])
    expect(await each.ask(cmd, fields)).toMatchObject({ ok: true });
  expect(await (await page(await link())).ask(cmd, fields)).toMatchObject(refused);
  // What has gone is free.
  pages[0]?.socket.terminate();
  const next = await page(greedy);
  await expect.poll(() => next.ask(cmd, fields)).toMatchObject({ ok: true });
});

test('films: one link makes one at a time, all that guests have make one, and another has room', async () => {
  const { client, link, page, begun, go } = await servedHere();
  const { id } = await client.call('create', { cmd_args: ['cat'] });
  const busy = { ok: false, error: expect.stringContaining('Another film is being made') as string };
  const guest = await page(await link(LOOK));
  const owner = await link();
  const made = [guest, await page(owner)].map((each) => ({ each, film: each.ask('web_film', { id }) }));
  await expect.poll(begun).toBe(2);
  const again = [await page(owner), await page(await link(LOOK))];
  for (const each of again) expect(await each.ask('web_film', { id })).toMatchObject(busy);
  go();
  for (const { film } of made) expect(await film).toMatchObject({ ok: true, len: 3 });
  for (const each of again) expect(await each.ask('web_film', { id })).toMatchObject({ ok: true, len: 3 });
});
