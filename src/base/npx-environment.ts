/**
 * The environment of who came through `npx`, as it was before: npx is a program of the person's shell like any other, and what
 * it tells its programs would have `npm` behave oddly in a terminal of theirs. Under `npm run` it stays as it is: there the
 * project's programs are meant to be found.
 *
 * Variables of the person's own named `npm_…` in lower case cannot be told from those of npx, and go too.
 */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What npx sets besides `npm_…`, each with what it is where npx has set it. */
const SET_BY_NPX: Readonly<Record<string, (value: string, env: Environment) => boolean>> = {
  INIT_CWD: () => true,
  NODE: (value, env) => value === env['npm_node_execpath'],
  COLOR: (value) => value === '0' || value === '1',
  // https://docs.npmjs.com/cli/v11/using-npm/config#editor: its default, given to its programs.
  EDITOR: (value, env) => value === (env['VISUAL'] || 'vi'),
};

export function withoutNpx(env: Environment): Environment {
  if (env['npm_command'] !== 'exec') return env;
  const kept = Object.entries(env).filter(
    ([name, value = '']) => !name.startsWith('npm_') && SET_BY_NPX[name]?.(value, env) !== true,
  );
  const before = Object.fromEntries(kept);
  return before['PATH'] === undefined ? before : { ...before, PATH: withoutFolders(before['PATH']) };
}

const OF_PACKAGES = /\/node_modules\/\.bin\/?$/;
/** The last that npx puts there. */
const LAST = /\/node-gyp-bin\/?$/;

/** Those of npx come first; a folder of packages that stands behind them is the person's own. */
function withoutFolders(path: string): string {
  const folders = path.split(':');
  let count = folders.findIndex((folder) => !OF_PACKAGES.test(folder));
  if (count < 0) count = folders.length;
  if (LAST.test(folders[count] ?? '')) count += 1;
  return folders.slice(count).join(':');
}
