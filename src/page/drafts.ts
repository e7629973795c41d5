/** Answers that are half written, for a page that is loaded again. Secrets are none. */

const STORED = 't4a-drafts';

/** More are not kept; the oldest goes. */
const MOST = 64;

/** Numbers of questions begin anew with a daemon: the words belong to the key. */
type Drafts = readonly (readonly [card: string, question: string, text: string])[];

/** @returns empty if there is none */
export function draftOf(card: string, question: string): string {
  return kept().find((one) => one[0] === card && one[1] === question)?.[2] ?? '';
}

export function keepDraft(card: string, question: string, text: string): void {
  const others = kept().filter((one) => one[0] !== card);
  const all: Drafts = text === '' ? others : [...others, [card, question, text]];
  sessionStorage.setItem(STORED, JSON.stringify(all.slice(-MOST)));
}

function kept(): Drafts {
  try {
    const all: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? '[]');
    return Array.isArray(all) ? (all as Drafts) : [];
  } catch {
    return [];
  }
}
