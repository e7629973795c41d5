/** A class for each style that is on the screen, in a constructed sheet: the page's policy admits no style in markup. */
import { isDrawn, rectanglesOf } from './block-shapes.js';
import type { CellSize } from './cell-size.js';
import { hex, PALETTES, withProgramColors, type Palette, type ProgramColors, type ThemeName } from './palette.js';
import { cssOf } from './sgr-css.js';

/** Colors of a picture in half blocks are many; beyond, all are made anew. */
const MAX_CLASSES = 6000;

export interface Scene {
  readonly theme: ThemeName;
  readonly colors: ProgramColors;
  readonly reverseScreen: boolean;
  readonly cell: CellSize;
}

export class StyleSheet {
  readonly #sheet = new CSSStyleSheet();
  readonly #styles = new Map<string, string>();
  readonly #shapes = new Map<string, string>();
  #palette: Palette = PALETTES.dark;
  #scene: Scene | undefined;
  #made = '';
  #generation = 0;

  constructor() {
    document.adoptedStyleSheets.push(this.#sheet);
  }

  dispose(): void {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet);
  }

  /** Classes of an older one are not valid any more. */
  get generation(): number {
    return this.#generation;
  }

  get palette(): Palette {
    return this.#palette;
  }

  /** @returns whether all rows must be drawn again: their classes are not valid any more */
  use(scene: Scene): boolean {
    const made = JSON.stringify(scene);
    if (made === this.#made && this.#styles.size + this.#shapes.size <= MAX_CLASSES) return false;
    this.#made = made;
    this.#generation++;
    this.#scene = scene;
    this.#palette = withProgramColors(PALETTES[scene.theme], scene.colors);
    this.#styles.clear();
    this.#shapes.clear();
    this.#sheet.replaceSync('');
    const { width } = scene.cell;
    const [ground, text] = scene.reverseScreen
      ? [this.#palette.foreground, this.#palette.background]
      : [this.#palette.background, this.#palette.foreground];
    this.#rule('.term', `background-color:${hex(ground)};color:${hex(text)}`);
    this.#rule('.grid', `font-size:${width / 0.6}px;line-height:${2 * width}px`);
    this.#rule('.row', `height:${2 * width}px`);
    for (let cells = 1; cells <= 8; cells++) this.#rule(`.c${cells}`, `width:${cells * width}px;height:${2 * width}px`);
    return true;
  }

  /** Class of a style; empty for the default one. */
  styleOf(sgr: string, isText: boolean): string {
    if (sgr === '') return '';
    const key = isText ? sgr : `${sgr} `;
    let name = this.#styles.get(key);
    if (name === undefined && this.#scene !== undefined) {
      name = `s${this.#styles.size}`;
      this.#styles.set(key, name);
      this.#rule(
        `.row .${name}`,
        cssOf(sgr, { palette: this.#palette, reverseScreen: this.#scene.reverseScreen, isText }),
      );
    }
    return name ?? '';
  }

  /** Class of a block or of the line of a box; undefined for other characters. */
  shapeOf(character: string): string | undefined {
    if (!isDrawn(character)) return undefined;
    let name = this.#shapes.get(character);
    if (name === undefined && this.#scene !== undefined) {
      name = `x${(character.codePointAt(0) ?? 0).toString(16)}`;
      this.#shapes.set(character, name);
      this.#addShape(name, character, this.#scene.cell.width);
    }
    return name;
  }

  #addShape(name: string, character: string, width: number): void {
    const layers = rectanglesOf(character, { width, height: 2 * width }).map(({ alpha, ...one }) => {
      const color = alpha === 1 ? 'currentColor' : `color-mix(in srgb, currentColor ${100 * alpha}%, transparent)`;
      return `linear-gradient(${color},${color}) ${one.x}px ${one.y}px/${one.width}px ${one.height}px no-repeat`;
    });
    this.#rule(`.${name}::before`, `background:${layers.join(',') || 'none'}`);
  }

  #rule(selector: string, declarations: string): void {
    this.#sheet.insertRule(`${selector}{${declarations}}`, this.#sheet.cssRules.length);
  }
}
