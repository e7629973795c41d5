/** Lines for people and pipes have no blanks at their ends, unless asked for. */
import type { Prepare } from '../presenters.js';

export const prepareText: Prepare = ({ params }) => ({ trim: true, ...params });
