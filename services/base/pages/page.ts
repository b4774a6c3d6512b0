import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .35rem .75rem; border-bottom: 1px solid #8884; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
code { font-size: .9em; }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const NOTHING_ELSE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

/** Text made safe for HTML, in content and in quoted attributes. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] as string);
}

/** Answers with a plain page: no script, nothing from elsewhere. `body` is HTML already. */
export function sendPage(reply: FastifyReply, title: string, body: string): FastifyReply {
  const policy = `default-src 'none'; img-src data:; style-src 'sha256-${STYLE_HASH}'; ${NOTHING_ELSE}`;
  return reply
    .headers({ ...PAGE_HEADERS, 'content-security-policy': policy })
    .send(emitDocument(title, `<style>${STYLE}</style>`, body));
}

/** Answers with the page of the console. Its script and its style are files of this server; `fallback` is shown without JavaScript. */
export function sendConsolePage(reply: FastifyReply, title: string, fallback: string): FastifyReply {
  const policy = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; ${NOTHING_ELSE}`;
  const head =
    '<meta name="color-scheme" content="light dark">\n<link rel="stylesheet" href="/console/console.css">\n' +
    '<script type="module" src="/console/console.js"></script>';
  const body = `<div id="console"></div>\n<noscript>\n${fallback}\n</noscript>`;
  return reply
    .headers({ ...PAGE_HEADERS, 'content-security-policy': policy })
    .send(emitDocument(title, head, body));
}

/** The page of a site of files: the console, with its data below `data/`. It has its policy in itself, for any host. */
export function emitSitePage(title: string): string {
  const policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";
  const head =
    `<meta http-equiv="Content-Security-Policy" content="${policy}">\n` +
    '<meta name="color-scheme" content="light dark">\n<link rel="stylesheet" href="console/console.css">\n' +
    '<script type="module" src="console/console.js"></script>';
  const body = '<div id="console" data-files="data"></div>\n<noscript>This page needs JavaScript.</noscript>';
  return emitDocument(title, head, body);
}

function emitDocument(title: string, head: string, body: string): string {
  return (
    `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">\n` +
    `<title>${escapeHtml(title)}</title>\n<link rel="icon" href="data:,">\n${head}\n</head>\n<body>\n${body}\n</body>\n</html>\n`
  );
}
