export type Part =
  | { readonly text: string }
  | { readonly call: { readonly name: string; readonly input: unknown } }
  | { readonly pauseMs: number }
  | { readonly status: number };

export interface Said {
  readonly users: readonly string[];
  readonly results: readonly string[];
  readonly tools: readonly string[];
  readonly isResult: boolean;
  readonly isAside: boolean;
}
