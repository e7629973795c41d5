export interface ClaimChange {
  /** The first words of the claim. */
  readonly claim: string;
  readonly file: string;
  /** Is in the file once. */
  readonly before: string;
  readonly after: string;
}

export const CLAIMS: readonly ClaimChange[];
