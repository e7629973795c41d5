/** `deliver`: prompts to agents of every misbehaviour. Outcomes and receipts alone: no time is tested. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCliHere } from '../support/cli-in-process.js';
import { startBoxAgent } from '../support/box-agent.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itIn, type Sandbox } from '../support/sandboxes.js';
import { tempDir } from '../support/temp-dir.js';
import { casesOf } from '../support/trial.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const TEXT = 'fix the tests';
const LINES = Array.from({ length: 40 }, (_, i) => `line ${i} of the prompt`).join('\n');

/** Whose screen it is makes the less difference: the alternate one has a sample of them, and a trial all. */
const AGENTS: readonly (readonly [how: string, args: readonly string[], onAlternate: boolean])[] = [
  ['that behaves', [], true],
  ['that starts after 3 s', ['start=3000'], false],
  ['that shows late what it reads', ['echo-late=700'], false],
  ['that shows a marker of a paste', ['marker'], true],
  ['that draws for ever', ['spin'], false],
  ['that swallows Enter once', ['mute=1'], true],
  ['that swallows Enter twice', ['mute=2'], false],
  ['that is at work', ['work'], false],
];

describe.each([
  ['inline', []],
  ['on the alternate screen', ['alt']],
])('to an agent %s', (_, screen) => {
  it.each(casesOf(AGENTS, ([, , onAlternate]) => onAlternate || screen.length === 0))(
    '%s, a prompt arrives once',
    async (__, args) => {
      const agent = await startBoxAgent(daemon, [...screen, ...args]);
      expect(await agent.deliver(TEXT)).toMatchObject({
        ok: true,
        outcome: 'submitted',
        delivered: {
          proof: expect.stringMatching(/^(?:box|message)$/),
          tries: 1 + Number(/mute=(\d)/.exec(args.join())?.[1] ?? 0),
        },
        while_working: args.includes('work'),
        tail: [],
      });
      expect(agent.prompts()).toEqual([TEXT]);
    },
  );

  it('a prompt of many lines arrives whole', async () => {
    const agent = await startBoxAgent(daemon, screen);
    expect(await agent.deliver(LINES)).toMatchObject({ outcome: 'submitted' });
    expect(agent.prompts()).toEqual([LINES]);
  });

  it('Enter that is a line break is pressed again, and the text arrives once', async () => {
    const agent = await startBoxAgent(daemon, [...screen, 'mute=1', 'newline']);
    expect(await agent.deliver(TEXT)).toMatchObject({ outcome: 'submitted', delivered: { tries: 2 } });
    expect(agent.prompts()).toEqual([`${TEXT}\n`]);
  });

  it('an Enter that a menu has taken, which puts other words into the box, is no submission', async () => {
    const agent = await startBoxAgent(daemon, [...screen, 'menu']);
    expect(await agent.deliver('fix @a')).toMatchObject({
      outcome: 'not_submitted',
      delivered: { proof: null, tries: 1 },
      box: 'known',
    });
    expect(agent.prompts()).toEqual([]);
  });

  it('one that computes before it asks gets no Enter, which it would take for an answer', async () => {
    // Enter is written 150 ms after the text was read, at the earliest.
    const agent = await startBoxAgent(daemon, [...screen, 'ask=paste', 'ask-after=100', 'compute=500']);
    expect(await agent.deliver(TEXT)).toMatchObject({ outcome: 'question', written: true, delivered: { tries: 0 } });
    expect(agent.answers()).toEqual([]);
  });

  it('what begins as a command of its shell arrives as a prompt, and a hint says that a slash may be one of its own', async () => {
    const agent = await startBoxAgent(daemon, [...screen, 'commands']);
    expect(await agent.deliver('! touch it')).toMatchObject({ outcome: 'submitted' });
    const commanded = await agent.deliver('/nothing');
    expect(commanded).toMatchObject({ outcome: 'submitted', delivered: { proof: 'box' } });
    expect(commanded.hint).toContain('a command of its own');
    expect(agent.prompts()).toEqual([' ! touch it']);
    expect(agent.log().flatMap(({ ran = [] }) => ran)).toEqual(['/nothing']);
  });

  it('an Enter that is always swallowed is no submission, after three of them', async () => {
    const agent = await startBoxAgent(daemon, [...screen, 'mute=all']);
    expect(await agent.deliver(TEXT)).toMatchObject({
      outcome: 'not_submitted',
      delivered: { proof: null, tries: 3 },
      written: true,
      hint: expect.stringContaining(`t4a text ${agent.id}`),
    });
    expect(agent.prompts()).toEqual([]);
  });
});

describe('t4a deliver', () => {
  it('exits with 0 once the prompt is proved to have arrived, also from standard input', async () => {
    const agent = await startBoxAgent(daemon);
    expect(await runCliHere(['deliver', agent.id, TEXT], daemon)).toMatchObject({ status: 0 });
    expect(await runCliHere(['deliver', agent.id], { socketPath: daemon.socketPath, input: 'go on\n' })).toMatchObject({
      status: 0,
    });
    expect(agent.prompts()).toEqual([TEXT, 'go on']);
  });

  it('exits with another status otherwise, and says what to do', async () => {
    const agent = await startBoxAgent(daemon, ['ask=start']);
    await agent.drawn();
    const asked = await runCliHere(['deliver', agent.id, TEXT], daemon);
    expect(asked).toMatchObject({ status: 3, stdout: expect.stringContaining('--if-entry') });
    const late = ['deliver', agent.id, TEXT, '--on-question', 'wait', '--timeout', '200ms'];
    expect(await runCliHere(late, daemon)).toMatchObject({ status: 3 });
    await agent.send('kill', { keep: true });
    expect(await runCliHere(['deliver', agent.id, TEXT], daemon)).toMatchObject({ status: 4 });
  });
});

describe('to an agent that cannot take it', () => {
  it('while the agent is stopped nothing is proved, and the text is not sent twice', async () => {
    const agent = await startBoxAgent(daemon);
    await agent.drawn();
    const pid = await agent.pid();
    process.kill(pid, 'SIGSTOP');
    try {
      expect(await agent.deliver(TEXT, { timeout_ms: 1000 })).toMatchObject({
        outcome: 'not_seen',
        delivered: { seen_ms: null, submitted_ms: null, tries: 0 },
        written: true,
      });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    expect(agent.prompts()).toEqual([]);
    expect(await agent.deliver(TEXT, { on_draft: 'fail' })).toMatchObject({ outcome: 'draft', written: false });
  });

  it('an agent that goes on in time takes it once', async () => {
    const agent = await startBoxAgent(daemon);
    await agent.drawn();
    const pid = await agent.pid();
    process.kill(pid, 'SIGSTOP');
    const delivered = agent.deliver(TEXT);
    await expect.poll(async () => (await agent.send('status'))['inputs']).toBe(1);
    process.kill(pid, 'SIGCONT');
    expect(await delivered).toMatchObject({ outcome: 'submitted', delivered: { tries: 1 } });
    expect(agent.prompts()).toEqual([TEXT]);
  });

  it('several lines are not written to one that takes no pastes, and one line is', async () => {
    const agent = await startBoxAgent(daemon, ['plain']);
    expect(await agent.deliver(LINES)).toMatchObject({ outcome: 'no_paste', written: false });
    expect(await agent.deliver(TEXT)).toMatchObject({ outcome: 'submitted' });
    expect(agent.prompts()).toEqual([TEXT]);
  });

  it('text that the box does not show gets no Enter', async () => {
    const agent = await startBoxAgent(daemon, ['deaf']);
    const receipt = await agent.deliver(TEXT, { timeout_ms: 1500 });
    expect(receipt).toMatchObject({ outcome: 'no_echo', delivered: { shown_ms: null, submitted_ms: null } });
    expect(receipt.delivered.seen_ms).not.toBeNull();
    expect(agent.prompts()).toEqual([]);
  });

  it.each([['paste'], ['enter']])('an agent that exits on %s has exited', async (moment) => {
    const agent = await startBoxAgent(daemon, [`exit=${moment}`]);
    expect(await agent.deliver(TEXT)).toMatchObject({ outcome: 'exited' });
    expect(await agent.deliver(TEXT)).toMatchObject({ outcome: 'exited', written: false });
  });

  it('the receipt of one that has ended has its last line, even if a flood before it is not drawn yet', async () => {
    // More than is parsed by the time at which the end of the program is known.
    const flood = 'i=0; while [ $i -lt 20 ]; do cat flood; i=$((i+1)); done; printf "\\033[m\\nno login\\n"; exit 7';
    const dir = tempDir();
    writeFileSync(
      dir.join('flood'),
      Array.from({ length: 4000 }, (_, i) => `\x1b[38;5;${i % 256};48;2;${i % 250};1;2m漢\x1b[1;4;7m${i}`).join('\n'),
    );
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', flood], cwd: dir.path });
    await expect
      .poll(() => request(daemon, { cmd: 'list' }), { interval: 1 })
      .toMatchObject({ terminals: expect.arrayContaining([expect.objectContaining({ id, alive: false })]) as unknown });
    const { outcome, tail } = await request(daemon, { cmd: 'deliver', id, text: TEXT });
    expect([outcome, (tail as string[]).at(-1)]).toEqual(['exited', 'no login']);
  });

  it('a program that no rule knows is not ready, and gets no byte', async () => {
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sleep', '1000'], rules: 'claude' });
    const receipt = await request(daemon, { cmd: 'deliver', id, text: TEXT, timeout_ms: 500 });
    expect(receipt).toMatchObject({ ok: true, outcome: 'not_ready', written: false, inputs: 0 });
  });
});

describe('to a box with a draft', () => {
  it.each([
    ['of a person', ['draft=please do']],
    ['with the cursor at its start', ['draft=please do', 'cursor-at-start']],
    ['of one letter', ['draft=x']],
  ])('%s, nothing is written', async (_, args) => {
    const agent = await startBoxAgent(daemon, args);
    await agent.drawn();
    expect(await agent.deliver(TEXT, { on_draft: 'fail' })).toMatchObject({ outcome: 'draft', written: false });
    expect(await agent.deliver(TEXT, { timeout_ms: 300 })).toMatchObject({ outcome: 'draft', inputs: 0 });
    expect(agent.prompts()).toEqual([]);
  });

  it('the prompt waits until the draft is gone', async () => {
    const agent = await startBoxAgent(daemon, ['draft=please do']);
    await agent.drawn();
    const delivered = agent.deliver(TEXT);
    expect(await agent.send('press', { keys: ['Enter'], as: 'someone' })).toMatchObject({ ok: true });
    expect(await delivered).toMatchObject({ outcome: 'submitted' });
    expect(agent.prompts()).toEqual(['please do', TEXT]);
  });

  it('letters that another client has typed, and the agent has not read, are a draft', async () => {
    const agent = await startBoxAgent(daemon);
    await agent.drawn();
    const pid = await agent.pid();
    process.kill(pid, 'SIGSTOP');
    expect(await agent.send('type', { text: 'mine', as: 'other' })).toMatchObject({ ok: true });
    const delivered = agent.deliver(TEXT, { timeout_ms: 2500 });
    expect(await delivered).toMatchObject({ outcome: 'draft', written: false });
    process.kill(pid, 'SIGCONT');
    expect(agent.prompts()).toEqual([]);
  });
});

describe('a question', () => {
  const asking = { outcome: 'question', question: { text: expect.stringContaining('Do you want to proceed?') } };

  it('that stands is left alone, and named by its entry', async () => {
    const agent = await startBoxAgent(daemon, ['ask=start']);
    await agent.drawn();
    const receipt = await agent.deliver(TEXT);
    expect(receipt).toMatchObject({ ...asking, written: false, inputs: 0 });
    const entry = receipt.question?.entry ?? '';
    expect(receipt.hint).toContain(`--if-entry ${entry}`);
    expect(await agent.send('press', { keys: ['Enter'], if_entry: entry })).toMatchObject({ ok: true });
    await agent.boxed();
    expect(await agent.deliver(TEXT)).toMatchObject({ outcome: 'submitted' });
    expect(agent.answers()).toHaveLength(1);
  });

  it.each([
    ['claude', ['theme', 'login', 'key', 'trust', 'bypass']],
    ['codex', ['login', 'trust']],
    ['gemini', ['login', 'trust']],
    ['opencode', ['key']],
  ])('of the first run of %s gets no byte', async (rules, asked) => {
    for (const name of asked) {
      const screen = fileURLToPath(new URL(`../activity/fixtures/first-run/${rules}-${name}.out`, import.meta.url));
      const show = String.raw`stty raw -echo; cat "$1"; printf '\033]2;shown\007'; exec cat > "$2"`;
      const read = path.join(daemon.dir, `read-by-${rules}-${name}`);
      const cmdArgs = ['sh', '-c', show, 'sh', screen, read];
      const { id } = await request(daemon, { cmd: 'create', cmd_args: cmdArgs, rows: 40, cols: 80, rules });
      // All of the screen is there once what was printed behind it is.
      await expect.poll(async () => (await request(daemon, { cmd: 'status', id }))['title']).toBe('shown');
      await expect.poll(() => existsSync(read)).toBe(true);
      expect(await request(daemon, { cmd: 'deliver', id, text: TEXT }), name).toMatchObject({
        outcome: 'question',
        question: { entry: expect.stringMatching(/@\d+$/) },
        written: false,
        inputs: 0,
      });
      expect(readFileSync(read, 'utf8'), name).not.toMatch(/fix the tests|\r/);
      await request(daemon, { cmd: 'kill', id });
    }
  });

  it('is waited for if the request says so', async () => {
    const agent = await startBoxAgent(daemon, ['ask=start']);
    await agent.drawn();
    const delivered = agent.deliver(TEXT, { on_question: 'wait' });
    expect(await agent.send('press', { keys: ['Enter'], as: 'someone' })).toMatchObject({ ok: true });
    expect(await delivered).toMatchObject({ outcome: 'submitted' });
    expect(agent.prompts()).toEqual([TEXT]);
  });

  it.each([0, 40, 80, 120])('that comes %i ms after the text is never answered', async (ms) => {
    const agent = await startBoxAgent(daemon, ['ask=paste', `ask-after=${ms}`]);
    expect(await agent.deliver(TEXT)).toMatchObject({ ...asking, written: true, delivered: { tries: 0 } });
    expect(agent.answers()).toEqual([]);
    expect(agent.prompts()).toEqual([]);
  });

  it.each([700, 1500, 3500])(
    'that comes %i ms after Enter was read, without a sign before, is never answered',
    async (ms) => {
      const agent = await startBoxAgent(daemon, [`think=${ms}`]);
      expect(await agent.deliver(TEXT)).toMatchObject({ outcome: 'question', written: true, delivered: { tries: 1 } });
      expect(agent.answers()).toEqual([]);
    },
  );

  it('that follows a prompt at once is not answered by an Enter for the prompt', async () => {
    const agent = await startBoxAgent(daemon, ['ask=enter']);
    expect(await agent.deliver(TEXT)).toMatchObject({
      outcome: 'submitted',
      delivered: { proof: 'message', tries: 1 },
    });
    expect(agent.answers()).toEqual([]);
    expect(agent.prompts()).toEqual([TEXT]);
  });
});

describe('a text', () => {
  it('of 64 KiB arrives whole, and a longer one is refused', async () => {
    const agent = await startBoxAgent(daemon, ['marker']);
    const long = `${'words and words '.repeat(4095)}the last ones...`;
    expect(long).toHaveLength(65_536);
    expect(await agent.deliver(long)).toMatchObject({ outcome: 'submitted' });
    expect(agent.prompts()).toEqual([long]);
    expect(await agent.deliver(`${long.slice(1)}é`)).toMatchObject({ ok: false, code: 'invalid_field' });
  });

  it.each([
    ['of one blank', ' '],
    ['of line breaks', '\n\n'],
    ['of controls', '\x1b\x07\x9b'],
  ])('%s is refused, since nothing could prove it', async (_, text) => {
    const agent = await startBoxAgent(daemon);
    expect(await agent.deliver(text)).toMatchObject({ ok: false, code: 'invalid_field' });
    expect(agent.prompts()).toEqual([]);
  });

  it('arrives without its control characters and the line breaks at its end', async () => {
    const agent = await startBoxAgent(daemon);
    expect(await agent.deliver('run\x1b[201~ it\r\n\x03now\r\n\n')).toMatchObject({ outcome: 'submitted', removed: 2 });
    expect(agent.prompts()).toEqual(['run[201~ it\nnow']);
  });

  it('is left in the box without Enter if the request says so', async () => {
    const agent = await startBoxAgent(daemon);
    expect(await agent.deliver(TEXT, { submit: false })).toMatchObject({ outcome: 'shown', delivered: { tries: 0 } });
    expect(agent.prompts()).toEqual([]);
    expect(await agent.deliver(TEXT, { on_draft: 'fail' })).toMatchObject({ outcome: 'draft' });
  });
});

describe('a key', () => {
  it('given twice at once, and later again, delivers once', async () => {
    const agent = await startBoxAgent(daemon);
    const [first, second] = await Promise.all([
      agent.deliver(TEXT, { key: 'one' }),
      agent.deliver(TEXT, { key: 'one' }),
    ]);
    const third = await agent.deliver(TEXT, { key: 'one' });
    expect(first).toMatchObject({ outcome: 'submitted' });
    expect([second, third].map(({ repeated }) => repeated)).toEqual([true, true]);
    expect({ ...third, repeated: undefined }).toEqual({ ...first, repeated: undefined });
    expect(agent.prompts()).toEqual([TEXT]);
  });

  it('with another text is refused', async () => {
    const agent = await startBoxAgent(daemon);
    await agent.deliver(TEXT, { key: 'one' });
    expect(await agent.deliver('another', { key: 'one' })).toMatchObject({ ok: false, code: 'key_reused' });
    expect(agent.prompts()).toEqual([TEXT]);
  });

  it('is free again after a restart, and if nothing was written', async () => {
    const agent = await startBoxAgent(daemon, ['ask=start']);
    await agent.drawn();
    expect(await agent.deliver(TEXT, { key: 'one' })).toMatchObject({ outcome: 'question' });
    await agent.send('press', { keys: ['Enter'] });
    await agent.boxed();
    expect(await agent.deliver(TEXT, { key: 'one' })).toMatchObject({ outcome: 'submitted' });
    await agent.send('kill', { keep: true });
    expect(await agent.send('restart')).toMatchObject({ ok: true });
    await agent.drawn();
    await agent.send('press', { keys: ['Enter'] });
    await agent.boxed();
    const after = await agent.deliver(TEXT, { key: 'one' });
    expect(after).toMatchObject({ outcome: 'submitted' });
    expect(after.repeated).toBeUndefined();
    expect(agent.prompts()).toEqual([TEXT, TEXT]);
  });
});

describe('with others', () => {
  it('two prompts at once arrive one after the other', async () => {
    const agent = await startBoxAgent(daemon);
    const receipts = await Promise.all([agent.deliver('first prompt'), agent.deliver('second prompt')]);
    expect(receipts.map(({ outcome }) => outcome)).toEqual(['submitted', 'submitted']);
    expect(agent.prompts()).toEqual(['first prompt', 'second prompt']);
  });

  it('a key waits for Enter and is no part of the prompt', async () => {
    const agent = await startBoxAgent(daemon);
    await agent.drawn();
    const delivered = agent.deliver(TEXT);
    await expect.poll(async () => (await agent.send('status'))['inputs']).toBe(1);
    const typed = await agent.send('type', { text: 'x', as: 'other' });
    expect(typed).toMatchObject({ ok: true });
    await delivered;
    expect(agent.prompts()).toEqual([TEXT]);
  });

  it('a key that has waited for 2 s goes first, and there is no Enter', async () => {
    const agent = await startBoxAgent(daemon, ['deaf']);
    await agent.drawn();
    const delivered = agent.deliver(TEXT);
    await expect.poll(async () => (await agent.send('status'))['inputs']).toBe(1);
    expect(await agent.send('press', { keys: ['Enter'], as: 'other' })).toMatchObject({ ok: true });
    expect(await delivered).toMatchObject({ outcome: 'others_typed', delivered: { submitted_ms: null } });
  });

  /** The moment at which a person types, what the agent does so that it lasts, and which inputs have come by then. */
  it.each([
    ['before the agent has drawn its box', ['start=1500'], 0, ['draft']],
    ['while the agent has not read the text', ['deaf'], 1, ['others_typed']],
    ['while the box does not show the text', ['echo-late=700'], 1, ['submitted', 'others_typed']],
    ['between the text and Enter', [], 1, ['submitted', 'others_typed']],
    ['while there is no proof of an Enter', ['mute=all'], 2, ['others_typed', 'not_submitted']],
  ])('a person who types %s mixes no drafts, and gets no Enter', async (_, args, inputs, outcomes) => {
    const agent = await startBoxAgent(daemon, args);
    if (inputs > 0) await agent.drawn();
    const delivered = agent.deliver(TEXT, { on_draft: 'fail' });
    await expect.poll(async () => (await agent.send('status'))['inputs']).toBe(inputs);
    expect(await agent.send('type', { text: 'x', as: 'person' })).toMatchObject({ ok: true });
    const { outcome } = await delivered;
    expect(outcomes).toContain(outcome);
    expect(agent.prompts()).toEqual(outcome === 'submitted' ? [TEXT] : []);
  });

  it('of deliveries that wait for one terminal, 64 are kept, and the next one is refused', async () => {
    const agent = await startBoxAgent(daemon, ['ask=start']);
    await agent.drawn();
    const waiting = Array.from({ length: 65 }, (__, i) =>
      agent.deliver(`prompt ${i}`, { on_question: 'wait', timeout_ms: 3000 }),
    );
    const receipts = await Promise.all(waiting);
    expect(receipts.filter(({ code }) => code === 'too_many_waits')).toHaveLength(1);
    expect(receipts.filter(({ outcome }) => outcome === 'question')).toHaveLength(64);
    expect(agent.prompts()).toEqual([]);
  });

  it('a name that holds the terminal is waited for, until the deadline', async () => {
    const agent = await startBoxAgent(daemon);
    await agent.drawn();
    expect(await agent.send('control', { action: 'take', as: 'other' })).toMatchObject({ ok: true });
    expect(await agent.deliver(TEXT, { timeout_ms: 300 })).toMatchObject({ ok: false, code: 'control_held' });
    const delivered = agent.deliver(TEXT);
    await agent.send('control', { action: 'release', as: 'other' });
    expect(await delivered).toMatchObject({ outcome: 'submitted' });
  });

  it('inputs that the request does not count prevent it', async () => {
    const agent = await startBoxAgent(daemon);
    expect(await agent.deliver(TEXT, { if_inputs: 3 })).toMatchObject({ outcome: 'others_typed', written: false });
    expect(await agent.deliver(TEXT, { if_inputs: 0 })).toMatchObject({ outcome: 'submitted', inputs: 1 });
  });
});

const WITHOUT_PROC: Sandbox = ['bwrap', '--dev-bind', '/', '/', '--tmpfs', '/proc'];

itIn(WITHOUT_PROC)(
  'without /proc nothing is said of what was read, and the prompt arrives by what the box shows',
  async () => {
    const node = path.join(daemon.dir, 'node-without-proc');
    writeFileSync(node, `#!/bin/sh\nexec ${WITHOUT_PROC.join(' ')} ${process.execPath} "$@"\n`, { mode: 0o755 });
    const blind = await startDaemon({ node });
    try {
      const agent = await startBoxAgent(blind);
      expect(await agent.deliver(TEXT)).toMatchObject({
        outcome: 'submitted',
        delivered: { seen_ms: null, shown_ms: expect.any(Number), proof: expect.stringMatching(/^(?:box|message)$/) },
      });
      expect(agent.prompts()).toEqual([TEXT]);
    } finally {
      await blind.stop();
    }
  },
);

describe('to a program without rules', () => {
  const noRules = { rules: 'none' };

  it('its own report is the proof', async () => {
    const agent = await startBoxAgent(daemon, ['status'], noRules);
    expect(await agent.deliver(TEXT)).toMatchObject({ outcome: 'submitted', delivered: { proof: 'report' } });
    expect(agent.prompts()).toEqual([TEXT]);
  });

  it('without one, Enter is pressed once, and nothing is proved', async () => {
    const agent = await startBoxAgent(daemon, [], noRules);
    expect(await agent.deliver(TEXT)).toMatchObject({ outcome: 'not_submitted', delivered: { proof: null, tries: 1 } });
  });

  it('a line that it has read is the proof', async () => {
    const { id } = await request(daemon, {
      cmd: 'create',
      cmd_args: ['sh', '-c', 'printf "Name: "; read name; echo "<$name>"; sleep 100'],
    });
    expect(await request(daemon, { cmd: 'deliver', id, text: 'Ada' })).toMatchObject({
      outcome: 'submitted',
      delivered: { proof: 'read' },
    });
    expect(await request(daemon, { cmd: 'wait', id, until: { text: '<Ada>' } })).toMatchObject({ outcome: 'matched' });
  });

  it('a password is none', async () => {
    const { id } = await request(daemon, {
      cmd: 'create',
      cmd_args: ['sh', '-c', 'stty -echo; read secret; sleep 100'],
    });
    expect(await request(daemon, { cmd: 'deliver', id, text: 'Ada' })).toMatchObject({
      outcome: 'question',
      written: false,
    });
  });

  it('a shell is not ready', async () => {
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['bash', '--norc', '-i'] });
    expect(await request(daemon, { cmd: 'deliver', id, text: 'ls', timeout_ms: 1500 })).toMatchObject({
      outcome: 'not_ready',
      written: false,
      hint: expect.stringContaining('t4a run'),
    });
  });
});

describe('as the action of a trigger', () => {
  it('a prompt is delivered when its time has come', async () => {
    const agent = await startBoxAgent(daemon);
    await agent.send('trigger', { when: { after_ms: 1 }, do: [{ deliver: TEXT }], as: 'timer' });
    await expect.poll(() => agent.prompts(), { timeout: 20_000 }).toEqual([TEXT]);
  });

  it('one that was not delivered is a failure of the trigger', async () => {
    const agent = await startBoxAgent(daemon, ['ask=start']);
    await agent.drawn();
    await agent.send('trigger', { when: { after_ms: 1 }, do: [{ deliver: { text: TEXT } }], as: 'timer' });
    await expect
      .poll(
        async () => ((await agent.send('triggers')) as { triggers: { last_error: string }[] }).triggers[0]?.last_error,
        {
          timeout: 20_000,
        },
      )
      .toContain('question');
    expect(agent.answers()).toEqual([]);
  });
});
