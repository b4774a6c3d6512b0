import { ArgumentError } from '../arguments/argument-error.ts';
import { serveChild } from '../sandbox/index.ts';
import type { WorkspaceReply, WorkspaceRequest } from './messages.ts';
import { readStatement } from './read-statement.ts';
import { runInWorkspace } from './run-in-workspace.ts';

// SQLite's 'localtime' is the process's: one answer on every machine.
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
