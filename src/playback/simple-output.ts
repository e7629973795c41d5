/** Output that leaves on a screen what it would leave in a file: text, tabs and line ends, and what does not show in text. */

/** Colours, erasing behind the text, modes that move nothing, titles and links, ASCII as the character set, and what is ignored. */
const UNSEEN =
  // oxlint-disable-next-line no-control-regex
  /\x1b\[[\d;:]*m|\x1b\[0?K|\x1b\[\?(?:1|12|25|2004)[hl]|\x1b\][^\x00-\x1f]*(?:\x07|\x1b\\)|\x1b\(B|\x1b[=>]|\r+(?=\n)|[\x00\x07\x7f]/g;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
/** Sequence that may go on in the next piece. */
// oxlint-disable-next-line no-control-regex
const BEGUN = /(?:\x1b(?:\[[\d;:?]*|\][^\x00-\x1f]*\x1b?|\()?|\r+)$/;
const MOST_BEGUN = 4096;

/** @returns the text as a file would have it; undefined if the output is not so simple */
export function simpleText(output: string): string | undefined {
  if (!CONTROL.test(output)) return output;
  const text = output.replaceAll(UNSEEN, '');
  return CONTROL.test(text) ? undefined : text;
}

/** Cuts off the beginning of a sequence or of a line end, which is complete in the next piece. */
export function splitBegun(output: string): readonly [whole: string, begun: string] {
  const begun = BEGUN.exec(output.slice(-MOST_BEGUN))?.[0] ?? '';
  return begun.length === MOST_BEGUN ? [output, ''] : [output.slice(0, output.length - begun.length), begun];
}
