import type { BuildOptions, Plugin } from 'esbuild';

export function commonJsOptions(root: string, define: Readonly<Record<string, string>>): BuildOptions;

export function daemonProgram(
  root: string,
  define: Readonly<Record<string, string>>,
  plugins?: readonly Plugin[],
): Promise<BuildOptions>;
