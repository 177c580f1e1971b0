import { z } from 'zod';

/** Where the next page begins: what the previous answer gave. */
export const cursorParam = z
  .string()
  .optional()
  .meta({ description: '`next_cursor` or `previous_cursor` of the page before, with the same filters' });
