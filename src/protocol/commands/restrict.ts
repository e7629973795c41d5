import { z } from 'zod';
import { defineCommand } from '../command.js';
import { REACHES } from '../reach.js';
import { rightFile } from '../vocabulary.js';

export const restrict = defineCommand({
  name: 'restrict',
  group: 'plumbing',
  effect: 'read',
  reach: 'read',
  tool: false,
  fieldReach: { as_long_as: 'create' },
  commandLine: false,
  summary: 'Lower what this connection may do, for good.',
  details:
    'It holds for every later line of the connection, also for requests that overtake it. Requests above it are answered with `not_allowed`. A later `restrict` lowers further, and never raises. A new connection is not restricted.',
  params: () => ({
    reach: z
      .enum(REACHES)
      .describe(
        'Highest reach of commands and fields: to look, to type, to start and end programs, to change the daemon.',
      ),
    person: z.literal(false).optional().describe('False: without what a person alone may decide.'),
    turns: z
      .string()
      .min(16)
      .max(128)
      .optional()
      .describe(
        'Connections that say the same here take turns with others as one, however many they are: a text that others cannot guess. The first one counts.',
      ),
    as_long_as: z
      .array(rightFile)
      .max(4)
      .optional()
      .describe(
        'The connection is a door, which lets others in: what it types ends with it. It may do what it may as long as all of these files are so; after that its requests are answered with `not_allowed`, and no further key is typed for those under way. Refused if one is not so now. Later ones are added.',
      ),
  }),
  reply: () => ({
    reach: z.enum(REACHES).describe('What holds now.'),
    person: z.boolean().describe('Whether what a person alone may decide is admitted.'),
  }),
});
