import { type Json, parseJson } from '../json/lossless.ts';

/** Arguments as given, or decoded where they are the text of JSON, as several APIs send them; no text is no arguments. */
export function decodedArguments(args: Json): Json {
  if (typeof args !== 'string') return args;
  if (args.trim() === '') return {};
  try {
    return parseJson(args);
  } catch {
    return args;
  }
}
