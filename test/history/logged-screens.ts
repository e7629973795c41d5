/** Logs of screens, and screens rebuilt from them. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { findPlace } from '../../src/history/find-place.js';
import { Replay } from '../../src/history/replay.js';
import { TerminalLog } from '../../src/history/terminal-log.js';
import type { LogMoment } from '../../src/protocol/moment.js';
import type { ReadableScreen } from '../../src/vt/readable-screen.js';
import type { Screen } from '../../src/vt/screen.js';
import { bytesOf, contentOf } from '../vt/screens.js';

export const unpack = (bytes: Uint8Array): Uint8Array => inflateRawSync(bytes);

/** Logs as the daemon does, with all that may be packed packed at once. */
export function logged(screen: Screen, now: () => number = () => 0): TerminalLog {
  const log = new TerminalLog({
    screen,
    now,
    seq: 0,
    onUnpacked: (chunk) => {
      const { keyframe, whole } = chunk.unpacked;
      log.packed(chunk, {
        ...(keyframe && { keyframe: deflateRawSync(Buffer.concat(keyframe)) }),
        ...(whole && { whole: deflateRawSync(whole) }),
      });
    },
  });
  let isResize = false;
  screen.onSlice.on((slice) => {
    isResize = slice.kind === 'resize';
    if (slice.kind === 'output') log.output(slice.bytes, screen.parsedBytes);
  });
  screen.onParsed.on(({ changed }) => {
    if (isResize) log.resized();
    else log.parsed(changed, screen.modes.synchronizedOutput);
  });
  return log;
}

export function shownBy(screen: ReadableScreen): object {
  const snapshot = screen.snapshot();
  return { ...contentOf(snapshot), rev: snapshot.rev, top: screen.firstShownNumber + screen.scrollbackLines };
}

export function replayed(log: TerminalLog, moment: LogMoment, nowMs = 0): Replay {
  const place = findPlace(log, moment, { nowMs, unpack, commandNumber: (n) => n, field: 'at' });
  const replay = new Replay(place.chunk, 100, unpack);
  for (const _step of replay.to(place)) continue;
  return replay;
}

export async function settled(screen: Screen, text: string): Promise<void> {
  screen.write(bytesOf(text));
  await screen.settle(60_000);
}
