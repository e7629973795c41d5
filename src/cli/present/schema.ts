import type { Present } from '../presenters.js';

export const presentSchema: Present = ({ reply }, surroundings) => {
  surroundings.out(`${JSON.stringify(reply['schema'], null, surroundings.stdoutIsTerminal ? 2 : undefined)}\n`);
};
