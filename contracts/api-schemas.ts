import { z } from 'zod';
import { foundEndpoints } from './found-endpoints.ts';
import { problem } from './problem.ts';
import { batchView, createdBatch, createdRun, runAnswer, runRequest, runSummary, runView } from './run.ts';
import { servedCatalog } from './served-catalog.ts';
import { servedFarm } from './served-farm.ts';
import { servedIndex } from './served-index.ts';
import { servedTask, taskPage } from './served-task.ts';
import { openapiDocument, servedTools } from './served-tools.ts';

/** The schemas that have a name in the description of rookery's own API. */
export const apiSchemas = z
  .registry<{ id: string }>()
  .add(problem, { id: 'Problem' })
  .add(servedIndex, { id: 'Index' })
  .add(servedFarm, { id: 'Farm' })
  .add(servedCatalog, { id: 'Catalog' })
  .add(foundEndpoints, { id: 'FoundEndpoints' })
  .add(servedTask, { id: 'Task' })
  .add(taskPage, { id: 'TaskPage' })
  .add(servedTools, { id: 'ToolList' })
  .add(openapiDocument, { id: 'OpenapiDocument' })
  .add(runRequest, { id: 'RunRequest' })
  .add(runAnswer, { id: 'RunAnswer' })
  .add(runSummary, { id: 'RunSummary' })
  .add(runView, { id: 'Run' })
  .add(batchView, { id: 'Batch' })
  .add(createdRun, { id: 'CreatedRun' })
  .add(createdBatch, { id: 'CreatedBatch' });
