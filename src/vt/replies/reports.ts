/**
 * Answers that the library does not give, or gives wrong: XTVERSION, sizes in pixels, DECSCNM's state, the place
 * of the cursor (CPR), and the settings that DECRQSS asks for (the library always answers `0m`).
 *
 * Not answered, on purpose: the title (CSI 21 t) and the clipboard (OSC 52 ?), since the answer would be typed text of
 * a program's choice; XTGETTCAP.
 */
import type { Emulator } from '../xterm/emulator.js';
import type { SequenceParams } from '../xterm/patch-target.js';
import { sgrParameters } from '../rows/sgr.js';

export interface ReportedSizes {
  readonly cellWidth: number;
  readonly cellHeight: number;
}

const CURSOR_STYLE = { block: 2, underline: 4, bar: 6 } as const;

export function answerReports(
  emulator: Emulator,
  version: string,
  sizes: ReportedSizes,
  reply: (bytes: string) => void,
): void {
  emulator.onCsi({ prefix: '>', final: 'q' }, ([kind]) => {
    if (kind === 0 || kind === undefined) reply(`\x1bP>|t4a ${version}\x1b\\`);
    return true;
  });
  for (const prefix of ['', '?']) {
    emulator.onCsi({ final: 'n', ...(prefix === '' ? {} : { prefix }) }, ([kind]) => {
      if (kind === 6) reply(`\x1b[${prefix}${cursorPosition(emulator)}R`);
      return kind === 6;
    });
  }
  emulator.onCsi({ final: 't' }, ([operation, detail]) => {
    const report = sizeReport(emulator, sizes, operation, detail);
    if (report !== undefined) reply(report);
    return report !== undefined;
  });
  emulator.onDcs({ intermediates: '$', final: 'q' }, (setting) => {
    const report = settingReport(emulator, setting);
    if (report !== undefined) reply(`\x1bP1$r${report}\x1b\\`);
    return report !== undefined;
  });
}

/** A program that asks once more has timed out, or another one has begun, which prints. */
const MOST_UNCHANGED = 4;

/**
 * With its own bytes, as the protocol has it: a program that gets them back reports its status (OSC 7501). So an answer that comes back,
 * as from a terminal without echo behind a relay, is a question again. It changes no screen: after a few in a row there is no answer,
 * and the echo ends.
 *
 * @param rev of the screen, which a program that prints changes
 */
export function answerStatusQuery(emulator: Emulator, reply: (bytes: string) => void, rev: () => number): void {
  let unchanged = { rev: -1, answers: 0 };
  emulator.onOsc(7501, (body) => {
    if (body !== '?') return false;
    const now = rev();
    unchanged = { rev: now, answers: unchanged.rev === now ? unchanged.answers + 1 : 1 };
    if (unchanged.answers <= MOST_UNCHANGED) reply(`\x1b]7501;?${emulator.controlStrings.oscTerminator}`);
    return false;
  });
}

/**
 * Report of the cursor: from the top of the region in origin mode; after a full row in its last column. The library does neither.
 */
function cursorPosition({ buffer, terminal, internals }: Emulator): string {
  const top = internals.coreService.decPrivateModes.origin ? buffer.scrollTop : 0;
  return `${buffer.y - top + 1};${Math.min(buffer.x, terminal.cols - 1) + 1}`;
}

type Param = SequenceParams[number] | undefined;

function sizeReport(emulator: Emulator, sizes: ReportedSizes, operation: Param, detail: Param): string | undefined {
  const { cellWidth, cellHeight } = sizes;
  const { cols, rows } = emulator.terminal;
  // 14;2 asks for the window, which has no frame here: the same pixels.
  const ofWindow = detail === undefined || detail === 0 || detail === 2;
  if (operation === 14 && ofWindow) return `\x1b[4;${rows * cellHeight};${cols * cellWidth}t`;
  if (operation === 16) return `\x1b[6;${cellHeight};${cellWidth}t`;
  return undefined;
}

function settingReport({ internals, terminal }: Emulator, setting: string): string | undefined {
  if (setting === 'm') return `${sgrParameters(internals._inputHandler._curAttrData)}m`;
  if (setting !== ' q') return undefined;
  const { cursorStyle, cursorBlink } = internals.coreService.decPrivateModes;
  const blink = cursorBlink ?? terminal.options.cursorBlink ?? false;
  return `${CURSOR_STYLE[cursorStyle ?? 'block'] - (blink ? 1 : 0)} q`;
}
