/** Characters as a person counts them: extended grapheme clusters, by the rules of this Node's ICU. */

let segmenter: Intl.Segmenter | undefined;

/** The first call loads the rules, which takes some 20 ms: no process pays for it at start-up. */
export function* graphemesOf(text: string): Generator<string, void> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) yield segment;
}
