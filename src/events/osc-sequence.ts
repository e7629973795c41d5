/** An operating system command as vt hands it on: its number, and what follows the first semicolon, undecoded. */
export interface OscSequence {
  readonly code: number;
  readonly data: string;
}
