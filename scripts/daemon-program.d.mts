import type { BuildOptions } from 'esbuild';

/** A program that src/boot runs. @param define what it is told */
export function programOptions(root: string, define: Readonly<Record<string, string>>): BuildOptions;

export function commonJsOptions(root: string, define: Readonly<Record<string, string>>): BuildOptions;

export function daemonProgram(root: string, define: Readonly<Record<string, string>>): BuildOptions;
