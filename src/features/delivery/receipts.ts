/** Receipts of one terminal by the keys of its deliveries: the same key and text again deliver nothing more. Bounded; until `restart`. */
import { createHash } from 'node:crypto';
import { PartKey } from '../../base/parts.js';
import { quote, T4aError } from '../../protocol/errors.js';
import { MAX_DELIVERY_KEYS } from '../../protocol/delivery.js';
import type { Reply } from '../../protocol/registry.js';
import type { Terminal } from '../../terminal/terminal.js';

export type Receipt = Reply<'deliver'>;

interface Kept {
  readonly digest: string;
  readonly receipt: Promise<Receipt>;
  /** Requests that wait for it; once all have gone, the delivery ends. */
  readonly askers: Set<AbortSignal>;
  readonly end: AbortController;
  isOver: boolean;
  /** Once it is over. */
  given: Receipt | undefined;
}

interface Kept64 {
  readonly generation: number;
  readonly byKey: Map<string, Kept>;
}

const RECEIPTS = new PartKey<Kept64>(() => ({ generation: 0, byKey: new Map() }));

/** By the id of the terminal. */
export type FrozenReceipts = ReadonlyMap<string, FrozenTerminalReceipts>;

interface FrozenTerminalReceipts {
  readonly generation: number;
  readonly receipts: readonly { readonly key: string; readonly digest: string; readonly receipt: Receipt }[];
}

/** Of deliveries that are over: of the others nothing was written. */
export function frozenReceipts(terminals: readonly Terminal[]): FrozenReceipts {
  return new Map(
    terminals.flatMap((terminal) => {
      const { generation, byKey } = terminal.part(RECEIPTS).value;
      const receipts = Array.from(byKey, ([key, { digest, given }]) =>
        given === undefined ? [] : [{ key, digest, receipt: given }],
      ).flat();
      return receipts.length === 0 ? [] : [[terminal.id, { generation, receipts }] as const];
    }),
  );
}

export function restoreReceipts(terminal: Terminal, { generation, receipts }: FrozenTerminalReceipts): void {
  const byKey = new Map(receipts.map(({ key, digest, receipt }) => [key, overBefore(digest, receipt)] as const));
  terminal.part(RECEIPTS).value = { generation, byKey };
}

/** Of a delivery in the daemon before. */
function overBefore(digest: string, receipt: Receipt): Kept {
  const end = new AbortController();
  return { digest, receipt: Promise.resolve(receipt), askers: new Set(), end, isOver: true, given: receipt };
}

/** @throws T4aError key_reused, and what `deliver` throws */
export async function withReceipt(
  terminal: Terminal,
  key: string,
  text: string,
  signal: AbortSignal,
  deliver: (signal: AbortSignal) => Promise<Receipt>,
): Promise<Receipt> {
  const byKey = receiptsOf(terminal);
  const digest = createHash('sha256').update(text).digest('hex');
  const before = byKey.get(key);
  if (before === undefined) return awaited(begun(byKey, key, digest, deliver), signal);
  if (before.digest !== digest) {
    throw new T4aError(
      'key_reused',
      `The key ${quote(key)} names a delivery of another text to ${quote(terminal.id)}.`,
      {
        field: 'key',
        hint: 'Give each prompt a key of its own.',
      },
    );
  }
  return { ...(await awaited(before, signal)), repeated: true };
}

function receiptsOf(terminal: Terminal): Map<string, Kept> {
  const part = terminal.part(RECEIPTS);
  const { generation } = terminal;
  if (part.value.generation !== generation) part.value = { generation, byKey: new Map() };
  return part.value.byKey;
}

function begun(
  byKey: Map<string, Kept>,
  key: string,
  digest: string,
  deliver: (signal: AbortSignal) => Promise<Receipt>,
): Kept {
  const end = new AbortController();
  const kept: Kept = { digest, askers: new Set(), end, isOver: false, given: undefined, receipt: deliver(end.signal) };
  byKey.set(key, kept);
  for (const [oldest, { isOver }] of byKey) {
    if (byKey.size <= MAX_DELIVERY_KEYS) break;
    if (isOver) byKey.delete(oldest);
  }
  const forget = (): void => {
    if (byKey.get(key) === kept) byKey.delete(key);
  };
  kept.receipt.then((receipt) => {
    const { written } = receipt;
    kept.isOver = true;
    kept.given = receipt;
    // Nothing has reached the program, so that it can be tried anew.
    if (!written) forget();
  }, forget);
  return kept;
}

async function awaited(kept: Kept, signal: AbortSignal): Promise<Receipt> {
  signal.throwIfAborted();
  kept.askers.add(signal);
  let leave: (() => void) | undefined;
  const gone = new Promise<never>((_, reject) => {
    leave = () => {
      kept.askers.delete(signal);
      if (kept.askers.size === 0) kept.end.abort(signal.reason);
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([kept.receipt, gone]);
  } finally {
    if (leave !== undefined) signal.removeEventListener('abort', leave);
    kept.askers.delete(signal);
  }
}
