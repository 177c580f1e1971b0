/**
 * Ends a subquery that finds the rows of one item. It makes the planner search an index once per item. Otherwise, for a
 * user without statistics yet, the planner assumes a handful of rows and compares each item with each row: a minute for
 * 10,000 readings.
 */
export const ONE_LOOK_EACH = 'offset 0';
