/** A command line that was understood: which command, with which fields of its request. */
import type { CommandSyntax } from './syntax.js';

export type Fields = Readonly<Record<string, unknown>>;

export interface Invocation {
  readonly command: CommandSyntax;
  /** Fields of the request. */
  readonly params: Record<string, unknown>;
  /** Values of local flags and of local commands' arguments. */
  readonly options: Record<string, unknown>;
  /** What the person may have meant otherwise, a sentence each. */
  notes?: string[];
  /** Of a word of vtr: a sentence that names the line of t4a. */
  readonly standsFor?: string;
  /** Arguments before a "--"; undefined without one. */
  readonly wordsBeforeDashes?: number | undefined;
}
