import { MS_PER_MINUTE } from '@healthd/model';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Spool } from '../platform/spool/index.js';
import { applyPendingErasures, completeLedger, ErasureLedger } from '../users/index.js';
import { eraseUserData } from './erase-user-data.js';
import type { Settings } from './settings/settings.js';

/**
 * Interval at which a process adds other processes' erasures to its ledger. Each process keeps a complete ledger, so
 * the loss of one ledger loses no erasure.
 */
const COMPLETE_EVERY_MS = 5 * MS_PER_MINUTE;

export interface Erasures {
  ledger: ErasureLedger;
  stop(): void;
}

/**
 * Finishes an interrupted restore, and keeps this process's erasure ledger complete. Runs before the service serves
 * requests.
 */
export async function composeErasures(options: {
  settings: Pick<Settings, 'dataDir'>;
  pool: pg.Pool;
  spool: Pick<Spool, 'remove'>;
  log: Pick<Logger, 'error' | 'warn'>;
}): Promise<Erasures> {
  const { settings, pool, spool, log } = options;
  const { erased, spoolNames } = await applyPendingErasures(pool, eraseUserData);
  for (const name of spoolNames) await spool.remove(name);
  if (erased > 0)
    log.warn(
      { event: 'users_erased_again', erased },
      'Erased users again, because the restored backup is older than their erasure',
    );
  const ledger = ErasureLedger.of(settings.dataDir);
  const complete = () =>
    completeLedger(pool, ledger).catch((error: unknown) =>
      log.error({ event: 'erasure_ledger_failed', err: error }, 'Failed to complete the erasure ledger in DATA_DIR'),
    );
  await complete();
  const timer = setInterval(() => void complete(), COMPLETE_EVERY_MS);
  timer.unref();
  return { ledger, stop: () => clearInterval(timer) };
}
