import type { Sample } from '../../contracts/sample.ts';
import { checkBfcl } from '../../eval/bfcl/check.ts';
import {
  type BfclFunction,
  type BfclLanguage,
  type BfclProperty,
  convertJava,
  convertJavascript,
} from '../../eval/bfcl/convert.ts';
import type { ToolUniverse } from '../../eval/calls/tool-universe.ts';
import { isNumber, type Json, numberText } from '../../eval/json/lossless.ts';
import { type ExportedFile, exportedTasks, questionText } from '../exports.ts';
import { decodeResult, type LanguageParsers } from './decode.ts';
import {
  type BfclExportOptions,
  type BfclSampleLine,
  categoryFiles,
  groundTruth,
  line,
  toFunction,
} from './export.ts';
import type { BfclQuestion } from './files.ts';

export type OtherLanguage = Exclude<BfclLanguage, 'python'>;

/** BFCL knows the language of a category by its name. */
export const LANGUAGE_CATEGORIES: Readonly<Record<OtherLanguage, string>> = {
  java: 'farm_simple_java',
  javascript: 'farm_simple_javascript',
};

/** Schema types by the ones of Python categories; others are spelled alike. */
const TYPES: Readonly<Record<OtherLanguage, Readonly<Record<string, string>>>> = {
  java: { string: 'String', float: 'double', array: 'ArrayList', dict: 'HashMap' },
  javascript: { string: 'String', boolean: 'Boolean' },
};

/** Words that are no names of parameters in Java or JavaScript, beside Python's keywords. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'abstract boolean byte case catch char const debugger default delete do double enum export extends final float ' +
    'function goto implements instanceof int interface let long native new null package private protected public short ' +
    'static super switch synchronized this throw throws transient true false typeof var void volatile'
  ).split(' '),
);

/**
 * BFCL's Java and JavaScript categories: REST tasks with their gold function alone, whose arguments are expressions of
 * the language. Left out is a question whose gold call BFCL's own conversions of these expressions do not accept, such
 * as one with a list of texts that have commas.
 */
export function exportLanguages(
  samples: readonly Sample[],
  universe: ToolUniverse,
  { evidence }: Pick<BfclExportOptions, 'evidence'>,
): ExportedFile[] {
  const tasks = exportedTasks(samples);
  return (['java', 'javascript'] as const).flatMap((language) => {
    const category = LANGUAGE_CATEGORIES[language];
    const questions: string[] = [];
    const answers: string[] = [];
    const map: BfclSampleLine[] = [];
    for (const sample of tasks) {
      const [call] = sample.output;
      const tool = call && universe.toolsFor(sample).get(call.name);
      if (!tool) continue;
      const fn = inLanguage(toFunction([call.name, tool]), language);
      const [[, parameters] = ['', {}]] = Object.entries(groundTruth(call, tool, sample.accepted_values));
      const renamed = Object.entries(parameters).map(([name, values]) => [safe(name), values] as const);
      const answer = { [call.name]: Object.fromEntries(renamed) };
      if (!isExpressible(fn, answer, language)) continue;
      const id = `${category}_${questions.length}`;
      const question = [[{ role: 'user', content: questionText(sample, evidence) }]];
      questions.push(line({ id, question, function: [fn] }));
      answers.push(line({ id, ground_truth: [answer] }));
      map.push({ id, sample_id: sample.sample_id, withheld: false });
    }
    return [
      ...categoryFiles(category, questions, answers),
      { path: 'farm_samples.jsonl', content: map.map(line).join('') },
    ];
  });
}

function inLanguage(fn: BfclFunction, language: OtherLanguage): BfclFunction {
  const typed = (type: string) => TYPES[language][type] ?? type;
  const { properties: all, required } = fn.parameters;
  const properties = Object.entries(all).map(([name, property]): [string, BfclProperty] => [
    safe(name),
    {
      ...property,
      type: typed(property.type),
      ...(property.items === undefined ? {} : { items: { type: typed(property.items.type) } }),
    },
  ]);
  return {
    ...fn,
    parameters: { type: 'dict', properties: Object.fromEntries(properties), required: required.map(safe) },
  };
}

function safe(name: string): string {
  return RESERVED.has(name) ? `${name}_` : name;
}

/** The inverse of `safe`. */
function unsafe(name: string): string {
  return name.endsWith('_') && RESERVED.has(name.slice(0, -1)) ? name.slice(0, -1) : name;
}

/** Whether the checker accepts the gold call, written in the language. */
function isExpressible(
  fn: BfclFunction,
  answer: Readonly<Record<string, Readonly<Record<string, Json[]>>>>,
  language: OtherLanguage,
): boolean {
  const [[name, parameters] = ['', {}]] = Object.entries(answer);
  const given = Object.entries(parameters).flatMap(([key, [value]]): [string, Json][] =>
    value === undefined || value === '' ? [] : [[key, decodedSource(value, language)]],
  );
  const call = { name, arguments: Object.fromEntries(given), label: null };
  const answers = [{ name, parameters }];
  return checkBfcl({ functions: [fn], calls: [call], answers, category: 'simple', language }).valid;
}

/** An expression as BFCL's decoders give it: texts without their quotes. */
function decodedSource(value: Json, language: OtherLanguage): string {
  const source = sourceOf(value, language);
  return typeof value === 'string' ? source.slice(1, -1) : source;
}

export function sourceOf(value: Json, language: OtherLanguage): string {
  if (isNumber(value)) return numberText(value);
  if (!Array.isArray(value)) return JSON.stringify(value);
  const items = value.map((item) => sourceOf(item, language)).join(', ');
  if (language === 'javascript') return `[${items}]`;
  return value.length === 0 ? 'new ArrayList<>()' : `new ArrayList<>(Arrays.asList(${items}))`;
}

/**
 * Reads a result of a category in the language: its calls with the values of their expressions, by the types of the
 * question's functions; a result that cannot be decoded as it is.
 */
export function sourceReader(
  questions: readonly BfclQuestion[],
  language: OtherLanguage,
  parsers: LanguageParsers,
): (id: string, result: Json) => Json {
  const functions = new Map(questions.map((question) => [question.id, question.functions]));
  const convert = language === 'java' ? convertJava : convertJavascript;
  return (id, result) => {
    const calls = decodeResult(result, language, false, parsers);
    if (typeof calls === 'string') return result;
    return calls.map(({ name, arguments: args }) => {
      const properties = functions.get(id)?.find((fn) => fn.name === name)?.parameters.properties;
      const values = Object.entries(args).map(([key, value]): [string, Json] => {
        const property = properties?.[key];
        const isSource = typeof value === 'string' && property !== undefined;
        return [unsafe(key), isSource ? convert(value, property.type, property.items?.type ?? null) : value];
      });
      return { [name]: Object.fromEntries(values) };
    });
  };
}
