export const SUITE_OF_TRIAL: Readonly<Record<string, readonly string[]>>;
