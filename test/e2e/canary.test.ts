/**
 * Sends one password through every client to every kind of prompt, then searches all replies, events, logs and files of
 * the daemon and its clients for it. It may only appear where the program itself has shown it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, onTestFinished } from 'vitest';
import { connect, T4aError } from '../../src/client/index.js';
import { CLI, runCli } from '../support/cli.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { TestTerminal } from '../support/screen-fence.js';
import { promptShown, SECRET_PROMPTS, type SecretPrompt } from '../support/secret-prompts.js';
import { tempDir } from '../support/temp-dir.js';
import { casesOf } from '../support/trial.js';
import { EventStream } from '../support/wait-for.js';

const CANARY = 'canary-Zeisig-5583-hummed';

/** As text, in hexadecimal, and in base64 wherever it begins. */
const FORMS = [CANARY, Buffer.from(CANARY).toString('hex'), ...[0, 1, 2].map(inBase64)];

function inBase64(offset: number): string {
  const whole = Buffer.from(`${'x'.repeat(offset)}${CANARY}`).toString('base64');
  return whole.slice(offset === 0 ? 0 : 4, -4);
}

interface Sending {
  readonly daemon: TestDaemon;
  readonly id: string;
  readonly insist: boolean;
}

/** The sender's output, on any stream. */
interface Sent {
  readonly said: string;
  readonly done: boolean;
}

const WAYS: Readonly<Record<string, (sending: Sending) => Promise<Sent>>> = {
  async 'the command line, from a pipe'({ daemon, id, insist }) {
    const args = ['type', id, '--secret', '--submit', '--json', ...(insist ? ['--even-if-shown'] : [])];
    const { status, stdout, stderr } = await runCli(args, { socketPath: daemon.socketPath, input: `${CANARY}\n` });
    return { said: stdout + stderr, done: status === 0 };
  },

  async 'the command line, asked for on a terminal'({ daemon, id, insist }) {
    const args = ['--socket', daemon.socketPath, 'type', id, '--secret', '--submit'];
    if (insist) args.push('--even-if-shown');
    const window = await TestTerminal.start(daemon, [process.execPath, CLI, ...args]);
    await window.do('wait', { until: { text: 'not shown:' } });
    const typed = await window.do('type', { text: CANARY, submit: true, secret: true, even_if_shown: true });
    const { code } = await window.exited();
    const said = JSON.stringify([typed, await window.do('text', { region: 'all' }), await window.do('debug')]);
    await window.end();
    return { said, done: code === 0 };
  },

  async 'the socket'({ daemon, id, insist }) {
    const fields = { text: CANARY, secret: true, submit: true, even_if_shown: insist };
    const reply = await request(daemon, { cmd: 'paste', id, ...fields });
    return { said: JSON.stringify(reply), done: reply['ok'] === true };
  },

  async 'the library'({ daemon, id, insist }) {
    await using client = await connect({ socketPath: daemon.socketPath, autoStart: false });
    try {
      const reply = await client.call('send', { id, input: `${CANARY}\r`, secret: true, even_if_shown: insist });
      return { said: JSON.stringify(reply), done: true };
    } catch (error) {
      if (!(error instanceof T4aError)) throw error;
      return { said: `${error.stack} ${JSON.stringify([error, error.details])}`, done: false };
    }
  },

  async Python({ daemon, id, insist }) {
    const program = `import sys, t4a
with t4a.connect(sys.argv[1], auto_start=False) as client:
    word = sys.stdin.readline()[:-1]
    print(t4a.attach(sys.argv[2], client).type(word, submit=True, secret=True, even_if_shown=len(sys.argv) > 3))
`;
    const args = ['-B', '-c', program, daemon.socketPath, id, ...(insist ? ['insist'] : [])];
    const child = spawn('python3', args, { env: { ...process.env, PYTHONPATH: PYTHON_CLIENT } });
    onTestFinished(() => void (child.exitCode === null && child.kill('SIGKILL')));
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stdin.end(`${CANARY}\n`);
    const [status] = (await once(child, 'close')) as [number];
    return { said, done: status === 0 };
  },

  async 'the answer to a question, on the socket'({ daemon, id, insist }) {
    const asked = await secretAsked(daemon, id);
    const fields = { ask: asked.number, text: CANARY, even_if_shown: insist };
    const reply = await request(daemon, { cmd: 'answer', as: 'ada', ...fields });
    return { said: JSON.stringify([reply, await asked.ending()]), done: reply['ok'] === true };
  },

  async 'the answer to a question, on the command line'({ daemon, id, insist }) {
    const asked = await secretAsked(daemon, id);
    const args = ['answer', String(asked.number), '--json', ...(insist ? ['--even-if-shown'] : [])];
    const { status, stdout, stderr } = await runCli(args, { socketPath: daemon.socketPath, input: `${CANARY}\n` });
    return { said: stdout + stderr + JSON.stringify(await asked.ending()), done: status === 0 };
  },

  async 'a model by MCP'({ daemon, id, insist }) {
    const client = await modelOf(daemon);
    const fields = { id, text: CANARY, submit: true, secret: true, ...(insist ? { even_if_shown: true } : {}) };
    const result = await client.callTool({ name: 'type', arguments: fields });
    return { said: JSON.stringify(result), done: result.isError !== true };
  },
};

const models = new WeakMap<TestDaemon, Promise<McpClient>>();

/** One server for all prompts of a test. */
function modelOf(daemon: TestDaemon): Promise<McpClient> {
  let model = models.get(daemon);
  if (model === undefined) models.set(daemon, (model = newModel(daemon)));
  return model;
}

async function newModel({ socketPath }: TestDaemon): Promise<McpClient> {
  const client = new McpClient({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [CLI, '--socket', socketPath, 'mcp', '--profile', 'full'],
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' },
      stderr: 'ignore',
    }),
  );
  return client;
}

/** A question that waits for a secret; its end is what its asker gets, or it is withdrawn. */
async function secretAsked(daemon: TestDaemon, id: string) {
  const fields = { cmd: 'ask', as: `asker-of-${id}`, id, kind: 'secret', question: 'Password?', timeout_ms: 0 };
  const { ask } = await request(daemon, fields);
  return {
    number: Number(ask),
    async ending(): Promise<object> {
      const { asks } = await request(daemon, { cmd: 'asks' });
      const isOpen = (asks as { ask: number }[]).some((open) => open.ask === ask);
      return [asks, await request(daemon, { cmd: 'ask', [isOpen ? 'withdraw' : 'resume']: ask, observe: {} })];
    },
  };
}

/** Of each kind of prompt one, and one that is asked inside another terminal. */
const PROMPTS = casesOf(SECRET_PROMPTS, ({ name }) =>
  ['getpass', 'read -s inside script', 'a prompt that shows stars', "bash's prompt", 'cat'].includes(name),
);

/** Of the ways to the daemon one of each kind; the others come to it by the same requests. */
const SENDERS = casesOf(Object.keys(WAYS), (way) =>
  ['the command line, from a pipe', 'Python', 'a model by MCP', 'the answer to a question, on the socket'].includes(
    way,
  ),
);

/** A person decides that a secret may be shown. */
const MAY_INSIST = Object.keys(WAYS).filter((way) => way !== 'a model by MCP');

describe('a password appears only where the program has shown it, if it is sent by', () => {
  const needs = [...new Set(['python3', ...PROMPTS.flatMap((prompt) => prompt.needs)])];
  itNeeds(...needs).each(SENDERS)('%s', async (name) => {
    const daemon = await startDaemon();
    onTestFinished(() => daemon.stop());
    await request(daemon, { cmd: 'config', log_level: 'debug' });
    const events = await EventStream.open(daemon.socketPath);
    onTestFinished(() => events.close());

    const found = await Promise.all(PROMPTS.map((prompt) => sentTo(prompt, name, daemon)));

    await request(daemon, { cmd: 'create', name: 'fence', cmd_args: ['true'] });
    expectNowhere('an event', await textOfEvents(events));
    const again = await EventStream.open(daemon.socketPath, { since: 0 });
    expectNowhere('an event that is kept', await textOfEvents(again));
    again.close();
    for (const cmd of ['list', 'stats', 'config', 'ping']) {
      expectNowhere(cmd, JSON.stringify(await request(daemon, { cmd })));
    }
    expectNowhere('the log', daemon.log());
    expect(daemon.log()).toContain('debug');
    for (const dir of [daemon.dir, process.env['HOME'] ?? '', process.env['T4A_TEST_CACHE_HOME'] ?? '']) {
      for (const [file, text] of textsBelow(dir)) expectNowhere(file, text);
    }
    // The search can find it: programs that show what is typed have shown it, where somebody insisted.
    const shown = PROMPTS.filter(({ shows }) => shows && MAY_INSIST.includes(name));
    expect(found.filter((text) => text.includes(CANARY))).toHaveLength(shown.length);
  });
});

/** @returns what the terminal then shows */
async function sentTo(prompt: SecretPrompt, wayName: string, daemon: TestDaemon): Promise<string> {
  const { name, shows, secrecy } = prompt;
  const send = WAYS[wayName] as (typeof WAYS)[string];
  // What a program writes into its history is its own.
  const env = { TMUX: '', HOME: tempDir().path };
  const terminal = await TestTerminal.start(daemon, prompt.command(daemon.dir), { env });
  await promptShown(terminal, prompt);
  const sent = await send({ daemon, id: terminal.id, insist: false });
  expectNowhere(`the answer for ${name}`, sent.said);
  expect(sent.done, `${name}: ${sent.said}`).toBe(secrecy === 'hidden');
  let isShown = false;
  if (!sent.done) {
    expect(sent.said).toMatch(/would_echo|shows what is typed/);
    expectNowhere(`the screen of ${name} after the refusal`, await allOf(terminal));
    const insisted = await send({ daemon, id: terminal.id, insist: true });
    expectNowhere(`the answer for ${name}, insisting`, insisted.said);
    expect(insisted.done, insisted.said).toBe(MAY_INSIST.includes(wayName));
    isShown = shows && insisted.done;
  }
  if (isShown) await terminal.do('wait', { until: { text: CANARY } });
  else if (secrecy === 'hidden') await terminal.do('wait', { until: { text: `length ${CANARY.length}` } });
  const all = await allOf(terminal);
  if (!isShown) expectNowhere(name, all);
  await terminal.end();
  return all;
}

async function allOf(terminal: TestTerminal): Promise<string> {
  const replies = [
    await terminal.do('text', { region: 'all' }),
    await terminal.do('debug', { tail_bytes: 16_384 }),
    await terminal.do('status'),
    await terminal.do('commands'),
  ];
  return JSON.stringify(replies);
}

/** Up to the fence. */
async function textOfEvents(events: EventStream): Promise<string> {
  const seen: unknown[] = [];
  for (;;) {
    const event = await events.next();
    if (event['terminal'] === 'fence') return JSON.stringify(seen);
    seen.push(event);
  }
}

/** Of all files. One that is renamed meanwhile, as a cache is that another process writes, is looked for again. */
function textsBelow(dir: string): Map<string, string> {
  const texts = new Map<string, string>();
  for (let isWhole = false; !isWhole;) {
    isWhole = true;
    for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (!entry.isFile() || texts.has(file)) continue;
      try {
        texts.set(file, readFileSync(file, 'latin1'));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        isWhole = false;
      }
    }
  }
  return texts;
}

function expectNowhere(where: string, text: string): void {
  for (const form of FORMS) expect(text.includes(form), `${form} is in ${where}`).toBe(false);
}

const PYTHON_CLIENT = fileURLToPath(new URL('../../clients/python/', import.meta.url));
