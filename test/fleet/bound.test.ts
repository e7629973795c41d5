/** What hangs on a connection hangs on the connection of the gateway's client, on every host, also on this machine. */
import { expect, onTestFinished, test } from 'vitest';
import { RawConnection } from '../support/raw.js';
import { gateway, gatewayOfFile, type Gateway } from './served-gateway.js';
import { eventually } from '../support/eventually.js';

const sharedGateway = gatewayOfFile();

type Fields = Record<string, unknown>;

/** A client of the gateway, and one beside it. */
async function clients({ raw }: Pick<Gateway, 'raw'>, host: string) {
  const ask = async (socket: RawConnection, fields: object): Promise<Fields> =>
    (await socket.request({ ...fields })).header;
  const [own, other] = [raw(), raw()];
  await ask(own, { cmd: 'create', host, name: 'a', cmd_args: ['cat'] });
  const address = { id: 'a', host };
  return {
    address,
    ask: (fields: object) => ask(own, fields),
    others: (fields: object) => ask(other, fields),
    leave: () => own.close(),
  };
}

test.each(['local', 'x'])('a trigger ends with the connection that made it, if it says so: %s', async (host) => {
  const { address, ask, others, leave } = await clients(await sharedGateway(), host);
  const rule = { ...address, when: [{ text: 'go' }], do: [{ notify: 'x' }] };
  const { trigger: stays } = await ask({ cmd: 'trigger', ...rule });
  await ask({ cmd: 'trigger', ...rule, with_connection: true });
  expect(await others({ cmd: 'triggers', ...address })).toMatchObject({ triggers: [{}, {}] });
  leave();
  await eventually(async () =>
    expect(await others({ cmd: 'triggers', ...address })).toMatchObject({ triggers: [{ trigger: stays }] }),
  );
});

test.each(['local', 'x'])('a trigger on "disconnected" fires when its maker has gone: %s', async (host) => {
  const { address, ask, others, leave } = await clients(await sharedGateway(), host);
  await ask({
    cmd: 'trigger',
    ...address,
    when: [{ disconnected: true }],
    do: [{ label: { set: { left: 'alone' } } }],
  });
  // Others of the gateway come and go.
  expect(await others({ cmd: 'status', ...address })).toMatchObject({ labels: {} });
  leave();
  await eventually(async () =>
    expect(await others({ cmd: 'status', ...address })).toMatchObject({ labels: { left: 'alone' } }),
  );
});

test.each(['local', 'x'])('a hold that is tied to its connection ends some time after it: %s', async (host) => {
  const { address, ask, others, leave } = await clients(await sharedGateway(), host);
  await ask({ cmd: 'control', ...address, action: 'take', as: 'ada', person: true, connected: true });
  const show = () => others({ cmd: 'control', ...address, action: 'show' });
  expect(await show()).toMatchObject({ holder: { as: 'ada' }, expires_in_ms: null });
  leave();
  await eventually(async () => expect(await show()).toMatchObject({ expires_in_ms: expect.any(Number) as number }));
});

test.each(['local', 'x'])(
  'a terminal that is tied ends with its client, also while another name has control: %s',
  async (host) => {
    const { ask, others, leave } = await clients(await sharedGateway(), host);
    expect(await ask({ cmd: 'create', host, name: 'tied', cmd_args: ['cat'], tied: true })).toMatchObject({ ok: true });
    await others({ cmd: 'control', id: 'tied', host, action: 'take', as: 'bob' });
    leave();
    await eventually(async () =>
      expect(await others({ cmd: 'status', id: 'tied', host })).toMatchObject({ code: 'terminal_not_found' }),
    );
  },
);

test.each(['local', 'x'])('watchers are counted one by one, and leave with their connections: %s', async (host) => {
  const { address, ask, others, leave } = await clients(await sharedGateway(), host);
  await others({ cmd: 'watch', ...address });
  expect(await ask({ cmd: 'watch', ...address })).toMatchObject({ watchers: 2 });
  leave();
  await eventually(async () => expect(await others({ cmd: 'watch', ...address })).toMatchObject({ watchers: 1 }));
});

test.each(['local', 'x'])('a restriction holds in the daemon, too: triggers of others stay: %s', async (host) => {
  const { address, ask, others } = await clients(await sharedGateway(), host);
  const rule = { ...address, when: [{ text: 'go' }], do: [{ notify: 'x' }] };
  const { trigger } = await others({ cmd: 'trigger', ...rule, as: 'owner' });
  await ask({ cmd: 'restrict', reach: 'create' });
  const { trigger: ownTrigger } = await ask({ cmd: 'trigger', ...rule, as: 'eve' });
  await ask({ cmd: 'restrict', reach: 'use', person: false });
  expect(await ask({ cmd: 'untrigger', trigger, host, as: 'eve' })).toMatchObject({ code: 'not_allowed' });
  expect(await ask({ cmd: 'untrigger', trigger, host })).toMatchObject({ code: 'not_allowed' });
  expect(await ask({ cmd: 'untrigger', trigger: ownTrigger, host, as: 'eve' })).toMatchObject({ ok: true });
  // One that is not restricted may remove it.
  expect(await others({ cmd: 'untrigger', trigger, host })).toMatchObject({ ok: true });
});

test('a client that may only look leads "@" of no scope elsewhere, on no host', async () => {
  const { raw } = await sharedGateway();
  const [own, looking] = [raw(), raw()];
  for (const name of ['a', 'b'])
    await own.request({ cmd: 'create', host: 'x', name, cmd_args: ['cat'], scope: 'mine' });
  await looking.request({ cmd: 'restrict', reach: 'read' });
  expect((await looking.request({ cmd: 'text', id: 'x/a', scope: 'mine' })).header).toMatchObject({ ok: true });
  expect((await own.request({ cmd: 'status', id: '@', scope: 'mine' })).header).toMatchObject({ id: 'x/b' });
});

test('as many waits as a client may have keep no other client from a host', async () => {
  const { raw } = await sharedGateway();
  const sockets = [raw(), raw(), raw()];
  await sockets[0]?.request({ cmd: 'create', host: 'x', name: 'a', cmd_args: ['cat'] });
  for (const socket of sockets.slice(0, 2)) {
    for (let req = 0; req < 120; req++) {
      socket.write(
        `${JSON.stringify({ cmd: 'wait', req, id: 'x/a', until: { text: 'never' }, timeout_ms: 60_000 })}\n`,
      );
    }
  }
  // A request in order overtakes none of those that are under way: it is answered at once.
  for (let i = 0; i < 3; i++) {
    expect((await sockets[2]?.request({ cmd: 'status', id: 'x/a' }))?.header).toMatchObject({ ok: true });
  }
});

test('the death of the gateway is the end of its clients, for the daemons', async () => {
  const own = await gateway();
  const { address, ask } = await clients(own, 'x');
  await ask({
    cmd: 'trigger',
    ...address,
    when: [{ disconnected: true }],
    do: [{ label: { set: { left: 'alone' } } }],
  });
  own.server.process.kill('SIGKILL');
  const direct = new RawConnection(own.dir.join('x', 't4a.sock'));
  onTestFinished(() => direct.close());
  await eventually(async () =>
    expect((await direct.request({ cmd: 'status', id: 'a' })).header).toMatchObject({ labels: { left: 'alone' } }),
  );
});
