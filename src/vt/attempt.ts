/**
 * Returns the result of `action`; on an error undefined, with the error added to `faults`, so that later steps still
 * run.
 */
export function attempt<T>(faults: unknown[], action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    faults.push(error);
    return undefined;
  }
}
