/**
 * Forms in which a question reaches the client, and its answer the question: by a request of the server, or by a call that comes
 * again.
 */
import {
  inputRequired,
  type InputRequiredResult,
  type McpRequestContext,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Client } from '../client/client.js';
import type { ParamsInput } from '../protocol/registry.js';
import type { CallToolOptions } from '../tools/call-tool.js';
import type { AnswerNeeded, Elicitation, Show } from './elicitation.js';

/** Key of the one answer that a call needs. */
const ANSWER = 'answer';

/** The most that a timer takes: the end of the question ends the request. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

export interface FormPlace {
  readonly client: Client;
  readonly elicitation: Elicitation;
  readonly server: Server;
  readonly context: ServerContext;
  readonly era: McpRequestContext['era'];
}

/** Call as `client.call`, which also shows questions that the client may answer. @throws AnswerNeeded */
export function sendShowing(place: FormPlace): NonNullable<CallToolOptions['send']> {
  const { client, elicitation, server, context, era } = place;
  return async (command, fields, options) => {
    const question = fields as ParamsInput<'ask'>;
    if (command !== 'ask' || !elicitation.takes(client, question)) {
      return client.call(command, fields, options);
    }
    if (era === 'legacy') {
      const show: Show = (form, signal) =>
        server.request({ method: 'elicitation/create', params: { ...form } }, { signal, timeout: NO_TIMEOUT_MS });
      return elicitation.askBoth(client, question, options, show);
    }
    const { mcpReq } = context;
    const state = mcpReq.requestState<string>();
    if (state === undefined) return elicitation.askFirst(client, question, options);
    const response = mcpReq.inputResponses?.[ANSWER];
    return elicitation.askAgain(client, { fields: question, state, response }, options);
  };
}

export function resultNeeding({ form, state }: AnswerNeeded): InputRequiredResult {
  return inputRequired({ inputRequests: { [ANSWER]: inputRequired.elicit({ ...form }) }, requestState: state });
}
