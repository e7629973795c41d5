import { describe, expect, test } from 'vitest';
import { openRig } from '../../support/rig.js';

describe('a command in a new terminal', () => {
  test('is either a shell line or the words of a program', async () => {
    const rig = openRig();
    expect(await rig.ask('run', { command: 'echo a b; exit 3' })).toMatchObject({
      ok: true,
      outcome: 'exited',
      exit_code: 3,
      signal: null,
      lines: ['a b'],
      omitted_lines: 0,
      lost_lines: 0,
    });
    expect(await rig.ask('run', { cmd_args: ['/bin/echo', 'a  b', '$HOME'] })).toMatchObject({
      exit_code: 0,
      lines: ['a  b $HOME'],
    });
    for (const fields of [{}, { command: 'true', cmd_args: ['true'] }]) {
      expect(await rig.ask('run', fields)).toMatchObject({ code: 'invalid_field', field: 'cmd_args' });
    }
    expect(rig.daemon.core.terminals.size).toBe(0);
  });

  test('has the requested terminal, and its lost output is counted', async () => {
    const rig = openRig();
    const command = 'printf "%s\\n" "$WHO" 2 3 4 5 6 7 8';
    const reply = await rig.ask('run', {
      command,
      rows: 3,
      cols: 15,
      scrollback: 2,
      env: { WHO: 'me' },
      max_lines: 3,
    });
    expect(reply).toMatchObject({ lines: ['5', '6', '8'], omitted_lines: 1, lost_lines: 4 });
    expect(await rig.ask('run', { command: 'echo x; printf "\\033[?1049h"', rows: 1 })).toMatchObject({
      lost_lines: 1,
    });
    expect(await rig.ask('run', { command: 'pwd; stty size', cwd: '/', cols: 31, rows: 7 })).toMatchObject({
      lines: ['/', '7 31'],
    });
  });

  test('counts what was erased with the screen, scrolled out of a region and shifted away', async () => {
    const rig = openRig();
    for (const [command, lost, lines] of [
      ['seq 5; printf "\\033[2J\\033[H"; echo x', 5, ['x']],
      ['seq 30; printf "\\033[H\\033[2J\\033[3J"; echo x', 30, ['x']],
      ['seq 5; printf "\\033[2J\\033[H"; seq 5; printf "\\033[2J\\033[H"; seq 2', 10, ['1', '2']],
      ['seq 5; printf "\\033c"; echo x', 5, ['x']],
      ['printf "\\033[2;5r\\033[2H"; seq 12; printf "\\033[r"', 9, ['', '10', '11', '12']],
      ['printf "\\033[2;5r\\033[5H"; seq 12; printf "\\033[r"', 9, ['', '10', '11', '12']],
      [
        'printf "\\033[3;8r\\033[5Ha\\n\\nb\\033[8H\\n\\n\\n\\n\\033[r\\033[9Hx"',
        1,
        ['', '', 'b', '', '', '', '', '', 'x'],
      ],
      ['printf "\\033[3;8r\\033[4Ha\\033[4S\\033[r\\033[9Hx"', 1, ['', '', '', '', '', '', '', '', 'x']],
      ['seq 8; printf "\\033[3A\\033[2M\\033[9H"; echo x', 2, ['1', '2', '3', '4', '5', '8', '', '', 'x']],
      ['printf "\\033[2;5r\\033[H\\033[2J"; seq 12; printf "\\033[r\\033[6H"', 8, ['1', '10', '11', '12']],
      ['seq 8; printf "\\033[3H\\033[4L\\033[3Hx\\n"', 2, ['1', '2', 'x', '', '', '', '3', '4', '5', '6']],
      ['seq 9; printf "\\033[H\\033M\\033M\\033M"', 2, ['', '', '', '1', '2', '3', '4', '5', '6', '7']],
      ['seq 9; printf "\\033[3T"', 2, ['', '', '', '1', '2', '3', '4', '5', '6', '7']],
      ['seq 9; printf "\\033[2;5r\\033[2H\\033M\\033[r\\033[10H"', 1, ['1', '', '2', '3', '4', '6', '7', '8', '9']],
      ['seq 20', 0, Array.from({ length: 20 }, (_, i) => String(i + 1))],
    ] as const) {
      expect(await rig.ask('run', { command, cols: 40, rows: 10 }), command).toMatchObject({ lost_lines: lost, lines });
    }
  });

  test('is ended at its deadline', async () => {
    const rig = openRig();
    const reply = await rig.ask('run', { command: 'exec cat', timeout_ms: 100, keep: true });
    expect(reply).toMatchObject({ ok: true, outcome: 'timeout' });
    expect(reply['exit_code'] === null).toBe(reply['signal'] !== null);
    expect(rig.terminal(String(reply['id'])).alive).toBe(false);
    expect(await rig.ask('run', { command: 'exit 0', timeout_ms: 60_000 })).toMatchObject({ outcome: 'exited' });
  });

  test('is kept only on request, and not after its client has gone', async () => {
    const rig = openRig();
    const kept = await rig.ask('run', { command: 'exit 4', keep: true });
    expect(rig.daemon.core.terminals.all().map(({ id }) => id)).toEqual([kept['id']]);
    const controller = new AbortController();
    const gone = rig.send('run', { command: 'echo begun; exec cat', keep: true }, controller.signal);
    controller.abort();
    await gone;
    expect(rig.daemon.core.terminals.all().map(({ id }) => id)).toEqual([kept['id']]);
    expect(await rig.ask('run', { command: 'exit 0', keep: false })).toMatchObject({ ok: true });
    expect(rig.daemon.core.terminals.size).toBe(1);
  });

  test('reports the signal that ended it, and the number of the last event', async () => {
    const rig = openRig();
    const reply = await rig.ask('run', { command: 'kill -9 $$', keep: true });
    expect(reply).toMatchObject({ exit_code: null, signal: 'SIGKILL', seq: rig.daemon.core.bus.lastSeq });
  });
});

describe('a command in an existing terminal', () => {
  test.each([
    'cols',
    'rows',
    'cwd',
    'env',
    'inherit_env',
    'keep_agent_env',
    'scrollback',
    'term',
    'shell_integration',
    'idle_timeout_ms',
  ])('refuses "%s", which applies to new terminals', async (field) => {
    const rig = openRig();
    const value =
      { cwd: '/', env: {}, inherit_env: true, keep_agent_env: true, shell_integration: true, term: 'xterm' }[field] ??
      50;
    expect(await rig.ask('run', { id: 't1', command: 'true', [field]: value })).toMatchObject({
      code: 'invalid_field',
      field,
    });
  });

  test('is refused if no mark shows a prompt', async () => {
    const rig = openRig();
    const id = await rig.showing();
    expect(await rig.ask('run', { id, command: 'true' })).toMatchObject({ ok: false });
    expect(await rig.ask('run', { id })).toMatchObject({ code: 'invalid_field', field: 'cmd_args' });
    expect(await rig.ask('run', { id: 'nobody', command: 'true' })).toMatchObject({ code: 'terminal_not_found' });
    expect(rig.daemon.core.terminals.size).toBe(1);
  });
});
