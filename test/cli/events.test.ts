/** `t4a events`, built, against a real daemon. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { streamCli } from '../support/cli.js';
import { request, startDaemon } from '../support/daemon.js';
import { useCliDaemon } from '../support/cli-daemon.js';

const cli = useCliDaemon();

describe('events', () => {
  test('are printed one per line as they happen', async () => {
    const id = await cli.create('cat');
    const events = streamCli(['events', id, '--ack', '--types', 'bell,removed'], { socketPath: cli.daemon.socketPath });
    expect(JSON.parse(await events.line())).toMatchObject({ ok: true });
    await cli.output(['send', id, '\\x07\\n']);
    expect(JSON.parse(await events.line())).toMatchObject({ event: 'bell', terminal: id });
    await cli.output(['kill', id]);
    let last: unknown;
    do last = JSON.parse(await events.line());
    while ((last as { event: string }).event !== 'removed');
    expect(await events.ended()).toEqual({
      status: 0,
      stderr: 't4a: The terminal was removed: it has no further events.\n',
    });
  });

  test('of a terminal end with its removal, which is printed only if it is asked for', async () => {
    const id = await cli.create('cat');
    const args = ['events', id, '--ack', '--types', 'resized'];
    const events = streamCli(args, { socketPath: cli.daemon.socketPath });
    await events.line();
    await cli.output(['resize', id, '70', '20']);
    expect(JSON.parse(await events.line())).toMatchObject({ event: 'resized' });
    await cli.output(['kill', id]);
    expect(await events.ended()).toMatchObject({ status: 0 });
    await expect(events.line()).rejects.toThrow();
  });

  test.each(['killed', 'shut down'])('end with an error when the daemon is %s', async (how) => {
    const daemon = await startDaemon();
    onTestFinished(() => daemon.stop());
    const events = streamCli(['events', '--ack', '--types', 'bell'], { socketPath: daemon.socketPath });
    await events.line();
    if (how === 'killed') daemon.process.kill('SIGKILL');
    else await request(daemon, { cmd: 'shutdown' });
    const { status, stderr } = await events.ended();
    expect(stderr).toContain('The daemon has closed the stream of events');
    expect(status).toBe(1);
  });

  test('end quietly when their reader is gone', async () => {
    const id = await cli.create('cat');
    const events = streamCli(['events', id, '--ack'], { socketPath: cli.daemon.socketPath });
    await events.line();
    events.process.stdout?.destroy();
    await cli.output(['resize', id, '70', '20']);
    expect(await events.ended()).toEqual({ status: 0, stderr: '' });
  });

  test('end quietly at Ctrl+C', async () => {
    const events = streamCli(['events', '--ack'], { socketPath: cli.daemon.socketPath });
    await events.line();
    events.process.kill('SIGINT');
    expect(await events.ended()).toEqual({ status: 'SIGINT', stderr: '' });
  });

  test('of a missing terminal are refused', async () => {
    expect(await cli.t4a(['events', 'nobody'])).toMatchObject({ status: 4, stdout: '' });
  });
});
