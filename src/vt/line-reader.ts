/**
 * Reads many lines of a screen without blocking the daemon: in blocks, between which other requests are served. Lines
 * that leave the scrollback during the read are left out; newer lines are not read.
 */
import type { ReadableScreen } from './readable-screen.js';
import { type BlockCache, blockCacheOf } from './block-cache.js';
import type { LineBlock } from './line-block.js';
import type { LineRange } from './region.js';

/** Milliseconds for reading ahead, which no request waits for: other work goes first. */
const SLICE_MS = 1;
/** One text for many lines is searched faster than many texts; a block takes some tenths of a millisecond. */
export const ROWS_PER_BLOCK = 256;

export class LineReader {
  readonly #screen: ReadableScreen;
  /** Lasting number of the next row to read. */
  #next: number;
  #end: number;
  #held: readonly LineBlock[] = [];
  readonly #altScreen: boolean;
  readonly #cache: BlockCache;
  #buffer = Buffer.alloc(0);
  #rowsRead = 0;

  constructor(screen: ReadableScreen, { first, end }: LineRange) {
    this.#screen = screen;
    this.#next = screen.firstShownNumber + first;
    this.#end = screen.firstShownNumber + end;
    this.#altScreen = screen.altScreen;
    this.#cache = blockCacheOf(screen);
  }

  get rowsRead(): number {
    return this.#rowsRead;
  }

  /** Reads the rows of the viewport now, so that they are of this instant however long the scrollback takes. */
  holdViewport(): void {
    const screen = this.#screen;
    const { firstShownNumber: first, scrollbackLines } = screen;
    const from = this.#next;
    let index = Math.max(from - first, scrollbackLines);
    while (index > from - first && screen.continuesLine(index)) index--;
    this.#next = first + index;
    const held: LineBlock[] = [];
    for (let block = this.#nextBlock(); block.numbers.length > 0; block = this.#nextBlock()) held.push(block);
    this.#held = held;
    this.#next = from;
    this.#end = Math.min(this.#end, first + index);
  }

  /** Yields between slices. @throws the signal's reason */
  async eachBlock(signal: AbortSignal, visit: (block: LineBlock) => void): Promise<void> {
    let sliceEnd = performance.now() + SLICE_MS;
    for (const block of this.blocks()) {
      visit(block);
      if (performance.now() < sliceEnd) continue;
      await new Promise(setImmediate);
      signal.throwIfAborted();
      sliceEnd = performance.now() + SLICE_MS;
    }
  }

  /** Other work may run between two blocks. */
  *blocks(): Generator<LineBlock, void, void> {
    // After a switch between normal and alternate screen the remaining lines are not there any more.
    while (this.#screen.altScreen === this.#altScreen) {
      const block = this.#nextBlock();
      if (block.numbers.length === 0) break;
      yield block;
    }
    yield* this.#held;
  }

  #nextBlock(): LineBlock {
    const { firstShownNumber: first, totalLines } = this.#screen;
    const start = Math.max(this.#next, first);
    const end = Math.min(this.#end, first + totalLines);
    const cached = this.#cache.get(start);
    if (cached !== undefined && cached.end <= end) {
      this.#next = cached.end;
      this.#rowsRead += cached.end - start;
      return cached.block;
    }
    const block = this.#readBlock(start - first, end - first, first);
    this.#rowsRead += this.#next - start;
    // A block that was cut short where the viewport began would leave ever smaller ones behind.
    const isCut = this.#held.length > 0 && this.#next >= this.#end;
    if (this.#next > start && !isCut) this.#cache.set(start, this.#next, block);
    return block;
  }

  /** Blocks end at fixed numbers regardless of the first line, so that the cache finds them again. */
  #readBlock(start: number, end: number, first: number): LineBlock {
    const screen = this.#screen;
    const blockEnd = (Math.floor((first + start) / ROWS_PER_BLOCK) + 1) * ROWS_PER_BLOCK - first;
    let index = start;
    const block = { text: '', starts: [0], numbers: [] as number[] };
    // Number of bytes gathered so far, from rows that latin1 can represent.
    let gathered = 0;
    const flush = (): void => {
      block.text += this.#buffer.toString('latin1', 0, gathered);
      gathered = 0;
    };
    while (index < Math.min(end, blockEnd)) {
      block.numbers.push(first + index);
      for (let goesOn = true; goesOn; index++) {
        goesOn = index + 1 < end && screen.continuesLine(index + 1);
        this.#makeRoom(gathered);
        const written = screen.writeLineLatin1(index, !goesOn, this.#buffer, gathered);
        if (written !== -1) gathered = written;
        else {
          flush();
          block.text += screen.lineText(index, { trim: !goesOn }) ?? '';
        }
      }
      gathered = this.#endLine(block, gathered);
      block.starts.push(block.text.length + gathered);
    }
    flush();
    this.#next = first + index;
    return block;
  }

  /** Cuts the trailing blanks of the line that starts at the last start. @returns the new number of gathered bytes */
  #endLine(block: { text: string; readonly starts: readonly number[] }, gathered: number): number {
    const lineStart = block.starts.at(-1) ?? 0;
    const start = lineStart - block.text.length;
    let end = gathered;
    if (start >= 0) while (end > start && this.#buffer[end - 1] === SPACE) end--;
    else {
      // Part of the line is text already, since latin1 could not represent it.
      const line = block.text.slice(lineStart) + this.#buffer.toString('latin1', 0, gathered);
      block.text = block.text.slice(0, lineStart) + line.trimEnd();
      end = 0;
    }
    this.#buffer[end] = LINE_FEED;
    return end + 1;
  }

  /** Makes room for one more row and its line feed. */
  #makeRoom(gathered: number): void {
    const needed = gathered + this.#screen.cols + 1;
    if (this.#buffer.length >= needed) return;
    // A line may continue for thousands of rows: the buffer doubles, or its bytes would be copied again with each row.
    const larger = Buffer.alloc(Math.max(needed, (this.#screen.cols + 1) * ROWS_PER_BLOCK, 2 * this.#buffer.length));
    this.#buffer.copy(larger, 0, 0, gathered);
    this.#buffer = larger;
  }
}

const SPACE = 0x20;
const LINE_FEED = 0x0a;
