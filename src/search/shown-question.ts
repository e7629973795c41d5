/**
 * Whether the screen shows that somebody is asked, for programs of which the system shows nothing: a program that fills the
 * screen, the line editor of a shell, or a line that ends at the cursor as prompts do.
 */
import { cursorLine } from './cursor-line.js';
import type { ScannedScreen } from './scanned-lines.js';

/** Ends of prompts and questions; further ones: arrows, angle quotes, a lambda. */
const PROMPT_ENDS: readonly RegExp[] = [
  /[?:>$\u276f\u279c\u203a\u00bb\u03bb]$/,
  // Not those of bars and percentages.
  /(?:^|[^#])#$/,
  /(?:^|[^\d\s.])\s?%$/,
  // `[y/N]`, `(default)`: keys or an answer.
  /(?:\[[^[\]]*[a-z][^[\]]*\]|\([^()]*[a-z][^()]*\)|\{[^{}]*[a-z][^{}]*\})$/i,
  /\b(?:press|hit|type) .{1,40}$/i,
];

export interface AskingScreen extends ScannedScreen {
  readonly altScreen: boolean;
  readonly modes: { readonly bracketedPaste: boolean };
}

export function showsQuestion(screen: AskingScreen): boolean {
  if (screen.altScreen || screen.modes.bracketedPaste) return true;
  const { text, before } = cursorLine(screen);
  return text.trimEnd().length <= before.length && isPrompt(before);
}

/** @param text of a line, up to the cursor */
export function isPrompt(text: string): boolean {
  const line = text.trimEnd();
  return PROMPT_ENDS.some((end) => end.test(line)) && !/(?:\.\.\.|\u2026)$/.test(line);
}
