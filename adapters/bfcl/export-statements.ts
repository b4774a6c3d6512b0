import type { Sample } from '../../contracts/sample.ts';
import { isOfDialogue } from '../../contracts/task.ts';
import { onePerQuestion } from '../../eval/farm/read-farm.ts';
import type { Json } from '../../eval/json/lossless.ts';
import { type ExportedFile, type FarmTasks, questionText, type SqlStatement } from '../exports.ts';
import { type BfclExportOptions, categoryFiles, line } from './export.ts';

/** BFCL skips a category with `sql` in its name, and checks one without `multiple` or `parallel` as a simple call. */
const CATEGORY = 'farm_statement';

/** BFCL's function, with its arguments. That of `conditions` is a list of texts here, as in its answers. */
const EXECUTE = {
  name: 'sql.execute',
  description: 'Execute one SQL statement on a table, given in parts.',
  parameters: {
    type: 'dict',
    properties: {
      sql_keyword: {
        type: 'string',
        enum: ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'CREATE'],
        description: 'What the statement does.',
      },
      table_name: { type: 'string', description: 'The table.' },
      columns: texts("The columns, in order; ['*'] for all of them."),
      insert_values: texts('INSERT: the values.'),
      update_values: texts('UPDATE: the new values of the columns.'),
      conditions: texts("Conditions that all have to hold, each as SQL: ['a > 1', \"b = 'x'\"]."),
    },
    required: ['sql_keyword', 'table_name'],
  },
};

function texts(description: string): object {
  return { type: 'array', items: { type: 'string' }, description };
}

/** BFCL's SQL category: questions and tasks whose gold SQL is one simple statement. */
export async function exportStatements(
  samples: readonly Sample[],
  statementOf: FarmTasks['statementOf'],
  { evidence }: Pick<BfclExportOptions, 'evidence'>,
): Promise<ExportedFile[]> {
  const questions: string[] = [];
  const answers: string[] = [];
  const asked = samples.filter((sample) => !sample.refuse && !sample.unanswerable && !isOfDialogue(sample));
  for (const sample of onePerQuestion(asked)) {
    const statement = await statementOf(sample);
    if (statement === null) continue;
    const id = `${CATEGORY}_${questions.length}`;
    const content = `${questionText(sample, evidence)}\n\nTables: ${statement.tables.join('; ')}`;
    questions.push(line({ id, question: [[{ role: 'user', content }]], function: [EXECUTE] }));
    answers.push(line({ id, ground_truth: [{ [EXECUTE.name]: acceptable(statement) }] }));
  }
  return categoryFiles(CATEGORY, questions, answers);
}

/** Conditions hold in any order; more than these have too many orders to write down. */
const MOST_ORDERED = 4;

const UNEQUAL = /^(\w+|"[^"]+") <> /;

function acceptable({
  keyword,
  table,
  columns,
  allColumns,
  values,
  conditions,
}: SqlStatement): Record<string, Json[]> {
  const orders = conditions.length > MOST_ORDERED ? [[...conditions]] : ordersOf(conditions);
  const spelled = orders.map((order) => order.map((each) => each.replace(UNEQUAL, '$1 != ')));
  const unequal = conditions.some((each) => UNEQUAL.test(each));
  const listed = keyword === 'DELETE' ? [] : [[...columns]];
  return {
    sql_keyword: [keyword],
    table_name: [table],
    columns: [...listed, ...(allColumns ? [['*']] : []), ...(keyword === 'DELETE' ? [''] : [])],
    insert_values: [keyword === 'INSERT' ? [...values] : ''],
    update_values: [keyword === 'UPDATE' ? [...values] : ''],
    conditions: conditions.length === 0 ? [''] : [...orders, ...(unequal ? spelled : [])],
  };
}

function ordersOf(items: readonly string[]): string[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, i) => ordersOf(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}
