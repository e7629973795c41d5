/** All that replays the past, of all terminals and connections, takes turns: many such requests cost others no more than one does. */
import { LoopTurns } from '../../base/loop-turns.js';

/** A single one is hardly noticed. */
const SLICE_MS = 1;

export const pastTurns = new LoopTurns(SLICE_MS);
