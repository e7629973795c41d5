/**
 * Whether a terminal shows what is typed into it: the one predicate for the secrecy of input. What asks for a password,
 * writes a secret or keeps input decides by it. From the terminal's flags and the shell's marks; pure.
 *
 * With echo on the kernel shows what is typed. With echo off and lines edited by the kernel nobody does: the program has
 * nothing of a line before Enter. In raw mode the program has each key and draws what it likes: readline shows it, a
 * prompt of stars does not, and ssh, tmux, docker and script pass keys on to a terminal that is not ours.
 */
import type { z } from 'zod';
import type { inputSecrecy as secrecySchema } from '../../protocol/vocabulary.js';

/** ECHO and ICANON of the terminal, as the program has set them. */
export interface TerminalFlags {
  readonly canonical: boolean;
  readonly echo: boolean;
}

export type InputSecrecy = z.output<typeof secrecySchema>;

/** @param atShellPrompt a shell's marks say that its prompt is up: its line editor shows what is typed */
export function inputSecrecy({ canonical, echo }: TerminalFlags, atShellPrompt: boolean): InputSecrecy {
  if (echo) return 'shown';
  if (canonical) return 'hidden';
  return atShellPrompt ? 'shown' : 'unknown';
}
