/**
 * Default number of rows per table that one transaction deletes or clears. Limits how long the other writers of a user
 * wait for the user's lock.
 */
export const ROWS_PER_STEP = 5_000;
