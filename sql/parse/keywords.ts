/** Words that SQLite never treats as names. */
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

/** Function names in the IR for CURRENT_DATE and the like. */
export const CURRENT_WORDS = new Set(['CURRENT_DATE', 'CURRENT_TIME', 'CURRENT_TIMESTAMP']);
