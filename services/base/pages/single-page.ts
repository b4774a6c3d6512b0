import { createHash } from 'node:crypto';
import { escapeHtml } from './page.ts';

export interface SinglePageParts {
  readonly script: string;
  readonly style: string;
  /** JSON texts by the paths that the script asks for. */
  readonly files: readonly (readonly [path: string, json: string])[];
}

/** The console and its data as one file, which asks nothing of any server and can be opened from a disk. */
export function emitSinglePage(title: string, { script, style, files }: SinglePageParts): string {
  // Nothing in a script may look like its end. Both readings are the same text to JavaScript.
  const code = script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  const policy = `default-src 'none'; script-src '${hashOf(code)}'; style-src '${hashOf(style)}'; img-src data:; base-uri 'none'; form-action 'none'`;
  const entries = files.map(([path, json]) => `${JSON.stringify(path)}:${json}`);
  const data = `{${entries.join(',')}}`.replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="console" data-files=""></div>
<noscript>This page needs JavaScript.</noscript>
<script type="application/json" id="files">${data}</script>
<script type="module">${code}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
