/** Parts that every OpenAPI document of a farm has. */

/** A farm is open unless its operator asks for keys; a client may always send one. */
export const SECURITY: readonly Readonly<Record<string, readonly string[]>>[] = [{}, { ApiKey: [] }];

export const SECURITY_SCHEMES = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'Needed where the operator of the farm asks for keys.',
  },
} as const;

/** Who to ask about a farm is whoever serves it. */
export const CONTACT = { name: 'The operator of this farm' } as const;
