// The compiler's view of the tree: the syntax of its files, and whether one would still compile with another text.
import path from 'node:path';
import { API } from 'typescript/unstable/sync';

/** What a browser runs is a project of its own. */
const PAGE = path.join('src', 'page');

export function openCompiler(root) {
  const main = path.join(root, 'tsconfig.json');
  const page = path.join(root, PAGE, 'tsconfig.json');
  const configOf = (file) => (file.startsWith(PAGE + path.sep) ? page : main);
  const changed = new Map();
  const api = new API({ cwd: root, fs: { readFile: (file) => changed.get(file) } });
  const programAfter = (file, changes) => {
    const config = configOf(file);
    return api.updateSnapshot({ openProject: config, fileChanges: { changed: changes } }).getProject(config).program;
  };
  const programs = new Map([main, page].map((config) => [config, undefined]));
  const programOf = (file) => {
    const config = configOf(file);
    if (programs.get(config) === undefined) programs.set(config, programAfter(file, []));
    return programs.get(config);
  };
  return {
    sourceFile: (file) => programOf(file).getSourceFile(path.join(root, file)),
    compiles(file, text) {
      const at = path.join(root, file);
      changed.set(at, text);
      const program = programAfter(file, [at]);
      const problems = [...program.getSyntacticDiagnostics(at), ...program.getSemanticDiagnostics(at)];
      changed.delete(at);
      programAfter(file, [at]);
      return problems.length === 0;
    },
    close: () => api.close(),
  };
}
