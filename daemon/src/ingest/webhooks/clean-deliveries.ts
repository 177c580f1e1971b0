import { MS_PER_HOUR } from '@healthd/model';
import type { Cleaning } from '../../platform/cleaning.js';
import { deleteOldDeliveries, markDeliveryFileDeleted, neededDeliveryFiles, servedDeliveries } from './deliveries.js';
import type { DeliveryServices } from './delivery-services.js';

const EVERY_SECONDS = 600;
const KEEP_DAYS = 30;
/**
 * Minimum age of an orphaned file. A file that is being received has no row yet, but it is younger than this, because
 * every byte updates its time.
 */
const ORPHAN_AFTER_MS = MS_PER_HOUR;

type Services = Pick<DeliveryServices, 'pool' | 'spool' | 'keepFailedDays' | 'now'>;

/**
 * Deletes files of completed deliveries and leftovers of crashes from the spool, and the deliveries' rows after a
 * month.
 */
async function cleanDeliveries({ pool, spool, keepFailedDays, now }: Services, signal: AbortSignal): Promise<number> {
  const served = await servedDeliveries(pool, keepFailedDays, now());
  for (const { id, spoolName } of served) {
    await spool.remove(spoolName);
    await markDeliveryFileDeleted(pool, id, now());
  }
  const before = Date.now() - ORPHAN_AFTER_MS;
  const old = (await spool.list()).filter(({ modifiedAt }) => modifiedAt.getTime() < before).map(({ name }) => name);
  const needed = old.length > 0 ? await neededDeliveryFiles(pool, old) : new Set<string>();
  const orphans = old.filter((name) => !needed.has(name));
  for (const name of orphans) await spool.remove(name);
  await deleteOldDeliveries(pool, { days: KEEP_DAYS, now: now(), signal });
  return served.length + orphans.length;
}

export function deliveryCleaning(services: Services): Cleaning {
  return {
    name: 'clean-deliveries',
    everySeconds: EVERY_SECONDS,
    async clean({ signal, log }) {
      const removed = await cleanDeliveries(services, signal);
      if (removed > 0) log.info({ event: 'delivery_files_removed', removed }, 'Removed files of vendor deliveries');
    },
  };
}
