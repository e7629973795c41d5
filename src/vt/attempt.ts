/** The result of `action`, or undefined and its error among `faults`, so that what comes after it happens all the same. */
export function attempt<T>(faults: unknown[], action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    faults.push(error);
    return undefined;
  }
}
