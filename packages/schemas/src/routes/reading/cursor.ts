import { z } from 'zod';

/** Cursor from the previous response. */
export const cursorParam = z
  .string()
  .optional()
  .meta({ description: '`next_cursor` or `previous_cursor` of the previous page, with the same filters' });
