/**
 * Stands in the bundle for `@modelcontextprotocol/server/_shims`, which brings a validator of JSON Schemas of 150 KB. The
 * SDK uses it for the results of its own `elicitInput` alone; answers to questions are checked in elicitation.ts.
 */
export { default as process } from 'node:process';

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('This bundle has no validator of JSON Schemas.');
  }
}
