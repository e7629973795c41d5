/** An answer: an argument, or for a secret what a person types unseen, or standard input. */
import { INPUT } from './input.js';
import type { Prepare } from './preparer.js';

/** @throws T4aError `usage` where a secret is an argument */
export const prepareAnswer: Prepare = async ({ params, options }, host, client) => {
  if (params['decline'] === true) return params;
  const { asks } = await (await client()).call('asks', {});
  const asked = asks.find(({ ask }) => ask === params['ask']);
  if (asked?.kind !== 'secret') return params;
  const {
    secret: _secret,
    id: _id,
    ...answer
  } = await INPUT.keys({ ...params, id: asked.id, secret: true }, options, host);
  return answer;
};
