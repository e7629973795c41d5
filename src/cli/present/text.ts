import type { Present } from '../shapes.js';

export const presentText: Present = ({ reply }, surroundings) => {
  const lines = reply['lines'] as readonly string[];
  surroundings.out(lines.map((line) => `${line}\n`).join(''));
};
