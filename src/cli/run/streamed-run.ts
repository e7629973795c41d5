/** `t4a run`: the output is printed while the program runs, all of it, and nothing is kept in between. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../client/client.js';
import type { CallResult } from '../../client/connection.js';
import { hasFeature } from '../../client/envelope.js';
import { isT4aError } from '../../protocol/errors.js';
import type { ParamsInput } from '../../protocol/registry.js';
import type { Invocation } from '../argv/invocation.js';
import type { Host } from '../host.js';
import { LimitedLines } from '../output/limited-lines.js';
import { LiveText } from '../output/live-text.js';
import type { LazyBundles } from '../lazy-bundles.js';
import { PipedOutput } from './piped-output.js';

/** Any length does: the reply comes with the first byte. */
const WAIT_MS = 60_000;
/** Of a new terminal: importing its schema would take longer than a short run. */
const DEFAULT_COLS = 80;
const DEFAULT_ROWS = 24;
const CHUNK_BYTES = 256 * 1024;
const AGAIN_MS = 20;

interface Printer {
  write(bytes: Uint8Array): void | Promise<void>;
  end(): void;
}

/** Whether the output can be read as it comes: that of a new terminal, by a daemon that has it. */
export function isStreamed({ params }: Invocation, { daemon }: Client): boolean {
  return params['id'] === undefined && hasFeature(daemon, 'stream');
}

/**
 * For `--json`: its key is the only way to the terminal for Ctrl+C, and the command would wait for a reader. What is read is in the
 * reply.
 */
export function runUnprinted(
  client: Client,
  params: ParamsInput<'run'> & { readonly stream: string },
): Promise<CallResult<'run'>> {
  return readToItsEnd(client, params, { write() {}, end() {} }, {});
}

/** @returns the reply, all of whose output is printed @throws T4aError; ClosedOutput, whereupon the run has to be left */
export async function runStreamed(
  client: Client,
  params: ParamsInput<'run'> & { readonly stream: string },
  host: Host,
  bundles: LazyBundles,
): Promise<CallResult<'run'>> {
  return readToItsEnd(client, { ...params, max_lines: 1 }, printerFor(host, params, bundles), host);
}

async function readToItsEnd(
  client: Client,
  params: ParamsInput<'run'> & { readonly stream: string },
  printer: Printer,
  host: Pick<Host, 'drained'>,
): Promise<CallResult<'run'>> {
  const { stream } = params;
  const ran = client.call('run', params).then((reply) => ({ reply }));
  let isOver = false;
  const over = (): unknown => (isOver = true);
  ran.then(over, over);
  let since = 0;
  const ask = async (): Promise<{ readonly output: CallResult<'output'> }> => {
    for (;;) {
      try {
        return {
          output: await client.call('output', { run: stream, since, max_bytes: CHUNK_BYTES, wait_ms: WAIT_MS }),
        };
      } catch (error) {
        // A daemon that takes over may be asked for the output before it is asked to go on with the run.
        if (isOver || !isT4aError(error) || error.code !== 'run_not_found') throw error;
        await delay(AGAIN_MS);
      }
    }
  };
  let end = Number.POSITIVE_INFINITY;
  let asked = ask();
  // The error of `run` is the one that counts.
  asked.catch(() => {});
  let result: CallResult<'run'> | undefined;
  while (since < end) {
    const got = await Promise.race(result === undefined ? [ran, asked.catch(() => ran)] : [asked]);
    if ('reply' in got) {
      result = got.reply;
      end = result.output_bytes;
      continue;
    }
    const { bytes, next, ended } = got.output;
    if (bytes !== undefined) await printer.write(bytes);
    await host.drained?.();
    since = next;
    // Nothing comes after it but the reply.
    if (ended) break;
    asked = ask();
    asked.catch(() => {});
  }
  printer.end();
  return result ?? (await ran).reply;
}

/** Into a file or a pipe go whole lines; on a person's terminal all appears at once, with its colours. */
function printerFor(host: Host, params: ParamsInput<'run'>, bundles: LazyBundles): Printer {
  const { cols = DEFAULT_COLS, rows = DEFAULT_ROWS, max_lines: maxLines } = params;
  if (host.stdoutIsTerminal && maxLines === undefined) return new LiveText((bytes) => host.out(bytes));
  const limited = maxLines === undefined ? undefined : new LimitedLines(maxLines, host);
  const print = (text: string): void => {
    if (limited === undefined) host.out(text);
    else for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) limited.print(line);
  };
  const finalLines = async () => (await bundles.lines()).FinalLines;
  const lines = new PipedOutput({ size: { cols, rows }, finalLines, print });
  return {
    write: (bytes) => lines.write(bytes),
    end() {
      lines.end();
      limited?.end();
    },
  };
}
