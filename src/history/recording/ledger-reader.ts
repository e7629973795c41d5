/** Reads a ledger: see ledger-frame.ts. A last frame that is torn is left out. */
import {
  EXIT,
  GAP,
  LEDGER_VERSION,
  LOOK,
  MARK,
  OUTPUT,
  readVarint,
  REPAINT,
  RESIZE,
  START,
  TIME_BYTES,
} from './ledger-frame.js';
import {
  checkedGrid,
  invalid,
  MAX_RECORDED_EVENT_BYTES,
  type RecordingEvent,
  type RecordingReader,
  type RecordingStart,
  Timeline,
} from './recording-event.js';

/** Bound of a ledger. Our own writer has at most a quarter of that. */
const MAX_BYTES = 4 * 1024 ** 3;
const NANOSECONDS = 1e9;

/** Whether these are the first bytes of a ledger: its first frame is JSON, which begins like this. */
export function isLedger(head: Uint8Array): boolean {
  const length = readVarint(head, 0);
  if (length === undefined || head[length.end] !== START) return false;
  const at = length.end + 1 + TIME_BYTES;
  return Buffer.from(head.subarray(at, at + MAGIC.length)).toString('latin1') === MAGIC;
}

const MAGIC = '{"ledger":';

export class LedgerReader implements RecordingReader {
  readonly format = 'ledger';
  readonly #times = new Timeline();
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /** The pending bytes have no whole frame below that. */
  #wanted = 0;
  #read = 0;
  #startNanoseconds: bigint | undefined;
  #lastKind: number | undefined;
  #gaps = 0;

  get repaired(): number {
    return this.#times.repaired;
  }

  /** The program has ended, and nothing is missing. */
  get complete(): boolean {
    return this.#pendingBytes === 0 && this.#lastKind === EXIT && this.#gaps === 0;
  }

  push(bytes: Uint8Array): readonly RecordingEvent[] {
    const events: RecordingEvent[] = [];
    this.#pending.push(bytes.slice());
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes < this.#wanted) return events;
    const [only] = this.#pending;
    const all = this.#pending.length === 1 && only !== undefined ? only : Buffer.concat(this.#pending);
    let at = 0;
    for (let end = this.#frameAt(all, at, events); end !== undefined; end = this.#frameAt(all, at, events)) at = end;
    this.#read += at;
    if (this.#read > MAX_BYTES) throw invalid('The ledger', `is longer than ${MAX_BYTES} bytes`);
    const rest = all.subarray(at);
    this.#pending = [rest];
    this.#pendingBytes = rest.length;
    this.#wanted = wantedOf(rest);
    return events;
  }

  end(): readonly RecordingEvent[] {
    if (this.#startNanoseconds === undefined) throw invalid('The ledger', 'ends before its first frame does');
    return [];
  }

  /** @returns the end of the frame; undefined if it is cut off */
  #frameAt(bytes: Uint8Array, at: number, events: RecordingEvent[]): number | undefined {
    const length = readVarint(bytes, at);
    if (length === undefined) return undefined;
    const where = `the frame at byte ${this.#read + at}`;
    if (!(length.value <= MAX_RECORDED_EVENT_BYTES))
      throw invalid(where, `is longer than ${MAX_RECORDED_EVENT_BYTES} bytes`);
    const payloadAt = length.end + 1 + TIME_BYTES;
    const end = payloadAt + length.value;
    const kind = bytes[length.end];
    if (end > bytes.length || kind === undefined) return undefined;
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    this.#take(
      kind,
      { payload: bytes.subarray(payloadAt, end), time: view.getBigInt64(length.end + 1, true), where },
      events,
    );
    return end;
  }

  #take(kind: number, { payload, time, where }: Frame, events: RecordingEvent[]): void {
    if (this.#startNanoseconds === undefined) {
      if (kind !== START) throw invalid(where, 'is no start of a ledger');
      this.#startNanoseconds = time;
      events.push({ ...startOf(payload, where), startedAtMs: Number(time / 1_000_000n) });
      return;
    }
    const atMs = this.#times.at(Number(time - this.#startNanoseconds) / NANOSECONDS, where);
    // A writer makes none: a file of zeros would have any number of them.
    if (payload.length === 0 && kind === OUTPUT) throw invalid(where, 'is empty');
    // Rules may read a screen after the end, and a marker may be set on it.
    if (kind === OUTPUT || kind === REPAINT || kind === EXIT) this.#lastKind = kind;
    if (kind === OUTPUT || kind === REPAINT) events.push({ kind: 'output', atMs, bytes: payload });
    if (kind === RESIZE) events.push({ kind: 'resize', atMs, ...gridOf(text(payload), where) });
    if (kind === EXIT) events.push({ kind: 'exit', atMs, status: statusOf(text(payload), where) });
    if (kind === LOOK) events.push({ kind: 'look', atMs, isLast: text(payload) === 'last' });
    if (kind === MARK) events.push({ kind: 'marker', atMs, label: text(payload) });
    if (kind === GAP) this.#gaps++;
  }
}

interface Frame {
  readonly payload: Uint8Array;
  readonly time: bigint;
  readonly where: string;
}

/** Bytes that complete the first frame, so that a long one is not joined again with each part of the file. */
function wantedOf(rest: Uint8Array): number {
  const length = readVarint(rest, 0);
  return length === undefined ? 0 : length.end + 1 + TIME_BYTES + length.value;
}

function startOf(payload: Uint8Array, where: string): RecordingStart {
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(text(payload)) as Record<string, unknown>;
  } catch {
    throw invalid(where, 'is no start of a ledger');
  }
  const { ledger, terminal, command, cols, rows } = fields ?? {};
  if (ledger !== LEDGER_VERSION) {
    const version = typeof ledger === 'number' ? String(ledger) : '?';
    throw invalid(where, `is of version ${version}: expected ${LEDGER_VERSION}`, 'A newer t4a may have written it.');
  }
  const isCommand = Array.isArray(command) && command.every((word) => typeof word === 'string');
  const commandLine = isCommand ? command : [];
  return {
    kind: 'start',
    ...checkedGrid(cols, rows, where),
    command: commandLine.join(' '),
    commandLine,
    ...(typeof terminal === 'string' ? { terminal } : {}),
  };
}

function text(payload: Uint8Array): string {
  return Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString('utf8');
}

function gridOf(size: string, where: string): { readonly cols: number; readonly rows: number } {
  const [, cols, rows] = /^(\d{1,5})x(\d{1,5})$/.exec(size) ?? [];
  return checkedGrid(Number(cols), Number(rows), where);
}

function statusOf(status: string, where: string): number {
  if (!/^-?\d{1,10}$/.test(status)) throw invalid(where, 'has no exit status');
  return Number(status);
}
