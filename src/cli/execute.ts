/** One invocation, one request, its reply printed. */
import { connect, connectAndCall, type Client } from '../client/client.js';
import type { CallArguments, CallName } from '../client/connection.js';
import { LAST_TERMINAL } from './argv/commands.generated.js';
import { noteElsewhere } from './elsewhere.js';
import { exitStatusOf } from './exit-status.js';
import { looksFirst, lookFirst } from './look-first.js';
import type { Invocation } from './argv/parse.js';
import { replyLine } from './present/fields.js';
import { settingOf, withSettings } from './settings.js';
import { PREPARE, PRESENT, type Fields } from './presenters.js';
import { shutDown } from './shut-down.js';
import type { Surroundings } from './host.js';
import { writePicture } from './output/write-picture.js';

/** A question about the daemon must not be answered by one that it started. */
const STARTS_NOTHING: readonly string[] = ['ping', 'stats', 'shutdown'];

/** @returns the exit status @throws T4aError */
export async function execute(given: Invocation, surroundings: Surroundings): Promise<number> {
  const invocation = withSettings(withTerminal(given, surroundings), surroundings);
  const { name } = invocation.command;
  const socketPath = settingOf('socket', invocation.options['socket'], surroundings).value as string | undefined;
  if (name === 'shutdown') return shutDown(socketPath, surroundings);

  const noted = (client: Client): Client => (socketPath === undefined ? noteElsewhere(client, surroundings) : client);
  const options = { socketPath, autoStart: !STARTS_NOTHING.includes(name) };
  let connected: Promise<Client> | undefined;
  const client = (): Promise<Client> => (connected ??= connect(options).then(noted));
  const tell =
    invocation.options['verbose'] === true ? (text: string) => surroundings.note(`t4a: ${text}\n`) : () => {};
  const startedMs = uptimeMs();
  const params = (await PREPARE[name]?.(invocation, surroundings, client)) ?? invocation.params;
  if (name === 'events') return streamEvents(await client(), params, surroundings);
  // The table was made from the very schemas that these types come from; the daemon checks the values.
  const request = [name as CallName, params] as unknown as [CallName, ...CallArguments<CallName>];
  const isFirst = connected === undefined && !looksFirst(invocation);
  const early = isFirst && mayBeAskedTwice(invocation, params) ? await connectAndCall(options, ...request) : undefined;
  const asked = early === undefined ? await client() : noted(early.client);
  tell(`connected to ${asked.socketPath} after ${since(startedMs)}`);
  const waited = looksFirst(invocation) ? await lookFirst(asked, invocation, params, surroundings) : 0;
  const reply = await (early?.result ?? asked.call(...request));
  const shown = await show(invocation, params, reply, surroundings);
  const status = waited || shown;
  tell(`"${name}" was done after ${since(startedMs)}, exit status ${status}`);
  return status;
}

function since(startedMs: number): string {
  return `${(uptimeMs() - startedMs).toFixed(1)} ms`;
}

/** The first use of `performance` loads ten modules of Node's. */
function uptimeMs(): number {
  return process.uptime() * 1000;
}

/** Where no terminal is named: the one that the CLI runs in, else the one used last. */
function withTerminal(invocation: Invocation, { env }: Surroundings): Invocation {
  const takesId = invocation.command.positionals[0]?.field === 'id';
  if (!takesId || invocation.params['id'] !== undefined) return invocation;
  return { ...invocation, params: { ...invocation.params, id: env['T4A_TERMINAL'] || LAST_TERMINAL } };
}

/** What reads; and what is about a terminal, which a daemon that was started since does not know. */
function mayBeAskedTwice({ command }: Invocation, params: Fields): boolean {
  return command.name === 'list' || params['id'] !== undefined;
}

/** @returns the exit status */
async function show(
  invocation: Invocation,
  params: Fields,
  { bytes, ...reply }: Fields,
  surroundings: Surroundings,
): Promise<number> {
  const { command, options } = invocation;
  const answer = { invocation, params, reply, bytes: bytes instanceof Uint8Array ? bytes : undefined };
  const picture = pictureFile(invocation);
  if (picture !== undefined && answer.bytes !== undefined) writePicture(picture, answer.bytes);
  if (options['json'] === true) surroundings.out(replyLine(answer));
  else await PRESENT[command.name]?.(answer, surroundings);
  return exitStatusOf(command.name, answer.reply, surroundings);
}

/** The file that a picture goes to whatever else is printed. */
function pictureFile({ options }: Invocation): string | undefined {
  const path = options['output'] ?? options['screenshot'];
  return typeof path === 'string' && path !== '-' ? path : undefined;
}

async function streamEvents(client: Client, params: Fields, surroundings: Surroundings): Promise<number> {
  const { ack, ...filter } = params;
  const events = client.events(filter);
  if (ack === true) surroundings.out(`${JSON.stringify({ ok: true, seq: await events.subscribed })}\n`);
  for await (const event of events) surroundings.out(`${JSON.stringify(event)}\n`);
  return 0;
}
