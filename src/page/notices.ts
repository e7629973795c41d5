/** Sentences for the person that go by themselves: the last three. */
export interface Notice {
  readonly number: number;
  readonly text: string;
}

const NOTICE_MS = 5000;

export class Notices {
  shown: readonly Notice[] = [];
  readonly #onChange: () => void;
  #last = 0;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The same text is shown once, as the newest. */
  add(text: string): void {
    const number = ++this.#last;
    this.shown = [...this.shown.filter((one) => one.text !== text).slice(-2), { number, text }];
    setTimeout(() => this.dismiss(number), NOTICE_MS);
    this.#onChange();
  }

  dismiss(number: number): void {
    this.shown = this.shown.filter((one) => one.number !== number);
    this.#onChange();
  }
}
