import { type HealthRecord, MS_PER_SECOND, seriesTypeByCode } from '@healthd/model';
import { z } from 'zod';
import type { ReplacedPart } from '../../cloud/index.js';
import { placeOf } from './place.js';
import { PLACE, summaryReader, VALUES } from './reading.js';
import { mappedSamples, positive, sample } from './samples.js';
import { OWN } from './source.js';

/** Variability of a night: RMSSD in milliseconds. */
const VARIABILITY = PLACE.extend({ lastNightAvg: z.number(), hrvValues: VALUES });

const SERIES = 'heart_rate_variability_rmssd';
const SAMPLES_ID = 'hrv';
const AVERAGE_ID = 'hrv/lastNightAvg';

/** Name of the list of variability summaries in bodies. */
export const VARIABILITY_KEY = 'hrv';

/** Name of the sleep list in bodies, and the rank of a final version. */
export const FINAL_SLEEP = { dataType: 'sleeps', rank: 1 } as const;

const STORED = { ...OWN, of: 'samples', typeIds: [seriesTypeByCode(SERIES).id] } as const;

/** Stored five-minute readings of variability summaries. */
export const VARIABILITY_SERIES: ReplacedPart['of'] = { ...STORED, externalIds: [SAMPLES_ID] };

/**
 * RMSSD every five minutes, and the night's average as a separate value. The longer of two versions with equal starts
 * is newer. If versions with different starts overlap, a version that starts together with a final sleep wins,
 * otherwise the version that arrives later. A replaced version stays replaced.
 */
export const readVariability = summaryReader(VARIABILITY, (item, reading) => {
  const place = placeOf(item, reading);
  if (!place) return undefined;
  const { startMs, endMs, offsetMinutes } = place;
  const records: HealthRecord[] = mappedSamples(item.hrvValues, place, reading, {
    code: SERIES,
    id: SAMPLES_ID,
    field: 'hrvValues',
    convert: positive,
  });
  const average = item.lastNightAvg;
  if (average !== undefined && average > 0) {
    // The last second is still on the date of waking, and within the time range that another version replaces.
    const wakingMs = Math.max(startMs, endMs - MS_PER_SECOND);
    const night = { startMs: wakingMs, offsetMinutes, id: AVERAGE_ID };
    records.push(sample({ code: SERIES, value: average, ...night, kind: 'aggregate' }));
  }
  return {
    records,
    span: { startMs, endMs: Math.max(endMs, startMs + MS_PER_SECOND) },
    key: String(startMs / MS_PER_SECOND),
    version: (endMs - startMs) / MS_PER_SECOND,
    exclusive: {
      rank: 0,
      follows: FINAL_SLEEP,
      replaces: [{ where: 'everywhere', of: { ...STORED, externalIds: [SAMPLES_ID, AVERAGE_ID] } }],
    },
  };
});
