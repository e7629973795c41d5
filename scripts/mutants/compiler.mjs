// The compiler's view of the tree: the syntax of its files, and whether one would still compile with another text.
import path from 'node:path';
import { API } from 'typescript/unstable/sync';

export function openCompiler(root) {
  const config = path.join(root, 'tsconfig.json');
  const changed = new Map();
  const api = new API({ cwd: root, fs: { readFile: (file) => changed.get(file) } });
  const programAfter = (changes) =>
    api.updateSnapshot({ openProject: config, fileChanges: { changed: changes } }).getProject(config).program;
  let program = programAfter([]);
  return {
    sourceFile: (file) => program.getSourceFile(path.join(root, file)),
    compiles(file, text) {
      const at = path.join(root, file);
      changed.set(at, text);
      program = programAfter([at]);
      const problems = [...program.getSyntacticDiagnostics(at), ...program.getSemanticDiagnostics(at)];
      changed.delete(at);
      program = programAfter([at]);
      return problems.length === 0;
    },
    close: () => api.close(),
  };
}
