/** Names a question in its split. */
export function questionKey(db: string, questionId: string | number): string {
  return `${db}/${questionId}`;
}
