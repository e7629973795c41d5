/** vtr's API and control: a terminal that another name has takes nothing over gRPC but what a person forces. */
import { status as Status } from '@grpc/grpc-js';
import { describe, expect, test } from 'vitest';
import { useCommandLine } from '../support/cli-daemon.js';
import { request } from '../support/daemon.js';
import { vtr } from '../support/grpc.js';
import { ofFile } from '../support/of-file.js';

const cli = useCommandLine();

const serve = ofFile((atEnd) => vtr(cli.daemon.socketPath, [], atEnd));
const ask = (fields: object) => request(cli.daemon, fields);

let count = 0;

/** A session that ada, a person, has. */
async function held(): Promise<string> {
  const { call } = await serve();
  const name = `held-${++count}`;
  await call('Spawn', { name, command: 'stty raw -echo; printf ready; exec cat -v' });
  await cli.output(['wait', name, '--text', 'ready']);
  expect(await ask({ cmd: 'control', id: name, action: 'take', as: 'ada', person: true })).toMatchObject({ ok: true });
  return name;
}

const INPUT: readonly [method: string, fields: object][] = [
  ['SendText', { text: 'x' }],
  ['SendKey', { key: 'x' }],
  ['SendKey', { key: 'ctrl+c' }],
  ['SendBytes', { data: Buffer.from('x') }],
  ['Resize', { cols: 100, rows: 30 }],
];

const REFUSED = {
  code: Status.FAILED_PRECONDITION,
  details: expect.stringMatching(/^CONTROL_HELD: .* is in the hands of ada, a person, for \d+ s: nothing/) as string,
};

describe('a session that a person has', () => {
  test.each([...INPUT, ['Kill', {}], ['Kill', { signal: 'INT' }], ['Remove', {}]] as const)(
    'takes no %s of another: %o',
    async (method, fields) => {
      const { call, refusal } = await serve();
      const name = await held();
      for (const said of [{}, { 't4a-as': 'claude' }])
        expect(await refusal(method, { name, ...fields }, said)).toEqual(REFUSED);
      expect(await ask({ cmd: 'status', id: name })).toMatchObject({ alive: true, cols: 80, inputs: 0 });
      const { session } = await call('Info', { name });
      expect(session).toMatchObject({ status: 'SESSION_STATUS_RUNNING' });
      expect(await call('GetScreen', { name })).toMatchObject({ cols: 80 });
    },
  );

  test('takes what its holder sends, by t4a-as', async () => {
    const { call } = await serve();
    const name = await held();
    await call('SendText', { name, text: 'mine' }, { 't4a-as': 'ada' });
    await cli.output(['wait', name, '--text', 'readymine']);
    await call('Remove', { name }, { 't4a-as': 'ada' });
    expect(await ask({ cmd: 'status', id: name })).toMatchObject({ code: 'terminal_not_found' });
  });

  test('is ended by t4a-force: by a signal, and with its programs', async () => {
    const { call } = await serve();
    const name = await held();
    await call('Kill', { name, signal: 'KILL' }, { 't4a-force': 'true' });
    await cli.output(['wait', name, '--exit', '--no-status']);
    const other = await held();
    await call('Remove', { name: other }, { 't4a-force': 'true' });
    expect(await ask({ cmd: 'status', id: other })).toMatchObject({ code: 'terminal_not_found' });
  });

  test('takes no input by t4a-force', async () => {
    const { refusal } = await serve();
    const name = await held();
    for (const [method, fields] of INPUT) {
      expect(await refusal(method, { name, ...fields }, { 't4a-force': 'true' })).toMatchObject({
        code: Status.INVALID_ARGUMENT,
        details: `INVALID_ARGUMENT: t4a-force is for Kill and Remove, not for ${method}.`,
      });
    }
    expect(await ask({ cmd: 'status', id: name })).toMatchObject({ inputs: 0, cols: 80 });
  });
});

test('the author of a session is the one of t4a-as', async () => {
  const { call } = await serve();
  await call('Spawn', { name: 'owned', command: 'exec cat' }, { 't4a-as': 'claude' });
  expect(await ask({ cmd: 'status', id: 'owned' })).toMatchObject({ owner: 'claude' });
});

test.each([
  [{ 't4a-force': 'yes' }, 't4a-force is "yes"'],
  [{ 't4a-force': '' }, 't4a-force is ""'],
  [{ 't4a-force': ['true', 'true'] }, 't4a-force is "true, true"'],
  [{ 't4a-forced': 'true' }, 'There is no metadata "t4a-forced"'],
  [{ 't4a-as': ['ada', 'claude'] }, 'as'],
  [{ 't4a-as': '' }, 'as'],
  [{ 't4a-as': 'x'.repeat(1000) }, 'as'],
])('metadata %o is refused, and nothing is done', async (said, says) => {
  const { refusal } = await serve();
  const name = await held();
  expect(await refusal('Kill', { name, signal: 'KILL' }, said)).toMatchObject({
    code: Status.INVALID_ARGUMENT,
    details: expect.stringContaining(says) as string,
  });
  expect(await ask({ cmd: 'status', id: name })).toMatchObject({ alive: true });
});
