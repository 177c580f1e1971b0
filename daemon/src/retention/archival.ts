import { MS_PER_DAY } from '@healthd/model';
import type { Archival, ArchivalPreview } from '@healthd/schemas';
import type pg from 'pg';
import { ResultCache } from '../platform/result-cache.js';
import { type ArchivalSettings, readSettings } from './archival-settings.js';
import { previewArchival } from './preview.js';
import { readStorage, type StorageCounts } from './storage.js';

/**
 * Computes the effects of archival on all users. Concurrent callers share slow counts, which stay cached for minutes.
 */
export class ArchivalFigures {
  readonly #counts = new ResultCache<StorageCounts | undefined>();
  readonly #previews = new ResultCache<ArchivalPreview>();

  constructor(
    private readonly pool: pg.Pool,
    /** Providers whose cloud data is currently never archived. */
    private readonly neverArchived: () => Promise<readonly string[]>,
  ) {}

  /** Returns the settings, warnings about them, and the used space. */
  async describe(): Promise<Archival> {
    const settings = await readSettings(this.pool);
    return {
      settings: { archive_after_days: settings.archiveAfterDays, delete_after_days: settings.deleteAfterDays },
      warnings: warningsOf(settings),
      storage: await readStorage(this.pool, settings, this.#counts),
    };
  }

  /** Returns what a run with these settings would archive and delete now. Default: the stored settings. */
  async preview(proposed?: ArchivalSettings): Promise<ArchivalPreview> {
    const settings = proposed ?? (await readSettings(this.pool));
    const nowMs = Date.now();
    const neverArchived = await this.neverArchived();
    const today = Math.floor(nowMs / MS_PER_DAY);
    const key = JSON.stringify([settings.archiveAfterDays, settings.deleteAfterDays, today, neverArchived]);
    return this.#previews.get(key, () => previewArchival(this.pool, settings, nowMs, neverArchived));
  }
}

/** Returns warnings about settings that are allowed but probably unintended. */
export function warningsOf({ archiveAfterDays, deleteAfterDays }: ArchivalSettings): string[] {
  if (archiveAfterDays === null || deleteAfterDays === null || deleteAfterDays > archiveAfterDays) return [];
  return ['Samples are deleted before they would be archived, so archive_after_days has no effect.'];
}
