/** The socket of the host lies beside that of the daemon. */
export function hostPath(socketPath: string): string {
  return `${socketPath}.cli`;
}
