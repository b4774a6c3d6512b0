/**
 * Levels of arrays and objects, one inside the other, that a value from outside may have: arguments of a call, an
 * answer, settings. Rows are two levels deep; whatever reads a value may recurse.
 */
export const DEEPEST_VALUE = 100;

/** The same of a line that holds such values, as predictions do: what is recorded can always be scored. */
export const DEEPEST_LINE = DEEPEST_VALUE + 10;
