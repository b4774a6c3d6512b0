import type { Agent } from '../agent.ts';
import { lexicalRest } from './lexical-rest.ts';
import { lexicalTables } from './lexical-tables.ts';

/**
 * Words alone: tools by BM25 over their descriptions, arguments by what the question mentions, compared with the
 * column's values where they can be had. No model and no key; what a model adds is measured from here.
 */
export const lexicalAgent: Agent = {
  name: 'lexical',
  needsModel: false,
  needsFolder: false,
  attempt: (context) => (context.task.formulation === 'rest' ? lexicalRest(context) : lexicalTables(context)),
};
