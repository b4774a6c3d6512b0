import { assembleAnswer, mapReferences, usedLabels } from '../../../contracts/assemble-answer.ts';
import { domainPath } from '../../../contracts/domain-path.ts';
import { QueryError } from '../../../contracts/errors.ts';
import { parseExactJson } from '../../../contracts/exact-json.ts';
import type { Call, Formulation } from '../../../contracts/sample.ts';
import { initializationArguments } from '../../../contracts/start-table.ts';
import { type ToolAnswer, toolAnswer } from '../../../contracts/tools.ts';
import type { Played } from './play.ts';
import { callFailed, type InjectableApp } from './play-rest.ts';

/**
 * Sends a SLOT or SEL sequence as an agent would: start tables first, then call by call, `$label$` replaced by
 * the handle that was answered; long columns of the answer are read page by page. The rows are what
 * contracts/assemble-answer.ts makes of the answers. Without `previews` next to nothing is shown of the results on
 * the way, which would cost most of the time and prove nothing more. Throws QueryError CALL_FAILED.
 */
export async function playSequence(
  app: InjectableApp,
  base: { readonly split: string; readonly db: string; readonly formulation: Exclude<Formulation, 'rest'> },
  initialization: Call | null,
  calls: readonly Call[],
  { previews = true }: { readonly previews?: boolean } = {},
): Promise<Played> {
  const root = `${domainPath(base.split, base.db)}/${base.formulation}`;
  const handles = new Map<string, string>();
  const used = usedLabels(calls);
  const isOnTheWay = ({ label }: Call) => label !== undefined && used.has(label);
  const send = async (call: Call, offset: number): Promise<ToolAnswer> => {
    const unseen = !previews && isOnTheWay(call);
    const view = new URLSearchParams({
      ...(unseen ? { preview: '0', limit: '1' } : {}),
      ...(offset > 0 ? { offset: String(offset) } : {}),
    });
    const payload = mapReferences(call.arguments, (label) => {
      const handle = handles.get(label);
      return handle === undefined ? undefined : `$${handle}$`;
    });
    const response = await app.inject({
      method: 'POST',
      url: `${root}/${call.name}${view.size > 0 ? `?${view}` : ''}`,
      payload: payload as object,
    });
    if (response.statusCode !== 200) throw callFailed(call, response);
    const answer = toolAnswer.parse(parseExactJson(response.body));
    if (call.label !== undefined) handles.set(call.label, answer.handle);
    return answer;
  };

  for (const start of startCalls(initialization)) await send(start, 0);
  const answers: ToolAnswer[] = [];
  let body: unknown = null;
  for (const call of calls) {
    const first = await send(call, 0);
    body = first;
    answers.push(isOnTheWay(call) ? first : await readOn(first, (offset) => send(call, offset)));
  }
  const rows = assembleAnswer(calls, answers);
  if (!rows)
    throw new QueryError('CALL_FAILED', 'the last answers do not make rows: columns of different length');
  return { rows, body };
}

/** One call a start table: an initialization may hold several. */
function startCalls(initialization: Call | null): Call[] {
  if (!initialization) return [];
  const { additional_tables = [], ...main } = initializationArguments.parse(initialization.arguments);
  const { name, label } = initialization;
  return [
    { name, arguments: main, ...(label === undefined ? {} : { label }) },
    ...additional_tables.map(({ label: own, ...definition }) => ({
      name,
      arguments: definition,
      label: own,
    })),
  ];
}

/** The whole of a column that was answered in part. */
async function readOn(first: ToolAnswer, next: (offset: number) => Promise<ToolAnswer>): Promise<ToolAnswer> {
  if (first.kind !== 'column' || !first.truncated) return first;
  const values = [...first.values];
  for (let at = first.next_offset; at !== null; ) {
    const page = await next(at);
    if (page.kind !== 'column') break;
    values.push(...page.values);
    at = page.next_offset;
  }
  return { ...first, values, row_count: values.length, truncated: false, next_offset: null };
}
