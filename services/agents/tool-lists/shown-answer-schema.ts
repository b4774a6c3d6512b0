import { toJsonSchema } from '../../../contracts/json-schema.ts';
import { CALL_TOOL, SEARCH_TOOLS } from '../../../contracts/search-tools.ts';
import type { ObjectSchema } from '../../domain/live-tools/toolset/json-schema.ts';
import { searchAnswer } from '../tool-search/search-specs.ts';
import type { ToolList } from './tool-list.ts';

const { $schema: _dialect, ...found } = toJsonSchema(searchAnswer) as ObjectSchema;

/** What a tool that a list shows answers: an offered one, or one of the two that stand for all. */
export function shownAnswerSchema(list: ToolList, shownName: string): ObjectSchema {
  if (list.options.via === 'list') return list.answerSchema(shownName);
  if (shownName === SEARCH_TOOLS) return found as ObjectSchema;
  // Every tool answers an object of its own.
  if (shownName === CALL_TOOL) return { type: 'object', properties: {}, required: [] };
  return list.answerSchema(shownName);
}
