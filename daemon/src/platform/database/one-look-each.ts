/**
 * Ends a subquery that finds the rows of one item. The planner then looks into an index once for each item. Without it, it
 * takes a user whom its statistics do not know yet for one with a handful of rows, and compares each item with each row: a
 * minute for 10,000 readings.
 */
export const ONE_LOOK_EACH = 'offset 0';
