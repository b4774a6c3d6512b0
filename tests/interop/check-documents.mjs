// What two parsers say about OpenAPI documents: one line of JSON a fault, nothing when there are none.
import { readFileSync } from 'node:fs';
import SwaggerParser from '@apidevtools/swagger-parser';
import { validate } from '@scalar/openapi-parser';

for (const file of process.argv.slice(2)) {
  await SwaggerParser.validate(file).catch((error) => tell(file, 'swagger-parser', error.message));
  const { valid, errors = [] } = await validate(readFileSync(file, 'utf8'));
  if (!valid || errors.length > 0) tell(file, 'scalar', errors);
}

function tell(file, by, fault) {
  console.log(JSON.stringify({ file, by, fault }));
}
