import type { Present } from '../shapes.js';

export const presentCreate: Present = ({ reply }, surroundings) => {
  const id = String(reply['id']);
  surroundings.out(`${id}\n`);
  if (surroundings.stdoutIsTerminal) {
    surroundings.note(`Next: t4a type ${id} ls --submit; t4a text ${id}; t4a screenshot ${id}; t4a view ${id}\n`);
  }
};
