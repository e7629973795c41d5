/**
 * The keyboard of a terminal: keys by their names; text by way of a field, whose difference to what was sent is typed.
 * So each input comes once, from every input method: a composition waits until it ends, unless it is plain ASCII.
 * Characters of a plain keyboard pass the field by: a field that changes must be drawn, and browsers hold back what the
 * server sends until then.
 */
import { isBrowsers, keyName, withModifiers } from './key-names.js';
import { difference } from './text-difference.js';

export interface HandsSink {
  press(key: string): void;
  type(text: string): void;
  paste(text: string): void;
  /** What an input method has so far and is not sent; empty at its end. */
  compose(text: string): void;
}

/** Modifiers of the tray: the next key has them. */
export interface Sticky {
  ctrl: boolean;
  alt: boolean;
}

/** The field begins anew beyond: keyboards look at what stands before the cursor, and need no more. */
const MAX_KEPT = 200;

const ASCII = /^[ -~]*$/;

export class Hands {
  readonly sticky: Sticky = { ctrl: false, alt: false };
  onSticky: () => void = () => {};
  readonly #field: HTMLTextAreaElement;
  readonly #sink: HandsSink;
  #sent = '';
  #isComposing = false;
  readonly #onStray = (event: KeyboardEvent): void => this.#stray(event);

  constructor(field: HTMLTextAreaElement, sink: HandsSink) {
    this.#field = field;
    this.#sink = sink;
    field.addEventListener('keydown', (event) => this.#keydown(event));
    field.addEventListener('compositionstart', () => {
      this.#isComposing = true;
    });
    field.addEventListener('compositionend', () => {
      this.#isComposing = false;
      sink.compose('');
      this.#take();
    });
    field.addEventListener('input', () => this.#take());
    field.addEventListener('paste', (event) => {
      event.preventDefault();
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text !== '') sink.paste(text);
    });
    field.addEventListener('blur', () => {
      sink.compose('');
      this.#reset();
    });
    document.addEventListener('keydown', this.#onStray);
  }

  dispose(): void {
    document.removeEventListener('keydown', this.#onStray);
  }

  /** A key of the tray. */
  press(name: string): void {
    const { ctrl, alt } = this.sticky;
    this.#release();
    this.#reset();
    this.#sink.press(withModifiers(name, ctrl, alt, false));
  }

  /** Nothing has the focus, or the rows have it since text was selected: what is typed is for the terminal all the same. */
  #stray(event: KeyboardEvent): void {
    const { target, key } = event;
    const isOfRows = target instanceof Element && target !== this.#field && target.contains(this.#field);
    // A key that is held down began elsewhere.
    if (!isOfRows || event.defaultPrevented || event.repeat) return;
    if (isCopy(event)) return dropSelection();
    // By Tab the keyboard walks over the page, by these keys over the selection.
    if (key === 'Tab' && target === document.body) return;
    if (event.shiftKey && key.startsWith('Arrow') && isSelected()) return;
    const stroke = { ...strokeOf(event), altTypes: false };
    const isPaste = key.toLowerCase() === 'v' && event.ctrlKey;
    if (isBrowsers(stroke) ? !isPaste : !isTyped(stroke)) return;
    this.#field.focus({ preventScroll: true });
    // Unless a dialog is open, or another part is in front of it.
    if (document.activeElement === this.#field) this.#keydown(event);
  }

  #keydown(event: KeyboardEvent): void {
    // 229: an input method has the key.
    if (event.isComposing || event.keyCode === 229) return;
    const altTypes = event.getModifierState('AltGraph') || (IS_MAC && event.altKey && !event.ctrlKey);
    const stroke = { ...strokeOf(event), altTypes };
    if (isBrowsers(stroke)) return;
    // Ctrl+C copies what is selected, Ctrl+V pastes, as in every field.
    const letter = event.key.toLowerCase();
    if (isPlainCtrl(event) && letter === 'v') return;
    if (isCopy(event)) return dropSelection();
    const { ctrl, alt } = this.sticky;
    const name = keyName({ ...stroke, ctrlKey: stroke.ctrlKey || ctrl, altKey: stroke.altKey || alt });
    const isCharacter = name === undefined && !CORRECTS && Array.from(event.key).length === 1;
    if (name === undefined && !isCharacter) return;
    event.preventDefault();
    this.#release();
    this.#reset();
    if (name !== undefined) this.#sink.press(name);
    else this.#sink.type(event.key);
  }

  #take(): void {
    const now = this.#field.value;
    const { deleted, typed } = difference(this.#sent, now);
    const isWaiting = this.#isComposing && !ASCII.test(typed);
    if (this.#isComposing) this.#sink.compose(isWaiting ? typed : '');
    if (isWaiting) return;
    this.#sent = now;
    for (let i = 0; i < deleted; i++) this.#sink.press('Backspace');
    this.#type(typed);
    if (!this.#isComposing && now.length > MAX_KEPT) this.#reset();
  }

  /** Line breaks of a field are Enter. */
  #type(typed: string): void {
    const { ctrl, alt } = this.sticky;
    if ((ctrl || alt) && Array.from(typed).length === 1) {
      this.#release();
      return this.#sink.press(withModifiers(typed.toLowerCase(), ctrl, alt, false));
    }
    for (const [i, text] of typed.split('\n').entries()) {
      if (i > 0) this.#sink.press('Enter');
      if (text !== '') this.#sink.type(text);
    }
    if (typed.includes('\n')) this.#reset();
  }

  #release(): void {
    if (!this.sticky.ctrl && !this.sticky.alt) return;
    this.sticky.ctrl = false;
    this.sticky.alt = false;
    this.onSticky();
  }

  #reset(): void {
    if (this.#isComposing) return;
    this.#field.value = '';
    this.#sent = '';
  }
}

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Whether a character may be exchanged after its key: by the corrections of a phone, by the accents of a Mac for a held key. */
const CORRECTS = IS_MAC || matchMedia('(pointer: coarse)').matches;

function isPlainCtrl({ ctrlKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return ctrlKey && !altKey && !shiftKey;
}

function isCopy(event: KeyboardEvent): boolean {
  return isPlainCtrl(event) && event.key.toLowerCase() === 'c' && isSelected();
}

/** Once it is copied: the next Ctrl+C is for the program. */
function dropSelection(): void {
  setTimeout(() => getSelection()?.removeAllRanges());
}

function isSelected(): boolean {
  return getSelection()?.isCollapsed === false;
}

/** No modifier alone, nor a key of the machine: what it types, or how an input method begins. */
function isTyped(stroke: Parameters<typeof keyName>[0]): boolean {
  const { key } = stroke;
  return keyName(stroke) !== undefined || Array.from(key).length === 1 || key === 'Dead' || key === 'Process';
}

function strokeOf({
  key,
  code,
  ctrlKey,
  altKey,
  shiftKey,
  metaKey,
}: KeyboardEvent): Omit<Parameters<typeof keyName>[0], 'altTypes'> {
  return { key, code, ctrlKey, altKey, shiftKey, metaKey };
}
