import { wholeNumber, yesOrNo } from '../../../contracts/query-fields.ts';
import { taskSelection } from '../../../contracts/task-selection.ts';

/** The query string of `GET /tasks`. */
export const taskQuery = taskSelection.extend({
  offset: wholeNumber(0).default(0),
  limit: wholeNumber(1, 1000).default(100),
  evidence: yesOrNo.default(false),
});
