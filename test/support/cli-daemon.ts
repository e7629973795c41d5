/** A daemon for the tests of one file, and the command line that speaks to it. */
import { afterAll, beforeAll, expect } from 'vitest';
import { type CliOptions, type CliResult, IS_BY_CLIENT, runCli } from './cli.js';
import { runBesideAnother } from './beside-another.js';
import { runCliHere } from './cli-in-process.js';
import { startDaemon, type TestDaemon } from './daemon.js';
import { EventStream } from './wait-for.js';

export interface CliDaemon {
  readonly daemon: TestDaemon;
  t4a(args: readonly string[], options?: CliOptions): Promise<CliResult>;
  /** Standard output of a command that must succeed, and say nothing on standard error. */
  output(args: readonly string[], options?: CliOptions): Promise<string>;
  reply(args: readonly string[], options?: CliOptions): Promise<Record<string, unknown>>;
  /** The id of a new terminal. */
  create(...args: string[]): Promise<string>;
  /** A terminal whose program has printed that (as of printf) and ended. */
  printed(text: string): Promise<string>;
}

/** The built command line. To be called once, at the top of a test file. */
export function useCliDaemon(env: Record<string, string> = {}): CliDaemon {
  return commandLine(runCli, env);
}

/**
 * The same in the process of the test, for files whose subject is neither the build nor the process: beside another command line that
 * runs there for another caller, of which neither may see anything.
 */
export function useCommandLine(env: Record<string, string> = {}): CliDaemon {
  return commandLine(IS_BY_CLIENT ? runCli : runBesideAnother, env);
}

function commandLine(runAs: typeof runCli, env: Record<string, string>): CliDaemon {
  let started: TestDaemon | undefined;
  beforeAll(async () => {
    started = await startDaemon({ env });
    if (IS_BY_CLIENT) await (await import('./both-ways.js')).startHostOf(started.socketPath);
  });
  afterAll(() => started?.stop());

  const cli: CliDaemon = {
    get daemon() {
      if (started === undefined) throw new Error('the daemon runs only while the tests do');
      return started;
    },
    t4a: (args, options = {}) => runAs(args, { socketPath: cli.daemon.socketPath, ...options }),
    async output(args, options) {
      const { status, stdout, stderr } = await cli.t4a(args, options);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      return stdout;
    },
    reply: async ([command = '', ...args], options) =>
      JSON.parse(await cli.output([command, '--json', ...args], options)) as Record<string, unknown>,
    async create(...args) {
      const { status, stdout, stderr } = await runCliHere(['create', ...args], { socketPath: cli.daemon.socketPath });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      return stdout.trim();
    },
    async printed(text) {
      const events = await EventStream.open(cli.daemon.socketPath, { types: ['exit'] });
      const id = await cli.create('printf', text);
      await events.until('exit', (event) => event['terminal'] === id);
      events.close();
      return id;
    },
  };
  return cli;
}
