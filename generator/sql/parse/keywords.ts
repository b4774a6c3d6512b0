/** Words that SQLite never takes for a name. */
export const RESERVED = new Set(
  `ALL ALTER AND AS BETWEEN CASE CHECK COLLATE COMMIT CONSTRAINT CREATE DEFAULT DEFERRABLE DELETE DISTINCT
   DROP ELSE ESCAPE EXCEPT EXISTS FOREIGN FROM GROUP HAVING IN INDEX INSERT INTERSECT INTO IS ISNULL JOIN
   LIMIT NOT NOTHING NOTNULL NULL ON OR ORDER PRIMARY REFERENCES SELECT SET TABLE THEN TO TRANSACTION UNION
   UNIQUE UPDATE USING VALUES WHEN WHERE`.split(/\s+/),
);

/** Words before a join that are names elsewhere. */
export const JOIN_WORDS = new Set(['CROSS', 'FULL', 'INNER', 'LEFT', 'NATURAL', 'OUTER', 'RIGHT']);

/** Comparison operators spelled as words, names elsewhere. */
export const PATTERN_WORDS = new Set(['LIKE', 'GLOB', 'REGEXP', 'MATCH']);

/** Words of a window frame, names outside of one. */
export const FRAME_WORDS = new Set(
  'ROWS RANGE GROUPS UNBOUNDED PRECEDING FOLLOWING CURRENT ROW EXCLUDE NO OTHERS TIES'.split(' '),
);

/** What CURRENT_DATE and its kin are called as functions in the IR. */
export const CURRENT_WORDS = new Set(['CURRENT_DATE', 'CURRENT_TIME', 'CURRENT_TIMESTAMP']);
