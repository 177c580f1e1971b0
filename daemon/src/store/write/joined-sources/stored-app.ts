import { dayNumber } from '@healthd/model';
import { type AppSource, appOf } from '../../facts/sources/app-source.js';
import type { StoredSource } from '../../facts/sources/stored-source.js';
import type { DaySpan } from './day-span.js';

/** An app of which items are stored. */
export interface StoredApp extends AppSource {
  sourceId: number;
  /** Of its items when it was last compared, and of what arrived since; undefined: it never was. */
  compared: DaySpan | undefined;
}

/** The app that a source is; undefined for any other source. */
export function storedApp(row: StoredSource): StoredApp | undefined {
  const { provider, writer, device_model: deviceModel, device_id: deviceId } = row;
  const app = appOf({ provider, writer, deviceModel, deviceId });
  if (!app) return undefined;
  const [first, last] = [row.compared_from, row.compared_until].map((date) => date && dayNumber(date));
  const compared = typeof first === 'number' && typeof last === 'number' ? { first, last } : undefined;
  return { ...app, sourceId: row.source_id, compared };
}
