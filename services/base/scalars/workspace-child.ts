import { ArgumentError } from '../arguments.ts';
import { serveChild } from '../sqlite/child-pool.ts';
import type { WorkspaceReply, WorkspaceRequest } from './messages.ts';
import { readStatement } from './read-statement.ts';
import { runInWorkspace } from './workspace.ts';

// SQLite's 'localtime' uses the process's time zone; UTC gives the same result on every machine.
process.env.TZ = 'UTC';

serveChild<WorkspaceRequest, WorkspaceReply>((request) => {
  try {
    return request.kind === 'run'
      ? runInWorkspace(request)
      : { kind: 'read', ...readStatement(request.sql, request.scope) };
  } catch (error) {
    if (error instanceof ArgumentError) return { kind: 'refused', errors: error.errors };
    throw error;
  }
});
