/**
 * What is changed in @xterm/headless, and what of it this room replaces: the fork that we would otherwise keep. Every change
 * is a row here, which docs/decisions/xterm-fork.md shows; a test compares the two, and finds changes that have no row.
 */
import { limitClusters } from './cluster-limit.js';
import { limitCounts } from './count-limits.js';
import { eraseAboveWithinScreen } from './erase-above.js';
import { keepClearedRows } from './kept-cleared.js';
import { reuseEmptyParts } from './line-reuse.js';
import { copyOwnClusters } from './own-clusters.js';
import type { PatchTarget } from './patch-target.js';
import { printPlainRuns } from './plain-print.js';
import { saveWholePen } from './saved-pen.js';
import { saveByRow } from './saved-row.js';
import { scrollAsXterm } from './scrolled-rows.js';
import { blankSplitCharacters } from './split-wide.js';
import { resetUnderlineColor } from './underline-color.js';

export interface Patch {
  /** Name of its file. */
  readonly id: string;
  /** Parts of the library that it replaces or asks first. */
  readonly changes: readonly string[];
  readonly why: string;
  /** Place at which the library does otherwise, or at which the matter is discussed. */
  readonly upstream: string;
  /** The file of the test, below test/vt/xterm. */
  readonly test: string;
  readonly goesWhen: string;
  /** Absent: applied where the emulator is made, since it has a state of its own. */
  readonly apply?: (target: PatchTarget) => void;
}

const SOURCE = 'https://github.com/xtermjs/xterm.js/blob/6.0.0/src/common';

export const PATCHES: readonly Patch[] = [
  {
    id: 'control-strings',
    changes: ['OscParser._start', 'DcsParser.hook', 'EscapeSequenceParser._transitions'],
    why: 'The library appends each character of a payload to a string, in each handler: 32 bytes a character, up to 10 MB. It shows the name in ESC k.',
    upstream: `${SOURCE}/parser/OscParser.ts`,
    test: 'control-strings.test.ts',
    goesWhen: 'payloads have a bound that the caller sets',
  },
  {
    id: 'count-limits',
    changes: ['CSI L', 'CSI M', 'CSI S', 'CSI T', 'CSI SP@', 'CSI SPA', "CSI '}", "CSI '~", 'CSI I', 'CSI Z', 'CSI b'],
    why: 'The library loops as often as the number in the sequence: CSI 2147483647 S takes an hour.',
    upstream: `${SOURCE}/InputHandler.ts`,
    test: 'count-limits.test.ts',
    goesWhen: 'counts end at a screenful',
    apply: limitCounts,
  },
  {
    id: 'cluster-limit',
    changes: ['BufferLine.addCodepointToCell'],
    why: 'Combining marks without end in one cell are memory without end.',
    upstream: `${SOURCE}/buffer/BufferLine.ts`,
    test: 'hostile-output.test.ts',
    goesWhen: 'a cell has a bound on its characters',
    apply: ({ internals }) => limitClusters(internals),
  },
  {
    id: 'erase-above',
    changes: ['CSI J', 'CSI ?J'],
    why: 'Erase above from the last column clears the wrap of a wrong line, and throws on the last row.',
    upstream: 'https://github.com/xtermjs/xterm.js/pull/5995',
    test: 'emulator.test.ts',
    goesWhen: 'a release has that change',
    apply: eraseAboveWithinScreen,
  },
  {
    id: 'kept-cleared',
    changes: ['InputHandler.eraseInDisplay', 'CSI ?h', 'CSI ?l'],
    why: 'The library keeps what is cleared by an option, on the alternate screen and within margins too, and not for CSI J from the first cell.',
    upstream: `${SOURCE}/InputHandler.ts`,
    test: 'kept-cleared.test.ts',
    goesWhen: 'scrollOnEraseInDisplay does as tmux does',
    apply: keepClearedRows,
  },
  {
    id: 'plain-print',
    changes: ['EscapeSequenceParser._printHandler'],
    why: 'Each character is asked anew whether it joins, links, wraps or is mapped: a third of the cost of a flood.',
    upstream: `${SOURCE}/InputHandler.ts`,
    test: 'plain-print.test.ts',
    goesWhen: 'the library prints runs of ASCII as fast',
    apply: ({ internals }) => printPlainRuns(internals),
  },
  {
    id: 'saved-pen',
    changes: ['InputHandler.saveCursor', 'InputHandler.restoreCursor', 'CSI !p'],
    why: 'A saved cursor leaves out style and colour of the underline.',
    upstream: `${SOURCE}/InputHandler.ts`,
    test: 'saved-pen.test.ts',
    goesWhen: 'extended attributes are saved with the others',
    apply: saveWholePen,
  },
  {
    id: 'saved-row',
    changes: ['InputHandler.saveCursor', 'InputHandler.restoreCursor', 'CSI !p'],
    why: 'A saved cursor is a line of the buffer: it comes back in another row after scrolling and after CSI 3 J.',
    upstream: `${SOURCE}/InputHandler.ts`,
    test: 'saved-row.test.ts',
    goesWhen: 'the cursor is saved by its row',
    apply: saveByRow,
  },
  {
    id: 'underline-color',
    changes: ['ExtendedAttrs.underlineColor'],
    why: 'SGR 59 sets the underline colour to -1, which reads as white.',
    upstream: 'https://github.com/microsoft/tui-test/pull/83',
    test: 'underline-color.test.ts',
    goesWhen: 'SGR 59 clears the colour',
    apply: ({ internals }) => resetUnderlineColor(internals),
  },
  {
    id: 'split-wide',
    changes: ['BufferLine.insertCells', 'InputHandler.print'],
    why: 'Blanks inserted within a wide character, and text over its right half in the last column, leave the other half.',
    upstream: `${SOURCE}/buffer/BufferLine.ts`,
    test: 'split-wide.test.ts',
    goesWhen: 'both halves become blank',
    apply: ({ internals }) => blankSplitCharacters(internals),
  },
  {
    id: 'own-clusters',
    changes: ['BufferLine.copyCellsFrom'],
    why: 'A copy of some cells takes the clusters of all cells behind them along: a narrower line shows other letters.',
    upstream: 'https://github.com/xtermjs/xterm.js/issues/5997',
    test: 'own-clusters.test.ts',
    goesWhen: 'a copy takes the clusters of its cells alone',
    apply: ({ internals }) => copyOwnClusters(internals),
  },
  {
    id: 'scrolled-rows',
    changes: ['InputHandler.scrollUp', 'InputHandler.scrollDown'],
    why: 'Rows that CSI S moves out of the screen are lost, and CSI T fills with the default background.',
    upstream: 'https://github.com/xtermjs/xterm.js/issues/6035',
    test: 'scrolled-rows.test.ts',
    goesWhen: 'both do as xterm does',
    apply: scrollAsXterm,
  },
  {
    id: 'line-reuse',
    changes: ['BufferLine.copyFrom'],
    why: 'Each new line of a full scrollback makes two empty objects: half the cost of a flood of short lines was collection.',
    upstream: `${SOURCE}/buffer/BufferLine.ts`,
    test: 'line-reuse.test.ts',
    goesWhen: 'copies reuse empty objects',
    apply: ({ internals }) => reuseEmptyParts(internals),
  },
  {
    id: 'line-slabs',
    changes: ['BufferLine.clone', 'BufferLine.resize'],
    why: 'A block of memory for each line is never returned to the system.',
    upstream: `${SOURCE}/buffer/BufferLine.ts`,
    test: 'line-slabs.test.ts',
    goesWhen: 'lines share memory',
  },
];
