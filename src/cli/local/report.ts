/**
 * `t4a report --hook AGENT`: the report that a hook's JSON on standard input stands for; and `--print-hooks AGENT`, the settings by
 * which the agent calls it. What a hook prints, and the exit status 2, would change what its agent does: neither ever comes.
 */
import { readFileSync } from 'node:fs';
import { connectAndCall } from '../../client/client.js';
import { isT4aError, quote, T4aError } from '../../protocol/errors.js';
import type { Fields, Invocation } from '../argv/invocation.js';
import { askerOf } from '../asker.js';
import type { Host } from '../host.js';
import type { LazyBundles } from '../lazy-bundles.js';
import { printable } from '../output/printable.js';
import { targetOf } from '../target.js';
import { claudeHooks, claudeReport, type HookReport } from './claude-hooks.js';

interface Agent {
  readonly report: (given: Fields) => HookReport | undefined;
  readonly settings: () => object;
}

const AGENTS: Readonly<Record<string, Agent>> = { claude: { report: claudeReport, settings: claudeHooks } };

/** A tool's input may hold a whole file. */
const MAX_JSON_BYTES = 16 * 1024 * 1024;

/** Undefined if it is a report by its own words. @returns the exit status @throws T4aError usage */
export function reportOfHook(given: Invocation, host: Host, bundles: LazyBundles): Promise<number> | undefined {
  const { hook, 'print-hooks': printed } = given.options as { readonly hook?: string; readonly 'print-hooks'?: string };
  if (hook !== undefined) return reportHook(hook, given, host, bundles);
  if (printed === undefined) return undefined;
  host.out(`${JSON.stringify(agentOf(printed).settings(), null, 2)}\n`);
  return Promise.resolve(0);
}

/** The terminal is named, or the one that this runs in. @throws T4aError usage */
export function prepareReport({ params }: { readonly params: Fields }, { env }: Host): Fields {
  if (params['state'] === undefined) {
    throw new T4aError('usage', '"report" needs a state.', { hint: 't4a report working; t4a report --help' });
  }
  const id = params['id'] ?? (env['T4A_TERMINAL'] || undefined);
  if (id !== undefined) return { ...params, id };
  throw new T4aError('usage', 'This is no terminal of t4a, and none is named.', { hint: 'Name one: --id NAME' });
}

async function reportHook(agent: string, given: Invocation, host: Host, bundles: LazyBundles): Promise<number> {
  try {
    const id = given.params['id'] ?? (host.env['T4A_TERMINAL'] || undefined);
    const { report } = agentOf(agent);
    // The settings are for all terminals of the user.
    if (id === undefined) return 0;
    const json = await readJson(host);
    const said = report(json);
    if (said === undefined) return 0;
    const pid = given.params['pid'] ?? callingAgent();
    const ttl = given.params['ttl_ms'];
    const fields = {
      ...said,
      id,
      ...(pid === undefined ? {} : { pid }),
      ...(ttl === undefined ? {} : { ttl_ms: ttl }),
    };
    const { invocation, daemon } = await targetOf({ ...given, params: fields }, host, bundles);
    const options = { ...daemon, autoStart: false, ...askerOf(invocation.options, host) };
    const fieldsThere = invocation.params as Parameters<typeof connectAndCall<'report'>>[2];
    const { client, result } = await connectAndCall(options, 'report', fieldsThere);
    await result;
    await client.close();
    return 0;
  } catch (error) {
    if (!isT4aError(error)) throw error;
    host.note(`t4a: ${printable(error.message)}\n`);
    return 1;
  }
}

function agentOf(name: string): Agent {
  const agent = Object.hasOwn(AGENTS, name) ? AGENTS[name] : undefined;
  if (agent !== undefined) return agent;
  throw new T4aError('usage', `There are no hooks for ${quote(name)}.`, {
    hint: `There are some for ${Object.keys(AGENTS).join(', ')}.`,
  });
}

/** @throws T4aError usage */
async function readJson(host: Host): Promise<Fields> {
  if (host.stdinIsTerminal) throw noJson('is a terminal');
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of host.stdin()) {
    bytes += chunk.length;
    if (bytes > MAX_JSON_BYTES) throw noJson(`has more than ${MAX_JSON_BYTES} bytes`);
    chunks.push(chunk);
  }
  let json: unknown;
  try {
    json = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw noJson('is no JSON');
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw noJson('is no JSON object');
  return json as Fields;
}

function noJson(why: string): T4aError {
  return new T4aError('usage', `Standard input ${why}: a hook gets its JSON there.`);
}

const MAX_ANCESTORS = 16;
/** Programs between an agent and its hook: the shell of the hook's line, and what starts t4a. */
const BETWEEN = /^(?:(?:ba|da|z|fi|a|k|mk)?sh|busybox|env|timeout|nice|npx|npm.*|time)$/;

/** The nearest caller that is no shell. Undefined where the system does not say: the report then ends in other ways. */
function callingAgent(): number | undefined {
  let pid = process.ppid;
  for (let i = 0; i < MAX_ANCESTORS && pid > 1; i++) {
    let line: string;
    try {
      line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    } catch {
      return undefined;
    }
    const close = line.lastIndexOf(')');
    if (!BETWEEN.test(line.slice(line.indexOf('(') + 1, close))) return pid;
    pid = Number(line.slice(close + 2).split(' ')[1]);
  }
  return undefined;
}
