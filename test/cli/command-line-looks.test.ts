/** Commands that wait, read and write pictures, with a daemon in the process of the test. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Params, Reply } from '../../src/protocol/registry.js';
import type { Handlers } from '../../src/rpc/service.js';
import { served } from '../support/command-line.js';
import { onTerminal } from '../support/host.js';
import { tempDir } from '../support/temp-dir.js';
import { textReply } from '../support/test-handlers.js';

interface Asked {
  readonly asked: [string, unknown][];
  readonly handlers: Partial<Handlers>;
}

/** A terminal of which pictures are taken, whose waits end like this. */
function terminal(outcome: Reply<'wait'>['outcome'] = 'matched'): Asked {
  const asked: [string, unknown][] = [];
  const waited = { outcome, elapsed_ms: 5, tail: ['last'], rev: 1 };
  const answered = (command: string, { id, wait, observe }: Asking, own: object): object => {
    asked.push([command, { id, ...(wait && { until: wait.until, timeout_ms: wait.timeout_ms }), ...picture(observe) }]);
    const bytes = observe?.screenshot ? { bytes: [Buffer.from(`picture beside ${command}`)] } : {};
    return { reply: { ...own, ...(wait === undefined ? {} : { wait: waited }) }, ...bytes };
  };
  return {
    asked,
    handlers: {
      text: (params) => answered('text', params, textReply(['a']).reply) as never,
      grep: (params) => answered('grep', params, { matches: [], total: 1 }) as never,
      find: (params) => answered('find', params, { matches: [], total: 1 }) as never,
      cursor: (params) => answered('cursor', params, { row: 0, col: 0 }) as never,
      screenshot: ({ id, format, wait }) => {
        asked.push(['screenshot', { id, format, ...(wait && { until: wait.until, timeout_ms: wait.timeout_ms }) }]);
        const fields = { format, width: 1, height: 1, rev: 7, cols: 80, rows: 24 } as unknown as Reply<'screenshot'>;
        return {
          reply: { ...fields, ...(wait === undefined ? {} : { wait: waited }) },
          bytes: [Buffer.from('picture of '), Buffer.from(id)],
        };
      },
      status: () => ({ id: 'build' }) as unknown as Reply<'status'>,
    },
  };
}

type Asking = Pick<Params<'text'>, 'id' | 'wait' | 'observe'>;

function picture(observe: Asking['observe']): object {
  return observe?.screenshot ? { picture: observe.screenshot === true ? 'png' : observe.screenshot.format } : {};
}

describe('a command that reads', () => {
  test('waits, reads and takes a picture in one request', async () => {
    const { asked, handlers } = terminal();
    const t4a = await served(handlers);
    const { join } = tempDir();
    const flags = ['--wait', 'settled=5', '--timeout', '9ms', '--screenshot', join('x.webp')];
    expect(await t4a(['text', 't1', ...flags])).toEqual({ status: 0, printed: 'a\n', noted: '' });
    expect(asked).toEqual([['text', { id: 't1', until: [{ settled_ms: 5 }], timeout_ms: 9, picture: 'webp' }]]);
    expect(readFileSync(join('x.webp'), 'utf8')).toBe('picture beside text');
  });

  test.each([
    ['timeout', 124],
    ['failed', 3],
    ['exited', 4],
  ] as const)('prints its lines even if the wait ended as %s, and exits with %i', async (outcome, status) => {
    const t4a = await served(terminal(outcome).handlers);
    expect(await t4a(['text', 't1', '--wait', 'done'])).toEqual({
      status,
      printed: 'a\n',
      noted: `t4a: The wait ended as ${outcome} after 5 ms.\n  last\n`,
    });
  });

  test('requests a picture without a wait, and neither of them without flags', async () => {
    const { asked, handlers } = terminal();
    const t4a = await served(handlers);
    const { join } = tempDir();
    await t4a(['text', 't1', '--screenshot', join('x.png')]);
    await t4a(['text', 't1']);
    expect(asked).toEqual([
      ['text', { id: 't1', picture: 'png' }],
      ['text', { id: 't1' }],
    ]);
    expect(existsSync(join('x.png'))).toBe(true);
  });

  test.each([
    ['grep', ['x']],
    ['find', ['x']],
    ['cursor', []],
    ['screenshot', ['-o', '-']],
  ] as const)('waits within its own request: %s', async (command, words) => {
    const { asked, handlers } = terminal();
    const t4a = await served(handlers);
    await t4a([command, 't1', ...words, '--wait', 'done']);
    expect(asked).toMatchObject([[command, { id: 't1', until: [{ done: true }] }]]);
  });
});

describe('a command that acts', () => {
  test('waits in the daemon, and exits with the status of the outcome', async () => {
    const sent: unknown[] = [];
    const t4a = await served({
      press: (params) => {
        sent.push(params.wait);
        return { reply: { wait: { outcome: 'exited', elapsed_ms: 5, tail: [] } } } as never;
      },
    });
    const { status, noted } = await t4a(['press', 't1', 'Tab', '--wait', 'exit']);
    expect([status, noted]).toEqual([4, 't4a: The wait ended as exited after 5 ms.\n']);
    expect(sent).toMatchObject([{ until: [{ exit: true }] }]);
  });

  test('writes the last picture of run into its file', async () => {
    const t4a = await served({
      run: () =>
        ({
          reply: { outcome: 'exited', exit_code: 3, signal: null, lines: ['out'], omitted_lines: 0 },
          bytes: [Buffer.from('end')],
        }) as never,
    });
    const { join } = tempDir();
    expect(await t4a(['run', '--screenshot', join('x.png'), 'ls'])).toEqual({ status: 3, printed: 'out\n', noted: '' });
    expect(readFileSync(join('x.png'), 'utf8')).toBe('end');
  });
});

describe('a picture', () => {
  test('is written into the named file, with and without --json', async () => {
    const t4a = await served(terminal().handlers);
    const { join } = tempDir();
    expect(await t4a(['screenshot', 't1', '-o', join('a.png')])).toEqual({ status: 0, printed: '', noted: '' });
    expect(readFileSync(join('a.png'), 'utf8')).toBe('picture of t1');
    const { printed } = await t4a(['screenshot', 't1', '-o', join('b.png'), '--json']);
    expect(JSON.parse(printed)).toMatchObject({ ok: true, rev: 7 });
    expect(readFileSync(join('b.png'), 'utf8')).toBe('picture of t1');
  });

  test('is written to standard output without a file name or with "-", unless that is a terminal', async () => {
    const t4a = await served(terminal().handlers);
    expect((await t4a(['screenshot', 't1'])).printed).toBe('picture of t1');
    expect((await t4a(['screenshot', 't1', '-o', '-'])).printed).toBe('picture of t1');
    const person = onTerminal();
    expect(await t4a(['screenshot', 't1', '-o', '-'], person)).toMatchObject({ status: 2 });
    expect({ printed: person.printed(), noted: person.noted() }).toEqual({
      printed: '',
      noted: expect.stringContaining('A picture is no text for a terminal.') as string,
    });
  });

  test('that has not changed is replaced by a note', async () => {
    const t4a = await served({ screenshot: () => ({ reply: { rev: 7, unchanged: true } }) });
    expect(await t4a(['screenshot', 't1', '--if-rev', '7'])).toEqual({
      status: 0,
      printed: '',
      noted: 'Unchanged since revision 7.\n',
    });
  });

  test('that cannot be written ends with status 2 and an error', async () => {
    const t4a = await served(terminal().handlers);
    const { join } = tempDir();
    writeFileSync(join('file'), '');
    const { status, noted } = await t4a(['screenshot', 't1', '-o', join('file/x.png')]);
    expect([status, noted]).toEqual([2, expect.stringContaining('file/x.png" cannot be written (ENOTDIR)')]);
  });

  test('is shown on a terminal that supports pictures', async () => {
    const t4a = await served(terminal().handlers);
    const person = onTerminal({ env: { TERM_PROGRAM: 'iTerm.app' } });
    await t4a(['screenshot', 't1', '--format', 'png'], person);
    expect(person.printed().startsWith('\x1b]1337;File=inline=1;size=13:')).toBe(true);
  });
});
