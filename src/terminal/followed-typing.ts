/** What was typed into a terminal, for its waits: input and readers as they come, and signs of a line editor. */
import type { Clock } from '../base/clock.js';
import type { Reader } from '../events/waits/typed-line.js';
import { TypedText } from '../events/waits/typed-text.js';
import { parseSttyFlags } from '../events/awaiting-input.js';
import { isInteractiveShell } from './system/proc/shell-process.js';
import { canProbeInput } from './system/proc/input-probe.js';
import type { Detectors } from './detectors.js';
import type { Feed } from './feed.js';
import type { Stty } from './system/stty.js';

interface FollowedTerminal {
  readonly pid: number;
  readonly feed: Feed;
  readonly screen: Detectors['screen'];
  readonly device: string;
  readonly clock: Clock;
}

/** Where nothing tells who reads, each line is taken for read. */
const UNKNOWN_READER: Reader = { kind: 'line', secrecy: 'shown' };
/** From the first mark of a prompt to the read of the line editor. */
const PROMPT_MS = 20;
const SHELL_PROMPT: Reader = { kind: 'raw', secrecy: 'shown' };

export function followTyped(terminal: FollowedTerminal, stty: Stty, detectors: Detectors): TypedText {
  const { pid, device, feed, screen, clock } = terminal;
  const { shell } = detectors;
  /** The last one; `isWaiting` until the next Enter. */
  let last: (Reader & { readonly pid: number }) | undefined;
  let isWaiting = false;
  let marksAtEnter = -1;
  const reader = (): Reader | undefined => {
    if (!canProbeInput) return UNKNOWN_READER;
    // The marks of a shell that has just been sent a line are on their way. One that has just marked its prompt may not read yet.
    const isQuiet = clock.now() - detectors.lastBytesAtMs >= PROMPT_MS;
    if (isQuiet && shell.atPrompt && shell.marksSeen !== marksAtEnter) return SHELL_PROMPT;
    return isWaiting ? last : undefined;
  };
  const watchEditor = (): ReturnType<ConstructorParameters<typeof TypedText>[0]['watchEditor']> => {
    const watching = watchForPaste(feed);
    const prompts = shell.promptsSeen;
    return {
      isSeen: async () => {
        if (watching.isSeen() || shell.promptsSeen > prompts) return true;
        // A shell that marks its prompts has drawn none. Others, and interpreters, may take over with their next read.
        const isMarking = shell.marksSeen > 0 && shell.marksOff === undefined;
        if (last?.kind === 'raw' && !(isMarking && last.pid === pid)) return true;
        if (!isMarking && isInteractiveShell(pid)) return true;
        // As of an interpreter that runs a line in the mode in which it reads.
        const flags = parseSttyFlags((await stty.ask('-a', device)) ?? '');
        return flags?.canonical === false;
      },
      dispose: () => watching.dispose(),
    };
  };
  const typed = new TypedText({ screen, clock, reader, watchEditor });
  const following = feed.add({
    onInput: (bytes, isSecret) => {
      typed.onInput(bytes, isSecret);
      if (!bytes.includes(CARRIAGE_RETURN) && !bytes.includes(LINE_FEED)) return;
      isWaiting = false;
      marksAtEnter = shell.marksSeen;
    },
    onEvent: (event) => {
      if (event.event !== 'awaiting_input') return;
      const { kind, secrecy, pid: own } = event;
      last = { kind, secrecy, pid: own };
      isWaiting = true;
      typed.onReader(last);
    },
    onExit: () => {
      typed.onEnd();
      following.dispose();
    },
  });
  return typed;
}

const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;

/** Line editors ask for marks around pastes whenever they begin to read a line. */
const BRACKETED_PASTE = Buffer.from('\x1b[?2004h');

function watchForPaste(feed: Feed): { isSeen(): boolean; dispose(): void } {
  let isSeen = false;
  /** The end of the last output, which may be the beginning of the sequence. */
  let rest = Buffer.alloc(0);
  const watching = feed.add({
    onBytes: ({ buffer, byteOffset, byteLength }) => {
      if (isSeen) return;
      const bytes = Buffer.from(buffer, byteOffset, byteLength);
      const seam = Buffer.concat([rest, bytes.subarray(0, BRACKETED_PASTE.length)]);
      isSeen = seam.includes(BRACKETED_PASTE) || bytes.includes(BRACKETED_PASTE);
      rest = Buffer.from(
        Buffer.concat([rest, bytes.subarray(-BRACKETED_PASTE.length)]).subarray(1 - BRACKETED_PASTE.length),
      );
    },
  });
  return { isSeen: () => isSeen, dispose: () => watching.dispose() };
}
