/** How an endpoint's SQL reads a parameter that is a list: `x IN (<this>)`. It is bound as the JSON text of an array. */
export function listSql(parameter: string): string {
  return `SELECT value FROM json_each(:${parameter})`;
}
