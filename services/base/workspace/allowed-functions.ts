/**
 * The functions that a statement from outside may call. What reads files, settings or the program itself is not among them,
 * nor what makes values of any size from nothing.
 */
export const ALLOWED_FUNCTIONS: ReadonlySet<string> = new Set(
  [
    // of values
    'abs ceil ceiling coalesce floor glob ifnull instr length like likelihood likely lower ltrim max min mod nullif octet_length',
    'replace round rtrim sign substr substring trim trunc typeof unicode unlikely upper hex quote soundex char concat concat_ws',
    'acos acosh asin asinh atan atan2 atanh cos cosh degrees exp ln log log10 log2 pi pow power radians sin sinh sqrt tan tanh',
    // of time
    'date datetime julianday strftime time timediff unixepoch',
    // of JSON
    'json json_array json_array_length json_extract json_object json_quote json_type json_valid',
    // of groups
    'avg count group_concat json_group_array json_group_object median percentile percentile_cont percentile_disc string_agg sum',
    'total',
    // of windows
    'cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number',
  ].flatMap((line) => line.split(' ')),
);
