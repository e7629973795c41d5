/** Tools that start, end and name processes. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { callersPlace } from '../../client/callers-place.js';
import { isT4aError, quote } from '../../protocol/errors.js';
import { environment, type IfFile } from '../../protocol/vocabulary.js';
import { deliver } from '../deliver.js';
import { type Delivery, DELIVERY_OUTCOMES, isSent, MAX_TURN_BYTES, sayDelivery, whyNoTurn } from '../delivery.js';
import { removeGenerated } from '../generated-files.js';
import { checkSpawn, noteStart } from '../limits.js';
import { LABEL, type Member, Members, type Status } from '../members.js';
import { untrustedVariables } from '../harmless-variables.js';
import type { AgentPreset, Preset, ProcessPreset } from '../preset.js';
import { freeId, projectLabel, spawnAgent } from '../spawn.js';
import { systemClock } from '../../base/clock.js';
import { AGENTS, defineTool } from './define-tool.js';
import { displayName, ok, processId, question, signalNameOrNumber, status, turnText } from './shapes.js';
import type { ToolCall } from './tool-call.js';
import { ToolError } from './tool-error.js';

const DEFAULT_SIZE = { cols: 120, rows: 40 };

const workingDir = z.string().min(1).optional().describe('From the folder of the project. Default: that folder.');
const started = z.object({ process_id: z.string(), name: z.string() });
const changed = z.object({ process_id: z.string(), status });

export const spawnAgentTool = defineTool({
  name: 'spawn_agent',
  brief:
    'Start an agent as your child, with its first prompt. Then end your turn, do not wait: it reports by send_message if you ask it to, or use timer_fire_when_idle_any.',
  role: ['orchestrator'],
  effect: 'end',
  params: z.strictObject({
    agent: z.string().describe('Preset, such as claude or codex.'),
    agent_instructions: turnText.max(MAX_TURN_BYTES).describe('First prompt.'),
    name: displayName.optional(),
    working_dir: workingDir,
  }),
  result: started.extend({ delivered: z.enum(DELIVERY_OUTCOMES), question }),
  errors: ['unknown_agent', 'needs_trust', 'limit_reached', 'not_delivered', 'delivery_unknown'],
  async run(call, { agent, agent_instructions: text, name, working_dir: folder }) {
    const why = whyNoTurn(text);
    if (why !== undefined) throw new ToolError('invalid_field', `"agent_instructions" ${why}: no agent was started.`);
    const preset = call.preset('agent', agent, 'unknown_agent') as AgentPreset;
    const { cwd, trusted } = call.placeOf(preset, folder);
    const lasting = await call.needTrust('agent', preset, trusted);
    const { id, name: shown } = await call.background.oneStart(() =>
      spawnAgent(call.client, call.places, {
        preset: { ...preset, working_dir: cwd },
        ifFile: lasting,
        project: call.project,
        caller: call.caller,
        within: call.view,
        name,
        size: sizeOf(call),
        limits: call.limits,
        tools: call.tools,
        signal: call.signal,
      }),
    );
    const result = { process_id: id, name: shown };
    const delivery = await firstTurn(call, id, text, preset, result);
    const { outcome, question: asked, tail, pasted } = delivery;
    // Sent, or up to the caller: both are results.
    if (isSent(outcome) || asked !== undefined) return { ...result, delivered: outcome, question: asked };
    const hasEnded = outcome === 'exited';
    const { code, words, look } = sayDelivery(delivery);
    throw new ToolError(
      code,
      `${quote(id)} was started and ${hasEnded ? 'has ended' : 'runs on'}, and ${words}.`,
      hasEnded
        ? 'Its last lines are in the tail; close_process removes it.'
        : `${look} Then use send_input, or close_process.`,
      { ...result, delivered: outcome, pasted, tail },
    );
  },
});

/** Whatever fails now: the agent is there, and the caller learns its id. */
async function firstTurn(
  call: ToolCall,
  id: string,
  text: string,
  { composer }: AgentPreset,
  result: Readonly<Record<string, unknown>>,
): Promise<Delivery> {
  try {
    return await deliver(call.client, id, text, { composer, signal: call.signal });
  } catch (error) {
    if (!isT4aError(error) || call.signal?.aborted === true) throw error;
    throw new ToolError(
      'delivery_unknown',
      `${quote(id)} was started, and whether the prompt was delivered is unknown: ${error.message}`,
      'Look at its screen, then use send_input, or close_process.',
      result,
    );
  }
}

export const spawnProcess = defineTool({
  name: 'spawn_process',
  brief: 'Start a program that keeps running, or a shell, as your child: a preset or your own argv.',
  role: AGENTS,
  effect: 'end',
  params: z.strictObject({
    kind: z
      .enum(['terminal', 'command'])
      .describe('terminal: a shell, or argv. command: can be stopped and started again.'),
    preset: z.string().optional(),
    argv: z
      .array(z.string().regex(/^[^\0]*$/, 'no NUL'))
      .min(1)
      .max(256)
      .optional(),
    name: displayName.optional(),
    working_dir: workingDir,
    env: environment.optional().describe('Variables on top of yours.'),
    shell: z.boolean().default(false).describe('With argv: its words are one line for sh -c.'),
  }),
  result: started,
  errors: ['needs_trust', 'unknown_preset', 'limit_reached'],
  async run(call, params) {
    const { preset, cwd, lasting } = await checkedPreset(call, params);
    const own = params.argv ?? preset?.argv ?? [call.caller.env['SHELL'] || '/bin/sh', '-i'];
    const argv = params.shell ? ['/bin/sh', '-c', own.join(' ')] : [...own];
    const name = params.name ?? preset?.name ?? (params.kind === 'terminal' ? 'terminal' : fileName(own[0] ?? ''));
    const session = call.view.session ?? '';
    const create = (id: string): Promise<unknown> =>
      call.client.call(
        'create',
        {
          cmd_args: argv,
          name: id,
          ...sizeOf(call),
          ...callersPlace(cwd, call.caller.env, { ...preset?.env, ...params.env }),
          ...(call.view.member === null ? {} : { parent: call.view.member.id }),
          ...(preset?.rules === undefined ? {} : { rules: preset.rules }),
          ...(lasting === undefined ? {} : { if_file: lasting }),
          labels: {
            [LABEL.session]: session,
            [LABEL.kind]: params.kind,
            [LABEL.name]: params.name ?? id,
            ...(preset === undefined ? {} : { [LABEL.preset]: preset.name }),
            ...projectLabel(call.project),
          },
        },
        call.options,
      );
    const id = await call.background.oneStart(() => underFreeId(call, name, create));
    return { process_id: id, name: params.name ?? id };
  },
});

/** @throws ToolError, T4aError of `create` */
async function underFreeId(call: ToolCall, name: string, create: (id: string) => Promise<unknown>): Promise<string> {
  for (let tries = 1; ; tries++) {
    const nowMs = systemClock.wallNow();
    const members = new Members((await call.client.call('list', {}, call.options)).terminals, nowMs);
    const bounds = { limits: call.limits, nowMs };
    checkSpawn(members, call.view, false, bounds);
    const id = freeId(name, members);
    try {
      await create(id);
      await noteStart(call.client, members, call.view.session, bounds);
      return id;
    } catch (error) {
      if (!isT4aError(error) || error.code !== 'name_taken' || tries === MAX_TRIES) throw error;
    }
  }
}

const MAX_TRIES = 20;

interface AskedProcess {
  readonly kind: 'terminal' | 'command';
  readonly preset?: string | undefined;
  readonly argv?: readonly string[] | undefined;
  readonly shell: boolean;
  readonly working_dir?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** @throws ToolError `needs_trust`, `invalid_field`, `unknown_preset` */
async function checkedPreset(
  call: ToolCall,
  { kind, preset: name, argv, shell, working_dir: folder, env = {} }: AskedProcess,
): Promise<{ readonly preset?: Preset; readonly cwd: string; readonly lasting?: IfFile }> {
  const given = [name, argv].filter((one) => one !== undefined).length;
  if (given > 1 || (given === 0 && kind === 'command')) {
    throw new ToolError('invalid_field', 'A command needs one of "preset" and "argv"; a terminal takes at most one.');
  }
  if (shell && argv === undefined) throw new ToolError('invalid_field', '"shell" goes with "argv".');
  if (name === undefined) return { cwd: resolve(call.project, folder ?? '.') };
  const preset = call.preset('process', name, 'unknown_preset') as ProcessPreset;
  const { cwd, trusted } = call.placeOf(preset, folder);
  const lasting = await call.needTrust('process', preset, trusted);
  const changed = untrustedVariables(env, preset.env_names ?? []);
  if (changed.length > 0) {
    throw new ToolError(
      'needs_trust',
      `The preset ${quote(name)} is trusted as it is, and ${changed.map(quote).join(', ')} may make another program of it.`,
      'Leave such variables out, or ask the person to name them in "env_names" of the preset, which is then to be trusted again.',
    );
  }
  return { preset, cwd, lasting };
}

function fileName(path: string): string {
  return path.split('/').at(-1) ?? path;
}

function sizeOf({ view: { member } }: ToolCall): { cols: number; rows: number } {
  return member === null ? DEFAULT_SIZE : { cols: member.terminal.cols, rows: member.terminal.rows };
}

export const startProcess = defineTool({
  name: 'start_process',
  brief: 'Start a command that has ended or was stopped, again.',
  role: AGENTS,
  effect: 'end',
  params: z.strictObject({ process_id: processId }),
  result: changed,
  errors: ['wrong_kind', 'needs_trust'],
  async run(call, { process_id: id }) {
    const member = call.own(id);
    if (member.kind !== 'command') throw wrongKind(member, 'Only commands are started again.');
    if (!member.terminal.alive) await restart(call, member);
    return { process_id: id, status: await statusNow(call, id) };
  },
});

export const restartProcess = defineTool({
  name: 'restart_process',
  brief: 'End a process and start it again with the same argv, directory and environment.',
  role: AGENTS,
  effect: 'end',
  params: z.strictObject({ process_id: processId, signal: signalNameOrNumber }),
  result: changed,
  errors: ['wrong_kind', 'needs_trust', 'control_held'],
  async run(call, { process_id: id, signal }) {
    const member = call.own(id);
    if (member.kind !== 'command' && !member.terminal.alive) {
      throw wrongKind(member, 'An agent or terminal that has ended is not started again: spawn another.');
    }
    await restart(call, member, signal);
    return { process_id: id, status: await statusNow(call, id) };
  },
});

async function restart(call: ToolCall, member: Member, signal?: string | number): Promise<void> {
  const of = call.presetOf(member);
  let lasting: IfFile | undefined;
  if (of !== undefined) {
    lasting = await call.needTrust(of.kind, of.preset, call.placeOf(of.preset, member.terminal.cwd).trusted);
    // What is started again is what it was: trust in the preset of now is none in that.
    if (!isSameStart(member, of.preset)) {
      throw new ToolError(
        'needs_trust',
        `The preset ${quote(of.preset.name)} says something else by now than what ${quote(member.id)} runs.`,
        'Close it, and spawn it again.',
      );
    }
  } else if (member.preset !== undefined) {
    throw new ToolError('needs_trust', `The preset ${quote(member.preset)} is gone, so what it was is not trusted.`);
  }
  const { id } = member;
  const fields = {
    ...(signal === undefined ? {} : { signal }),
    ...(lasting === undefined ? {} : { if_file: lasting }),
  };
  await call.client.call('restart', { id, ...fields }, call.options);
  await call.client.call('label', { id, unset: [LABEL.stopped] }, call.options);
}

/** Of an agent the arguments of its tools follow. */
function isSameStart({ terminal: { cmd } }: Member, { argv }: Preset): boolean {
  return argv.every((word, i) => cmd[i] === word);
}

export const stopProcess = defineTool({
  name: 'stop_process',
  brief: 'End the program of a process and keep the entry: its output can be read, and a command started again.',
  role: AGENTS,
  effect: 'end',
  params: z.strictObject({ process_id: processId, signal: signalNameOrNumber }),
  result: changed,
  errors: ['control_held'],
  async run(call, { process_id: id, signal }) {
    const { terminal } = call.own(id);
    if (terminal.alive) {
      // Before its end, so that no reader takes it for a failure.
      await call.client.call('label', { id, set: { [LABEL.stopped]: '1' } }, call.options);
      try {
        if (signal !== undefined) await signalled(call, id, signal);
        await call.client.call('kill', { id, keep: true }, call.options);
      } catch (error) {
        if (isT4aError(error) && error.code === 'terminal_exited')
          return { process_id: id, status: await statusNow(call, id) };
        await call.client.call('label', { id, unset: [LABEL.stopped] }, call.options);
        throw error;
      }
    }
    return { process_id: id, status: await statusNow(call, id) };
  },
});

/** A program has this long to end by the signal that was chosen for it. */
const GRACE_MS = 2000;

async function signalled({ client, options }: ToolCall, id: string, signal: string | number): Promise<void> {
  await client.call('kill', { id, signal }, options);
  await client.call('wait', { id, until: { event: 'exit' }, timeout_ms: GRACE_MS, tail: 0 }, options);
}

export const closeProcess = defineTool({
  name: 'close_process',
  brief: 'End a process with all that it has started, and remove it with its output.',
  role: AGENTS,
  effect: 'end',
  params: z.strictObject({ process_id: processId }),
  result: ok,
  errors: ['control_held'],
  async run(call, { process_id: id }) {
    call.own(id);
    const { ended = [] } = await call.client.call('kill', { id, tree: true }, call.options);
    for (const one of ended) removeGenerated(call.places, one.id, call.client.socketPath);
    return { ok: true as const };
  },
});

export const renameProcess = defineTool({
  name: 'rename_process',
  brief: 'Give a process another name for people. Its id stays.',
  role: AGENTS,
  effect: 'act',
  params: z.strictObject({ process_id: processId, name: displayName }),
  result: ok,
  errors: ['control_held'],
  async run(call, { process_id: id, name }) {
    call.own(id);
    await call.client.call('label', { id, set: { [LABEL.name]: name } }, call.options);
    return { ok: true as const };
  },
});

function wrongKind({ id, kind }: Member, says: string): ToolError {
  return new ToolError('wrong_kind', `${quote(id)} is of the kind "${kind}". ${says}`);
}

async function statusNow({ client, options }: ToolCall, id: string): Promise<Status> {
  const { terminals } = await client.call('list', { where: { id: [id] } }, options);
  return new Members(terminals, systemClock.wallNow()).member(id)?.status ?? 'exited';
}
