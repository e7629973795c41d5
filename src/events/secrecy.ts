/**
 * Whether a terminal shows what is typed into it: the one predicate for the secrecy of input, used for password
 * prompts, for writing secrets and for keeping input. Decided from the terminal's flags and the shell's marks; pure.
 *
 * With echo on the kernel shows the input. With echo off in canonical mode nothing does: the program gets nothing of a
 * line before Enter. In raw mode the program gets each key and draws what it likes: readline shows it, a prompt of
 * stars does not, and ssh, tmux, docker and script pass keys on to another terminal.
 */
import type { z } from 'zod';
import type { inputSecrecy as secrecySchema } from '../protocol/vocabulary.js';

/** ECHO and ICANON of the terminal, as the program has set them. */
export interface TerminalFlags {
  readonly canonical: boolean;
  readonly echo: boolean;
}

export type InputSecrecy = z.output<typeof secrecySchema>;

/** @param atShellPrompt the shell's marks report a prompt: its line editor shows the input */
export function inputSecrecy({ canonical, echo }: TerminalFlags, atShellPrompt: boolean): InputSecrecy {
  if (echo) return 'shown';
  if (canonical) return 'hidden';
  return atShellPrompt ? 'shown' : 'unknown';
}
