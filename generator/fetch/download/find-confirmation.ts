/**
 * The address that Google Drive's "too large to scan, download anyway?" page leads to: its form's action with
 * the hidden fields. Null when a page has no such form.
 */
export function findConfirmation(page: string, pageUrl: string): string | null {
  const form = /<form\b[^>]*\bid="download-form"[^>]*>/i.exec(page);
  const action = form === null ? undefined : attribute(form[0], 'action');
  if (form === null || action === undefined || !URL.canParse(action, pageUrl)) return null;
  const url = new URL(action, pageUrl);
  if (!/^https?:$/.test(url.protocol)) return null;
  const end = page.indexOf('</form>', form.index);
  for (const [input] of page.slice(form.index, end < 0 ? undefined : end).matchAll(/<input\b[^>]*>/gi)) {
    const name = attribute(input, 'name');
    if (attribute(input, 'type') === 'hidden' && name !== undefined) {
      url.searchParams.set(name, attribute(input, 'value') ?? '');
    }
  }
  return url.href;
}

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1]?.replaceAll('&amp;', '&');
}
