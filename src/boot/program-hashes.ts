/** Short hashes of the bundles: the build puts them into the small files that run them. */
declare const T4A_PROGRAM_HASHES: { readonly cli: string; readonly cliCommon: string; readonly daemon: string };

export const PROGRAM_HASHES = T4A_PROGRAM_HASHES;
