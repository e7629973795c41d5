export interface Prepared {
  readonly variables: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly question: string;
}

export const PROGRAMS: Readonly<
  Record<string, (where: { readonly home: string; readonly project: string; readonly url: string }) => Prepared>
>;
