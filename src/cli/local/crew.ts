/** `t4a crew`: presets, which of them a project trusts, and agents that are started by them. */
import type { Started } from '../../crew/entry.js';
import type { PresetKind } from '../../crew/preset.js';
import { listedWord } from '../../mirror/doing-word.js';
import { endedWord } from '../../crew/members.js';
import { isT4aError, T4aError, quote } from '../../protocol/errors.js';
import { formatTable } from '../output/table.js';
import { printable } from '../output/printable.js';
import type { Host } from '../host.js';
import type { LazyBundles } from '../lazy-bundles.js';
import { absolutePath } from '../prepare/spawn.js';
import { askerOf } from '../asker.js';
import { settingOf } from '../settings.js';
import { targetOf } from '../target.js';
import type { Invocation } from '../argv/invocation.js';
import { author, checkTerminal, within } from './attach.js';
import { type CrewClient, type CrewOptions, type Given, type Room } from './crew-given.js';
import { changeTrust, ensureTrust, showPresets } from './crew-trust.js';
import type { LocalCommand } from './local-command.js';

interface Action {
  /** Most arguments after the action. */
  readonly words: number;
  readonly flags: readonly (keyof CrewOptions)[];
  run(given: Given): number | Promise<number>;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  presets: { words: 0, flags: [], run: showPresets },
  spawn: { words: 2, flags: ['name', 'cols', 'rows'], run: spawn },
  list: { words: 0, flags: [], run: list },
  resume: { words: 0, flags: ['list', 'fresh', 'cols', 'rows'], run: resume },
  trust: { words: 1, flags: ['kind', 'list', 'revoke'], run: changeTrust },
};

const FLAGS = [
  'kind',
  'list',
  'fresh',
  'revoke',
  'name',
  'cols',
  'rows',
  'on_exit',
  'share',
] as const satisfies readonly (keyof CrewOptions)[];

export const crew: LocalCommand = async (invocation, host, bundles) => {
  const { options } = invocation;
  const { action, words = [], ...flags } = options as { action?: string; words?: readonly string[] } & CrewOptions;
  if (action === undefined) return showShell(invocation, flags, host, bundles);
  const chosen = ACTIONS[action];
  if (chosen === undefined) throw new T4aError('usage', `There is no "crew ${action}".`);
  const extra = words[chosen.words];
  if (extra !== undefined) throw new T4aError('usage', `"crew ${action}" has an argument too many: ${quote(extra)}.`);
  const wrong = FLAGS.find((flag) => flags[flag] !== undefined && !chosen.flags.includes(flag));
  if (wrong !== undefined) {
    throw new T4aError('usage', `"--${wrong.replace('_', '-')}" does not go with "crew ${action}".`);
  }
  const room = await bundles.crew();
  return chosen.run({
    words,
    options: flags,
    host,
    crew: new room.Crew(host.env, absolutePath('.', host)),
    room,
    connected: () => connected(invocation, room, host, bundles),
  });
};

async function connected(given: Invocation, room: Room, host: Host, bundles: LazyBundles): Promise<CrewClient> {
  const { daemon } = await targetOf(given, host, bundles);
  return room.connect({ ...daemon, ...askerOf(given.options, host) });
}

/** The crew of the project, in the person's terminal. */
async function showShell(given: Invocation, flags: CrewOptions, host: Host, bundles: LazyBundles): Promise<number> {
  const wrong = FLAGS.find((flag) => flag !== 'on_exit' && flag !== 'share' && flags[flag] !== undefined);
  if (wrong !== undefined) throw new T4aError('usage', `"--${wrong}" does not go with "crew" alone.`);
  if (given.options['json'] === true)
    throw new T4aError('usage', 'crew alone prints nothing: it draws.', WITHOUT_TERMINAL);
  checkTerminal('crew', WITHOUT_TERMINAL.hint, host);
  if (given.options['on'] !== undefined) {
    throw new T4aError('usage', 'crew shows the crew of this machine.', { hint: 't4a attach HOST/ID' });
  }
  const [room, { board }] = await Promise.all([bundles.crew(), bundles.board()]);
  const own = new room.Crew(host.env, absolutePath('.', host));
  const settings = own.settings();
  const { daemon } = await targetOf(given, host, bundles);
  const person = { ...daemon, scope: askerOf(given.options, host).scope, as: author(given.options, host) };
  const client = await room.connect(person);
  // Warnings of starts: the status line shows the begin of each, and what is below is printed behind the shell.
  const warnings: string[] = [];
  try {
    const { status, note } = await board({
      daemon: { ...person, socketPath: client.socketPath },
      within: within(host),
      endsCrew: flags.on_exit === 'end',
      shares: flags.share === true,
      settings,
      crew: {
        project: own.project,
        presets: () => own.presets(),
        isTrusted: (kind, preset) => own.isTrusted(kind, preset),
        trust: (kind, preset) => own.trust(kind, preset),
        async start(kind, preset, size) {
          const { id, warning } =
            kind === 'agent' && 'approve' in preset
              ? await own.spawn(client, preset, { id: undefined, size })
              : await own.run(client, preset, { id: undefined, size });
          if (warning !== undefined) warnings.push(warningOf(id, warning));
          return { id, warning };
        },
        async deliver(id, text, preset) {
          const composer = 'composer' in preset ? preset.composer : undefined;
          const { outcome, question } = await room.deliver(client, id, text, { composer });
          if (outcome === 'sent') return undefined;
          return question === undefined || question.text === '' ? WHY_NOT[outcome] : `it asks ${quote(question.text)}`;
        },
        scratchpads: () => own.scratchpads.glance(),
        scratchpad: (name) => own.scratchpads.read(name).content,
        close: (id) => own.close(client, id),
      },
    });
    if (note !== '') host.note(`${printable(note)}\n`);
    for (const warning of warnings) host.note(warning);
    return status;
  } finally {
    await client.close();
  }
}

function warningOf(id: string, warning: string): string {
  return `t4a: ${printable(`${id}: ${warning}`)}\n`;
}

const WITHOUT_TERMINAL = { hint: 't4a crew spawn, t4a crew list' };

/** Size of an agent that no person looks at through a terminal of theirs: the dialogues of agents need more than 80 by 24. */
const DEFAULT_SIZE = { cols: 120, rows: 40 };

async function spawn(given: Given): Promise<number> {
  const { words, options, host, crew: own, room } = given;
  const [agent, text] = words;
  if (agent === undefined)
    throw new T4aError('usage', '"crew spawn" needs the preset of an agent.', { hint: 't4a crew presets' });
  const preset = own.agentNamed(agent);
  const why = text === undefined ? undefined : room.whyNoTurn(text);
  if (why !== undefined) throw new T4aError('usage', `The text ${why}: no agent was started.`);
  await ensureTrust(preset, given);
  const client = await given.connected();
  const spawned = await own.spawn(client, preset, { id: options.name, size: sizeOf(given) });
  if (spawned.warning !== undefined) host.note(`t4a: ${printable(spawned.warning)}\n`);
  // Known at once, whatever the delivery takes.
  if (options.json !== true) host.out(`${spawned.id}\n`);
  const delivery =
    text === undefined ? undefined : await room.deliver(client, spawned.id, text, { composer: preset.composer });
  if (options.json === true) host.out(`${JSON.stringify({ ok: true, ...spawned, ...(delivery && { delivery }) })}\n`);
  if (delivery === undefined || delivery.outcome === 'submitted' || delivery.outcome === 'sent') return 0;
  const { outcome, question, pasted, tail } = delivery;
  const { code } = room.sayDelivery(delivery);
  const isUnknown = code === 'delivery_unknown';
  const claim = isUnknown ? 'whether the prompt was delivered is unknown' : 'the prompt was not delivered';
  const says = question === undefined || question.text === '' ? WHY_NOT[outcome] : `it asks ${quote(question.text)}`;
  const where = pasted ? ' The text stands in its box.' : '';
  if (options.json !== true) {
    host.note(`t4a: ${printable(`"${spawned.id}" was started, and ${claim}: ${says}.${where}`)}\n`);
    for (const line of tail) host.note(`  ${printable(line)}\n`);
  }
  return 1;
}

function sizeOf({ options, host }: Given): { readonly cols: number; readonly rows: number } {
  const size = (name: 'cols' | 'rows', ofTerminal: number | undefined): number =>
    (settingOf(name, options[name], host).value as number | undefined) ?? ofTerminal ?? DEFAULT_SIZE[name];
  return { cols: size('cols', host.columns()), rows: size('rows', host.rows()) };
}

/** Each is tried: exits with 1 if one could not be started. */
async function resume(given: Given): Promise<number> {
  const { options, host, crew: own } = given;
  const client = await given.connected();
  const { roots, problem } = await own.resumable(client);
  if (problem !== undefined) host.note(`t4a: ${printable(problem)}\n`);
  const outcomes: Outcome[] = [];
  const isNew = options.fresh === true;
  for (const { root, runs, continues, why } of roots) {
    const { id, kind, argv, cwd, shared } = root;
    const conversation = isNew && isOld(continues) ? 'new' : continues;
    const state = runs ? 'runs' : why === undefined ? 'can' : 'cannot';
    let outcome: Outcome = { id, kind, argv, cwd, state, why, ...(conversation && { conversation }) };
    if (outcome.state === 'can' && options.list !== true)
      outcome = await started(outcome, () => own.resume(client, root, sizeOf(given), isNew));
    outcomes.push(outcome);
    if (options.json === true) continue;
    const says = conversation === undefined ? '' : `, ${CONVERSATIONS[conversation]}`;
    const because = conversation === 'new' && !isNew && shared === true ? SHARED : '';
    const instead = outcome.id === id ? '' : `, in place of ${id}`;
    const what = outcome.why ?? `${argv.join(' ')} in ${cwd}${says}${because}${instead}`;
    host.out(`${printable([outcome.id, outcome.state, what].join('  '))}\n`);
    if (outcome.warning !== undefined) host.note(warningOf(outcome.id, outcome.warning));
  }
  if (options.json !== true && outcomes.some(({ state, conversation }) => state === 'started' && isOld(conversation))) {
    host.note(`${CONTINUED}\n`);
  }
  if (options.json === true) host.out(`${JSON.stringify({ ok: true, project: own.project, roots: outcomes })}\n`);
  else if (roots.length === 0 && problem === undefined) {
    host.note(`Nothing is known of a crew in ${printable(own.project)}. "t4a crew spawn claude" starts an agent.\n`);
  }
  return problem === undefined && outcomes.every(({ state }) => state !== 'cannot') ? 0 : 1;
}

interface Outcome {
  readonly id: string;
  readonly kind: PresetKind;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** `can`: with `--list`, it would be started. */
  readonly state: 'runs' | 'can' | 'started' | 'cannot';
  readonly why: string | undefined;
  /** Warning about an agent that was started. */
  readonly warning?: string;
  /** Conversation of an agent that is, or would be, started. */
  readonly conversation?: 'its' | 'newest' | 'new' | 'chosen';
}

const CONVERSATIONS = {
  its: 'its conversation',
  newest: 'the newest conversation there',
  new: 'a new conversation',
  chosen: 'as its arguments say',
} as const satisfies Record<NonNullable<Outcome['conversation']>, string>;

const SHARED = ', since others of its program were started there';

const CONTINUED =
  'An agent that finds no conversation to continue may end at once: "t4a crew resume --fresh" then starts it with a new one.';

function isOld(conversation: Outcome['conversation']): boolean {
  return conversation === 'its' || conversation === 'newest';
}

async function started(outcome: Outcome, start: () => Promise<Started>): Promise<Outcome> {
  try {
    const { id, warning } = await start();
    return { ...outcome, id, state: 'started', ...(warning !== undefined && { warning }) };
  } catch (error) {
    if (!isT4aError(error)) throw error;
    return { ...outcome, state: 'cannot', why: error.message };
  }
}

const WHY_NOT: Readonly<Record<string, string>> = {
  question: 'it asks something',
  not_ready: 'it did not get ready to read a prompt',
  no_paste: 'the text has several lines, and the program takes no pastes, so that each would be a prompt',
  draft: 'there is other text in its box',
  not_seen: 'it does not read',
  no_echo: 'the text did not appear',
  not_submitted: 'Enter was pressed, without a proof that it was read; it may arrive later',
  others_typed: 'another input came first',
  control_held: 'another name has control of it',
  exited: 'it has ended',
};

async function list({ options, host, room, connected: connect }: Given): Promise<number> {
  const members = await room.listCrew(await connect());
  if (options.json === true) {
    const all = members.map(({ member, question }) => {
      const { terminal, depth: _depth, need, ...shown } = member;
      return {
        ...shown,
        needs_you: need,
        question: question ?? null,
        idle_ms: terminal.idle_ms,
        exit_code: terminal.exit_code,
      };
    });
    host.out(`${JSON.stringify({ ok: true, members: all })}\n`);
    return 0;
  }
  if (members.length === 0) {
    host.note('No crew runs. "t4a crew spawn claude" starts an agent.\n');
    return 0;
  }
  const rows = members.map(({ member, stem, question }) => [
    `${stem}${member.name}`,
    member.id,
    member.kind,
    member.terminal.alive ? listedWord(member.terminal) : endedWord(member),
    question === undefined ? (member.project ?? '') : `asks: ${question.text}`,
  ]);
  const heads = ['NAME', 'ID', 'KIND', 'STATE', 'PROJECT'];
  host.out(formatTable([heads, ...rows], host.columns() ?? Number.POSITIVE_INFINITY));
  return 0;
}
