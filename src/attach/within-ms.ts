/** Waits when a person leaves: for so long at most. */

/** Resolves once it is settled, or late. @param last what the daemon is asked for; its failure changes nothing any more */
export async function withinMs(ms: number, last: Promise<unknown>): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
  await Promise.race([last, late]).catch(() => {});
}
