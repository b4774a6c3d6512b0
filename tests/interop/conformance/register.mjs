import fs from 'node:fs';
import { register } from 'node:module';

// Loaded before the conformance suite, which imports `fs.globSync` for a command that is not used here. Node 20 has none.
if (!('globSync' in fs)) register('./resolve-fs.mjs', import.meta.url);
