/** The system's name for a failed call (`ENOENT`); undefined for any other error. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

const UNSEEN = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'];

/** A failed `stat`: nothing is there, or a directory on the way may not be entered, as a home of another user. Both count as absent. */
export function isUnseen(error: unknown): boolean {
  return UNSEEN.includes(errnoOf(error) ?? '');
}
