// An agent that is a program: it looks up the gold calls of its task in a farm's folder, makes them at the address of
// its run, and posts what the last ones gave, or prints it where the task is a REST one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { ROOKERY_RUN, ROOKERY_SAMPLE_ID, ROOKERY_START_TABLES } = process.env;
const [, db] = ROOKERY_SAMPLE_ID.split('/');
const lines = readFileSync(join(process.argv[2], 'eval', `${db}.jsonl`), 'utf8')
  .trim()
  .split('\n');
const sample = lines.map((line) => JSON.parse(line)).find(({ sample_id }) => sample_id === ROOKERY_SAMPLE_ID);

const handles = Object.fromEntries(
  JSON.parse(ROOKERY_START_TABLES).map(({ label, handle }) => [label, handle]),
);
let last;
for (const call of sample.output) {
  const args = JSON.stringify(call.arguments).replace(/"\$(\w+)\$"/g, (whole, label) =>
    handles[label] ? `"$${handles[label]}$"` : whole,
  );
  const response = await fetch(`${ROOKERY_RUN}/call/${call.name}`, { method: 'POST', body: args });
  last = await response.json();
  if (call.label) handles[call.label] = last.handle;
}
if (last.data) console.log(`Here it is\n${JSON.stringify(last.data)}`);
else await fetch(`${ROOKERY_RUN}/answer`, { method: 'POST', body: JSON.stringify({ answer: null }) });
