import { bfclXml } from './bfcl-xml.ts';
import { claudeXml } from './claude-xml.ts';
import { deepseek } from './deepseek.ts';
import type { Dialect } from './dialect.ts';
import { dsml } from './dsml.ts';
import { functionGemma } from './function-gemma.ts';
import { functionary } from './functionary.ts';
import { gemma } from './gemma.ts';
import { glm } from './glm.ts';
import { harmony } from './harmony.ts';
import { kimi } from './kimi.ts';
import { mistral } from './mistral.ts';
import { nameAndJson } from './name-and-json.ts';
import { qwen2 } from './qwen2.ts';
import { react } from './react.ts';

/** In the order in which they are tried: those with tokens of their own first. */
export const DIALECTS: readonly Dialect[] = [
  harmony,
  deepseek,
  dsml,
  kimi,
  mistral,
  glm,
  gemma,
  functionGemma,
  functionary,
  qwen2,
  claudeXml,
  bfclXml,
  react,
  nameAndJson,
];
