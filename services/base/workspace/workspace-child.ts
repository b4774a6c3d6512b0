import { serveChild } from '../sandbox/index.ts';
import type { WorkspaceReply, WorkspaceRequest } from './messages.ts';
import { runInWorkspace } from './run-in-workspace.ts';

serveChild<WorkspaceRequest, WorkspaceReply>(runInWorkspace);
