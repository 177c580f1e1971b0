import type { HealthScoreRecord, ScoreCategory } from '@healthd/model';
import { GARMIN_SOURCE } from './source.js';

export type Components = NonNullable<HealthScoreRecord['components']>;

/** A score that the vendor computed. A later version replaces it by id. */
export function healthScore(parts: {
  category: Extract<ScoreCategory, 'sleep' | 'stress' | 'body_battery'>;
  /** Id of the scored item. */
  id: string;
  value: number;
  qualifier?: string | undefined;
  atMs: number;
  offsetMinutes: number | undefined;
  highestOf?: HealthScoreRecord['highestOf'];
  components?: Components;
}): HealthScoreRecord {
  const { category, id, components = {}, ...rest } = parts;
  return {
    kind: 'health_score',
    source: GARMIN_SOURCE,
    category,
    externalId: `${category}/${id}`,
    ...rest,
    ...(Object.keys(components).length > 0 && { components }),
  };
}

/** Formats `very_stressful` and `GOOD` for display: `Very Stressful`, `Good`. */
export function wordsOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^[A-Za-z][A-Za-z_]{0,39}$/.test(value)) return undefined;
  return value
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

/** Numbers of an item, under the vendor's own names. */
export function numbers(item: Readonly<Record<string, unknown>>, names: readonly string[]): Components {
  const found: Components = {};
  for (const name of names) {
    const value = item[name];
    if (typeof value === 'number' && value >= 0) found[name] = { value, qualifier: null };
  }
  return found;
}
