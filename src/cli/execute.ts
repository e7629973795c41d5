/** One invocation, one request, its reply printed. */
import { connect, connectAndCall, type Client } from '../client/client.js';
import type { CallArguments, CallName } from '../client/connection.js';
import { askerOf } from './asker.js';
import { LAST_TERMINAL } from './argv/commands.generated.js';
import type { Fields, Invocation } from './argv/invocation.js';
import { isOfNoTerminal } from './prepare/wait.js';
import { hintHere } from './hints.js';
import { noteElsewhere } from './elsewhere.js';
import { exitStatusOf, LOOK_FAILED } from './exit-status.js';
import type { Host } from './host.js';
import type { LazyBundles } from './lazy-bundles.js';
import { isT4aError, T4aError } from '../protocol/errors.js';
import { printable } from './output/printable.js';
import { checkOutput, writePicture } from './output/write-picture.js';
import { prepare } from './prepare/prepare.js';
import type * as allHosts from './present/all-hosts.js';
import { presenterOf } from './present/presenters.js';
import { replyLine } from './present/reply.js';
import { type EndedWait, noteWait } from './present/turn.js';
import { isPatternOrFleet, needsOneHost } from '../fleet/host-pattern.js';
import { withSettings } from './settings.js';
import { elsewhere, onlyReads, type Target, targetOf } from './target.js';

/** Carries out a command on the daemon that is meant. @returns the exit status @throws T4aError */
export async function execute(given: Invocation, host: Host, bundles: LazyBundles): Promise<number> {
  if (given.command.name === 'entries') {
    const { entryFileOf, readEntryFile } = await import('./local/entry-file.js');
    const file = await entryFileOf(given, host);
    if (file !== undefined) return readEntryFile(file, given, host);
  }
  if (given.command.name === 'report') {
    const { reportOfHook } = await import('./local/report.js');
    const status = await reportOfHook(given, host, bundles);
    if (status !== undefined) return status;
  }
  // Of `list` and `events`: that of `kill` is a field.
  if (given.options['all'] === true) return (await manyHosts()).executeOnAll(given, host, bundles);
  const { on } = given.options as { readonly on?: string };
  if (isPatternOrFleet(on)) {
    if (ON_ALL.has(given.command.name)) return (await manyHosts()).executeOnAll(given, host, bundles);
    if (!ON_ONE.has(given.command.name)) throw needsOneHost(on);
    const one = await (await manyHosts()).onOneOf(on, given, host, bundles);
    return executeAt(await targetOf(one, host, bundles), host, bundles);
  }
  try {
    return await executeAt(await targetOf(given, host, bundles), host, bundles);
  } catch (error) {
    // Nothing was done, nor read from standard input.
    const other = await elsewhere(error, given, host, bundles);
    if (other === undefined) throw error;
    return executeAt(await targetOf(other, host, bundles), host, bundles);
  }
}

function manyHosts(): Promise<typeof allHosts> {
  return import('./present/all-hosts.js');
}

/** Commands for which a pattern of hosts means all of them, and not any one. */
const ON_ALL: ReadonlySet<string> = new Set(['list', 'events']);
const ON_ONE: ReadonlySet<string> = new Set(['create', 'run']);

async function executeAt({ invocation: given, daemon }: Target, host: Host, bundles: LazyBundles): Promise<number> {
  const invocation = withSettings(withTerminal(given, host), host);
  const { command } = invocation;
  const isNamed = daemon.socketPath !== undefined || daemon.route !== undefined;

  const noted = (client: Client): Client => (isNamed ? client : noteElsewhere(client, host));
  const asker = askerOf(invocation.options, host);
  const anyProtocol = command.name === 'replace';
  const options = { ...daemon, autoStart: command.startsNoDaemon !== true, anyProtocol, ...asker, kept: host.kept };
  let connected: Promise<Client> | undefined;
  const client = (): Promise<Client> => (connected ??= connect(options).then(noted));
  const log = invocation.options['verbose'] === true ? (text: string) => host.note(`t4a: ${text}\n`) : () => {};
  const startedMs = uptimeMs();
  const picture = pictureFile(invocation);
  if (picture !== undefined) await checkOutput(picture, host);
  const params = await prepare(invocation, host, client);
  if (command.streams === true) return streamEvents(await client(), params, host);
  if (invocation.options['follow'] === true) {
    const follow =
      command.name === 'entries'
        ? (await import('./present/entries.js')).followEntries
        : (await import('./present/follow-output.js')).followOutput;
    return follow(await client(), invocation, params, host);
  }
  // The table was made from the very schemas that these types come from; the daemon checks the values.
  const request = [command.name as CallName, params] as unknown as [CallName, ...CallArguments<CallName>];
  const answer = async (asked: Client, early?: Promise<Fields>): Promise<Fields> =>
    command.name === 'run'
      ? (await import('./run/run.js')).run(asked, invocation, params, host, bundles)
      : (early ?? asked.call(...request));
  const early =
    connected === undefined && mayBeAskedTwice(invocation, params)
      ? await connectAndCall(options, ...request)
      : undefined;
  const asked = early === undefined ? await client() : noted(early.client);
  log(`connected to ${asked.socketPath} after ${since(startedMs)}`);
  let reply: Fields;
  try {
    reply = await answer(asked, early?.result);
  } catch (error) {
    if (!isOfNewShell(error, host)) throw error;
    reply = await answer(await connect({ ...options, scope: '' }));
  }
  const status = await show(invocation, params, reply, host).catch((error: unknown) => {
    // Not ours, but that of a far daemon.
    if (asked.isFar && error instanceof TypeError) throw malformed(asked, command.name);
    throw error;
  });
  log(`"${command.name}" was done after ${since(startedMs)}, exit status ${status}`);
  return status;
}

/** "@" of a shell in which no terminal was made or named is the latest of all; nothing was done. A scope that was set has none then. */
function isOfNewShell(error: unknown, { env }: Host): boolean {
  const isUnnamed = isT4aError(error) && error.code === 'terminal_not_found' && error.details.field === 'scope';
  return isUnnamed && !env['T4A_SCOPE'];
}

function malformed({ socketPath }: Client, command: string): T4aError {
  return new T4aError('host_unreachable', `The reply of ${JSON.stringify(socketPath)} to "${command}" is malformed.`);
}

function since(startedMs: number): string {
  return `${(uptimeMs() - startedMs).toFixed(1)} ms`;
}

/** The first use of `performance` loads ten modules of Node's. */
function uptimeMs(): number {
  return process.uptime() * 1000;
}

/** Invocation with a terminal. Without an id it is the one that the command line runs in, else the one used last. */
function withTerminal(invocation: Invocation, { env }: Host): Invocation {
  const own = invocation.options['on'] === undefined ? env['T4A_TERMINAL'] : undefined;
  const [first] = invocation.command.positionals;
  // What ends terminals has to name them.
  const takesId = first?.field === 'id' && first.rest !== true;
  const isNamed = invocation.params['id'] !== undefined || invocation.params['where'] !== undefined;
  const needsNone = invocation.command.name === 'wait' && isOfNoTerminal(invocation.options);
  if (!takesId || isNamed || needsNone) return invocation;
  return { ...invocation, params: { ...invocation.params, id: own || LAST_TERMINAL } };
}

/** A request that reads, or one about a terminal, which a daemon that was started since does not have. */
function mayBeAskedTwice({ command }: Invocation, params: Fields): boolean {
  if (command.name === 'run') return false;
  return onlyReads(command, params) || params['id'] !== undefined;
}

/** @returns the exit status */
async function show(invocation: Invocation, params: Fields, { bytes, ...reply }: Fields, host: Host): Promise<number> {
  const { command, options } = invocation;
  const answer = { invocation, params, reply, bytes: bytes instanceof Uint8Array ? bytes : undefined };
  const picture = pictureFile(invocation);
  const failure =
    picture === undefined || answer.bytes === undefined ? undefined : await writtenTo(picture, answer.bytes, host);
  if (failure !== undefined && command.reads === true) throw failure;
  // What was read is printed all the same.
  if (command.reads === true) noteWait({ wait: reply['wait'] as EndedWait['wait'], showsLines: false }, host);
  if (options['json'] === true) host.out(replyLine(answer));
  else await presenterOf(command)(answer, host);
  const unseen = failure ?? (reply['observed'] as FailedLook | undefined);
  if (unseen?.code === undefined) return exitStatusOf(command, reply, host, options);
  await noteFailedLook(unseen, invocation, host);
  return LOOK_FAILED;
}

type FailedLook =
  | Pick<T4aError, 'code' | 'message'>
  | { readonly code?: string; readonly error?: string; readonly hint?: string };

async function writtenTo(path: string, bytes: Uint8Array, host: Host): Promise<T4aError | undefined> {
  try {
    await writePicture(path, bytes, host);
    return undefined;
  } catch (error) {
    if (isT4aError(error)) return error;
    throw error;
  }
}

/** The act must not be repeated because of it. */
async function noteFailedLook(unseen: FailedLook, invocation: Invocation, host: Host): Promise<void> {
  const why = 'message' in unseen ? unseen.message : (unseen.error ?? '');
  host.note(`t4a: It was done, and the look after it failed: ${printable(why)}\n`);
  if (!('hint' in unseen) || unseen.hint === undefined) return;
  host.note(`  hint: ${printable(hintHere(unseen.hint, invocation))}\n`);
}

/** The file of the picture, independent of what is printed. */
function pictureFile({ options }: Invocation): string | undefined {
  const path = options['output'] ?? options['screenshot'];
  return typeof path === 'string' && path !== '-' ? path : undefined;
}

async function streamEvents(client: Client, params: Fields, host: Host): Promise<number> {
  const { ack, ...filter } = params;
  const events = client.events(filter);
  if (ack === true) host.out(`${JSON.stringify({ ok: true, seq: await events.subscribed })}\n`);
  for await (const event of events) {
    host.out(`${JSON.stringify(event)}\n`);
    await host.drained?.();
  }
  if (events.ended === 'removed') host.note('t4a: The terminal was removed: it has no further events.\n');
  return 0;
}
