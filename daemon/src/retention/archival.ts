import type { Archival } from '@healthd/schemas';
import type pg from 'pg';
import { type ArchivalSettings, readSettings } from './archival-settings.js';
import { readStorage } from './storage.js';

/** The settings, what they bring about, and how much space is taken. */
export async function describeArchival(pool: pg.Pool): Promise<Archival> {
  const settings = await readSettings(pool);
  return {
    settings: { archive_after_days: settings.archiveAfterDays, delete_after_days: settings.deleteAfterDays },
    warnings: warningsOf(settings),
    storage: await readStorage(pool, settings),
  };
}

/** Settings that are allowed and probably not meant. */
export function warningsOf({ archiveAfterDays, deleteAfterDays }: ArchivalSettings): string[] {
  if (archiveAfterDays === null || deleteAfterDays === null || deleteAfterDays > archiveAfterDays) return [];
  return ['Samples are deleted before they would be archived, so archive_after_days has no effect.'];
}
