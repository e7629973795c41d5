/** The system's name for a failed call (`ENOENT`); undefined for any other error. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  if (typeof error.code !== 'string') return undefined;
  return error.code.startsWith(UNNAMED) ? (nameOf(error) ?? error.code) : error.code;
}

/** Text of errors that Node's own table lacks, such as EDQUOT. That of the system is taken when it is asked: browsers have none. */
const UNNAMED = 'Unknown system error';

function nameOf(error: Error): string | undefined {
  const number = 'errno' in error && typeof error.errno === 'number' ? -error.errno : undefined;
  const names = Object.entries(process.getBuiltinModule('node:os').constants.errno);
  return names.find(([, each]) => each === number)?.[0];
}

const UNSEEN = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'];

/** A failed `stat`: nothing is there, or a directory on the way may not be entered, as a home of another user. Both count as absent. */
export function isUnseen(error: unknown): boolean {
  return UNSEEN.includes(errnoOf(error) ?? '');
}
