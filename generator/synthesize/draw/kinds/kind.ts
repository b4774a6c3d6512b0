import type { Scene } from '../scene.ts';

/** Draws the SQL of one kind of question from a scene; null when the scene does not offer what it takes. */
export type Kind = (scene: Scene) => string | null;
