/** Numbers of things in words. */
export const COUNTS =
  'no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );

/** Places in words, from the first on. */
export const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
