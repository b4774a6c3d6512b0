import { z } from 'zod';
import { printExactJson } from '../../../contracts/exact-json.ts';
import { ASK_USER, SAY, type Said, type ScriptedUser, userAfter } from '../../../contracts/scripted-user.ts';
import type { Task } from '../../../contracts/task.ts';
import { readJson } from '../../base/http/json.ts';
import { HttpProblem, invalidField } from '../../base/http/problem.ts';
import { problemAnswer } from '../../domain/domain-calls.ts';
import type { BackendAnswer } from '../backend/backend.ts';
import type { CallRecord } from './run-store.ts';

const question = z.strictObject({ question: z.string().min(1).max(2000) });

/** The body of `POST /runs/<id>/say`: a question in free text, or the answer of the turn. */
export const said = z.union([
  z.strictObject({ text: z.string().min(1).max(2000) }),
  z.strictObject({ answer: z.unknown() }),
]);

/** What the user of a dialogue says, as the response of `POST /runs/<id>/say`. */
export const userMessage = z.object({
  /** null once the dialogue is over. */
  message: z.string().nullable(),
  /** The number of the turn that the message belongs to, from 1. */
  turn: z.number().int(),
  over: z.boolean(),
});

export function isToUser(tool: string): boolean {
  return tool === ASK_USER || tool === SAY;
}

export function isDialogue(calls: readonly CallRecord[]): boolean {
  return calls.some(({ tool }) => isToUser(tool));
}

/** The calls of each turn up to its answer, with questions in free text as calls of `ask_user`. */
export function turnsOf(
  calls: readonly CallRecord[],
): { readonly calls: CallRecord[]; readonly answer: unknown }[] {
  const turns: { calls: CallRecord[]; answer: unknown }[] = [];
  let own: CallRecord[] = [];
  for (const call of calls) {
    const message = call.tool === SAY ? messageIn(call) : null;
    if (message === null) own.push(call);
    else if ('question' in message) own.push({ ...call, tool: ASK_USER, arguments: printExactJson(message) });
    else {
      turns.push({ calls: own, answer: message.answer ?? null });
      own = [];
    }
  }
  return own.length > 0 ? [...turns, { calls: own, answer: null }] : turns;
}

/** The message of a recorded call to the user; null for other calls, and for those that failed. */
function messageIn({ tool, status, arguments: args }: CallRecord): Said | null {
  return isToUser(tool) && status < 400 ? saidBy(tool, readJson(args)) : null;
}

/** null for arguments that say nothing. */
function saidBy(tool: string, args: unknown): Said | null {
  if (tool === ASK_USER) return question.safeParse(args).data ?? null;
  const read = said.safeParse(args).data;
  if (read === undefined) return null;
  return 'text' in read ? { question: read.text } : { answer: read.answer };
}

/** Carries out a message to a run's user, after the calls before it. */
export function callUser(
  task: Task,
  { name, arguments: args }: { readonly name: string; readonly arguments: unknown },
  before: readonly CallRecord[],
): BackendAnswer {
  const { turns, user: script } = task;
  if (!turns || !script) throw new Error(`${task.sample_id} has no user`);
  const messages = before.flatMap((call) => messageIn(call) ?? []);
  const user = userAfter(messages, { turns, user: script });
  const message = saidBy(name, args);
  if (message === null) {
    const how = name === ASK_USER ? 'question' : 'text, or answer';
    return problemAnswer(invalidField('body', 'wrong', `say one thing: ${how}`).toProblem());
  }
  if (user.message === null)
    return problemAnswer(new HttpProblem('DIALOGUE_OVER', 'The user has no further turn.').toProblem());
  if ('question' in message) {
    const { text } = user.reply(message.question);
    return answered(name === ASK_USER ? { reply: text } : stateOf(user, text));
  }
  user.answer();
  return answered(stateOf(user, user.message));
}

/** What the user said to a recorded message; nothing for other calls. */
export function replyTo(task: Task, call: CallRecord, before: readonly CallRecord[]) {
  if (messageIn(call) === null) return {};
  const { body } = callUser(task, { name: call.tool, arguments: readJson(call.arguments) }, before);
  const { reply, message } = JSON.parse(body) as { reply?: string; message?: string | null };
  return { reply: reply ?? message ?? null };
}

function stateOf(user: ScriptedUser, message: string | null): z.infer<typeof userMessage> {
  return { message, turn: user.turn, over: message === null };
}

function answered(body: object): BackendAnswer {
  return { status: 200, contentType: 'application/json', headers: {}, body: printExactJson(body) };
}
