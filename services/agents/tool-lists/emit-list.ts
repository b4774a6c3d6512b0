import { ANSWER_FORMAT } from '../../../contracts/prediction.ts';
import type { ListFormat, ServedTools } from '../../../contracts/served-tools.ts';
import { anthropicStrictTools } from '../../domain/live-tools/toolset/anthropic-strict.ts';
import {
  anthropicTools,
  geminiTools,
  mcpTools,
  openaiTools,
} from '../../domain/live-tools/toolset/formats.ts';
import { anthropicSearch, openaiSearch, shownAtFirst } from './native-search.ts';
import { openapiOfList } from './openapi-of-list.ts';
import { shownAnswerSchema } from './shown-answer-schema.ts';
import type { ToolList } from './tool-list.ts';

/** How a list of tools can be written, besides as an OpenAPI document. */
export type ToolFormat = Exclude<ListFormat, 'openapi'>;

/** Who reads a list: the `agent` of a run, who may not know how it was made; anybody; or the `harness`. */
export type Reader = 'agent' | 'anybody' | 'harness';

/** A list of tools as the body of an answer; `base` is the address under which its tools are called. */
export function emitList(list: ToolList, format: ListFormat, base: string, reader: Reader) {
  return format === 'openapi' ? openapiOfList(list, base) : emitTools(list, format, base, reader);
}

/** A list of tools in one of the formats of providers. */
export function emitTools(list: ToolList, format: ToolFormat, base: string, reader: Reader): ServedTools {
  const { service, formulation, task } = list.source;
  const shown = reader === 'harness' ? { ...service, sampleId: task?.sample_id } : list.origin;
  const tools = FORMATS[format](list);
  return {
    ...(shown.sampleId === undefined ? {} : { sample_id: shown.sampleId }),
    split: shown.split,
    db: shown.db,
    formulation,
    size: list.tools.length,
    ...(list.options.via === 'search' ? { searchable: list.offered.length } : {}),
    tokens: Math.ceil(
      JSON.stringify(tools.map(shownAtFirst).filter((shown) => shown !== null)).length / CHARACTERS_A_TOKEN,
    ),
    ...(reader === 'agent' ? {} : { toolset_size: list.toolsetSize, options: list.options }),
    ...(reader === 'harness' && !list.hasRealNames ? { real_names: [...list.realNames] } : {}),
    ...(task === undefined ? {} : { answer_format: ANSWER_FORMAT }),
    checksum: list.checksum,
    call: `${base}/call/{name}`,
    mcp: `${base}/mcp`,
    tools,
  };
}

/** What models' tokenizers make of JSON, about. */
const CHARACTERS_A_TOKEN = 4;

const FORMATS: Readonly<Record<ToolFormat, (list: ToolList) => ServedTools['tools']>> = {
  plain: ({ tools }) => [...tools],
  openai: ({ tools }) => openaiTools(tools),
  'openai-responses': ({ tools }) =>
    openaiTools(tools).map(({ type, function: rest }) => ({ type, ...rest })),
  'openai-responses-search': (list) => openaiSearch(list),
  anthropic: ({ tools }) => anthropicTools(tools),
  'anthropic-strict': ({ tools }) => anthropicStrictTools(tools),
  gemini: ({ tools }) => geminiTools(tools),
  'anthropic-search': (list) => anthropicSearch(list),
  mcp: (list) => mcpTools(list.tools, (name) => shownAnswerSchema(list, name)),
};
