import { z } from 'zod';

const changeCountsSchema = z.object({
  new: z.int().default(0),
  changed: z.int().default(0),
  gone: z.int().default(0),
});

/** `metadata.report.changes` of an import, by series and month of the local date (`YYYY-MM`). Omits zeros. */
export const importChangesSchema = z.record(z.string(), z.record(z.string(), changeCountsSchema));
export type ImportChanges = z.infer<typeof importChangesSchema>;
