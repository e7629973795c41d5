/** @returns what is to be said of it, if anything */
export function compileClients(root: string, build: string): string | undefined;
