import type { Present } from '../presenters.js';
import { presentTurn } from './turn.js';

export const presentCreate: Present = (answer, surroundings) => {
  const { reply } = answer;
  const id = String(reply['id']);
  surroundings.out(`${id}\n`);
  void presentTurn(answer, surroundings);
  if (surroundings.stdoutIsTerminal) {
    surroundings.note(`Next: t4a type ${id} ls --submit; t4a text ${id}; t4a screenshot ${id}; t4a view ${id}\n`);
  }
};
