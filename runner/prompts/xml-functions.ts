import type { ModelTool } from '../model/model.ts';
import { parametersOf } from '../tools/parameters-of.ts';

/** Tools as XML, one of the forms in which BFCL documents functions. */
export function xmlFunctions(tools: readonly ModelTool[]): string {
  const lines = tools.map((tool) => {
    const params = parametersOf(tool).map(
      ({ name, type, required, description }) =>
        `    <param name="${escapeXml(name)}" type="${type}" required="${required}">${escapeXml(description)}</param>`,
    );
    return `  <function name="${escapeXml(tool.name)}">\n    <desc>${escapeXml(tool.description)}</desc>\n${params.join('\n')}\n  </function>`;
  });
  return `<functions>\n${lines.join('\n')}\n</functions>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
