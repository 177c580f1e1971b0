import { getArchivalSettings, previewArchival, runArchival, setArchivalSettings } from '@healthd/schemas';
import type pg from 'pg';
import { ArchivalFigures, requestRun, writeSettings } from '../../retention/index.js';
import { type Binding, bind } from '../binding.js';

/** Routes for sample retention. They only store a request; a sweeper enqueues the job that does the work. */
export function archivalRoutes({
  pool,
  neverArchived,
}: {
  pool: pg.Pool;
  neverArchived: () => Promise<readonly string[]>;
}): Binding[] {
  const figures = new ArchivalFigures(pool, neverArchived);
  return [
    bind(getArchivalSettings, () => figures.describe()),
    bind(setArchivalSettings, async ({ body }) => {
      await writeSettings(pool, settingsOf(body));
      return figures.describe();
    }),
    bind(previewArchival, async ({ query }) => {
      const hasSettings = query.archive_after_days !== undefined || query.delete_after_days !== undefined;
      return figures.preview(hasSettings ? settingsOf(query) : undefined);
    }),
    bind(runArchival, async () => ({ task_id: await requestRun(pool), status: 'dispatched' as const })),
  ];
}

/** Converts settings to their stored form. An omitted setting is off, like null. */
function settingsOf(input: { archive_after_days?: number | null; delete_after_days?: number | null }) {
  return { archiveAfterDays: input.archive_after_days ?? null, deleteAfterDays: input.delete_after_days ?? null };
}
