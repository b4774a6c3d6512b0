/**
 * How an agent will read a reply. Sent to no provider; scripted models write their lines by it.
 *
 * - `tools`: native calls until the answer is text. `native_calls`: one reply of native calls.
 * - `structured`: one JSON object with calls, by the schema that the request has.
 * - `json_list` … `nested`: one reply of text that holds the whole sequence, as model families write it.
 * - `react`: one turn of thought, action and input; `sql_react`: the same with SQL as input. `sql`: one SELECT.
 *   `virtual_sql`: one in which scalar APIs are tables. `program`: one program in JavaScript.
 */
export const REPLY_FORMATS = [
  'tools',
  'native_calls',
  'structured',
  'json_list',
  'json_list_without_labels',
  'tool_call_elements',
  'marked_json_list',
  'python_calls',
  'fenced_json',
  'xml_verbose',
  'xml_concise',
  'tagged_json_list',
  'nested',
  'react',
  'sql_react',
  'sql',
  'virtual_sql',
  'program',
] as const;
export type ReplyFormat = (typeof REPLY_FORMATS)[number];
