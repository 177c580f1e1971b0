import { MS_PER_HOUR } from '@healthd/model';
import type pg from 'pg';
import type { Cleaning } from '../../platform/cleaning.js';
import type { Spool } from '../../platform/spool/index.js';
import { markServedFiles, neededSpoolNames } from './served-files.js';

const EVERY_SECONDS = 600;
/**
 * Minimum age of an orphaned file. A file that is being received has no row yet, but it is younger than this, because
 * every byte updates its time.
 */
const ORPHAN_AFTER_MS = MS_PER_HOUR;

export interface SpoolServices {
  pool: pg.Pool;
  spool: Spool;
  settings: { keepFailedDays: number };
}

/**
 * Deletes files that are no longer needed, and returns their number: files of completed imports, of dry runs after an
 * hour, and of partial and failed imports after some days. Also deletes leftovers of crashed uploads, cleanups and user
 * deletions.
 */
export async function cleanSpool({ pool, spool, settings }: SpoolServices): Promise<number> {
  const served = await markServedFiles(pool, settings.keepFailedDays);
  for (const spoolName of served) await spool.remove(spoolName);
  const before = Date.now() - ORPHAN_AFTER_MS;
  const old = (await spool.list()).filter(({ modifiedAt }) => modifiedAt.getTime() < before).map(({ name }) => name);
  const needed = old.length > 0 ? await neededSpoolNames(pool, old) : new Set<string>();
  const orphans = old.filter((name) => !needed.has(name));
  for (const name of orphans) await spool.remove(name);
  return served.length + orphans.length;
}

/** Cleans the spool every ten minutes. */
export function spoolCleaning(services: SpoolServices): Cleaning {
  return {
    name: 'clean-import-spool',
    everySeconds: EVERY_SECONDS,
    async clean({ log }) {
      const removed = await cleanSpool(services);
      if (removed > 0) log.info({ event: 'spool_files_removed', removed }, 'Removed files from the spool');
    },
  };
}
