/** The two ways of a call: a program of this machine, or one request to an address. Neither may last. */
import { spawn } from 'node:child_process';
import type { NotifyRule } from '../../protocol/triggers.js';
import type { Call, Send } from './notifier.js';

const WEBHOOK_MS = 5000;
const COMMAND_MS = 10_000;

export const send: Send = (call, rule) => (rule.command === undefined ? post(call, rule) : run(call, rule.command));

function run({ title, terminal }: Call, command: readonly string[]): Promise<void> {
  const words = { title, terminal: terminal ?? '' };
  const [program = '', ...args] = command.map((one) =>
    one.replaceAll(/\{(title|terminal)\}/g, (_, name: keyof typeof words) => words[name]),
  );
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'ignore', timeout: COMMAND_MS, killSignal: 'SIGKILL' });
    child.once('error', ({ message }) => reject(new Error(`${JSON.stringify(program)} did not start: ${message}.`)));
    child.once('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${JSON.stringify(program)} ended with ${signal ?? code}.`));
    });
  });
}

async function post(call: Call, { webhook = '', format, headers }: NotifyRule): Promise<void> {
  const { type, body } = bodyOf(call, format);
  // The path of an address is often its secret.
  const place = new URL(webhook).host;
  let response: Response;
  try {
    response = await fetch(webhook, {
      method: 'POST',
      headers: { 'Content-Type': type, ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(WEBHOOK_MS),
    });
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    const why = isLate ? `no answer within ${WEBHOOK_MS / 1000} s` : causeOf(error);
    throw new Error(`The webhook at ${place}: ${why}.`, { cause: error });
  }
  // What it says is of no use, and may have no end.
  await response.body?.cancel();
  if (response.status >= 300 && response.status < 400) {
    throw new Error(`The webhook at ${place} leads elsewhere: name the last address itself.`);
  }
  if (!response.ok) throw new Error(`The webhook at ${place} answered ${response.status}.`);
}

function bodyOf({ what, terminal, title, ts }: Call, format: NotifyRule['format']): { type: string; body: string } {
  if (format === 'text') return { type: 'text/plain; charset=utf-8', body: title };
  const type = 'application/json';
  if (format === 'json') return { type, body: JSON.stringify({ on: what, terminal, title, ts }) };
  const escaped = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return { type, body: JSON.stringify({ text: escaped }) };
}

/** Codes alone: what a message of the runtime quotes may be the address, or a header. */
function causeOf(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  const code = cause?.code;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code) ? code : 'its address or headers cannot be used';
}
