/**
 * Restores the environment that a person had before `npx`: npx is started from the person's shell like any other
 * program, and its variables would make `npm` behave oddly in a terminal. Under `npm run` the environment stays
 * unchanged: there the project's programs are meant to be found.
 *
 * Variables of the person's own named `npm_…` in lower case cannot be distinguished from those of npx, and are removed,
 * too.
 */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that npx sets besides `npm_…`, each with the test for npx's value. */
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
/** The last folder that npx adds. */
const LAST = /\/node-gyp-bin\/?$/;

/** npx's folders come first; folders of packages behind them are the person's own. */
function withoutFolders(path: string): string {
  const folders = path.split(':');
  let count = folders.findIndex((folder) => !OF_PACKAGES.test(folder));
  if (count < 0) count = folders.length;
  if (LAST.test(folders[count] ?? '')) count += 1;
  return folders.slice(count).join(':');
}
