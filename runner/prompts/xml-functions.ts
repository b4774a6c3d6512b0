import type { ModelTool } from '../model/model.ts';
import { parametersOf } from '../tools/parameters-of.ts';

/** Tools as XML, one of the forms in which BFCL documents functions. */
export function xmlFunctions(tools: readonly ModelTool[]): string {
  const lines = tools.map((tool) => {
    const params = parametersOf(tool).map(
      ({ name, type, required, description }) =>
        `    <param name="${escape(name)}" type="${type}" required="${required}">${escape(description)}</param>`,
    );
    return `  <function name="${escape(tool.name)}">\n    <desc>${escape(tool.description)}</desc>\n${params.join('\n')}\n  </function>`;
  });
  return `<functions>\n${lines.join('\n')}\n</functions>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
