import { expect, test } from 'vitest';
import { openRig } from '../../support/rig.js';

test('output and queries of a program are reported until the lists are cleared', async () => {
  const rig = openRig();
  const id = await rig.printed('\x1b[>9;9Z\x1b[c\x1b[c\x1b[>9;9Z');
  const told = await rig.ask('debug', { id, tail_bytes: 4 });
  const { rev } = rig.terminal(id).screen;
  expect(told).toMatchObject({
    ok: true,
    unhandled: { sequences: [{ kind: 'csi', text: 'CSI >9;9Z', hex: '1b5b3e393b395a', count: 2, rev: 0 }], dropped: 0 },
    queries: {
      seen: [{ kind: 'csi', count: 2, answered: true, answer: expect.stringContaining('[') as string }],
      dropped: 0,
    },
    output: { base64: Buffer.from('9;9Z').toString('base64'), bytes: 20 },
    termios: null,
    foreground: null,
    shell: null,
    pending_output_bytes: 0,
    pending_input_bytes: 0,
    rev,
  });
  expect(await rig.ask('debug', { id, clear: true })).toMatchObject({ unhandled: { sequences: [{}] } });
  expect(await rig.ask('debug', { id })).toMatchObject({ unhandled: { sequences: [] }, queries: { seen: [] } });
});

test('a running terminal has a line discipline and a foreground process', async () => {
  const rig = openRig();
  const id = await rig.showing();
  expect(await rig.ask('debug', { id })).toMatchObject({
    termios: { flags: { icanon: false, echo: false } },
    foreground: expect.anything() as unknown,
    queries: { seen: [] },
  });
});

test.each([
  ['7777;shell;zsh', { name: 'zsh', integration: 'on' }],
  ['7777;shell;bash;off=because', { name: 'bash', integration: 'off', reason: 'because' }],
])('a shell that has printed %j is reported as %j', async (said, shell) => {
  const rig = openRig();
  const id = await rig.printed(`\x1b]${said}\x07`);
  expect((await rig.ask('debug', { id }))['shell']).toEqual(shell);
});
