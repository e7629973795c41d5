/** The package's version, inserted by the build from package.json. */
declare const T4A_VERSION: string | undefined;

export const VERSION: string = typeof T4A_VERSION === 'string' ? T4A_VERSION : '0.0.0-source';
