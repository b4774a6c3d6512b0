/** `fs` as the conformance suite wants it; see register.mjs. */
export function resolve(specifier, context, next) {
  if (specifier !== 'fs' || !/conformance/.test(context.parentURL ?? '')) return next(specifier, context);
  return { url: new URL('./fs-with-glob.mjs', import.meta.url).href, format: 'module', shortCircuit: true };
}
