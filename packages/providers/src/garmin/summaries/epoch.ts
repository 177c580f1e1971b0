import { type HealthRecord, MS_PER_SECOND, type SeriesCode } from '@healthd/model';
import { z } from 'zod';
import { textOf } from '../../payload/index.js';
import type { Gives } from '../../rest/index.js';
import { placeOf } from './place.js';
import { PLACE, summaryReader } from './reading.js';
import { sample } from './samples.js';

/** A slice of up to 15 minutes. */
const EPOCH = PLACE.extend({
  activityType: z.string(),
  steps: z.number(),
  activeKilocalories: z.number(),
  distanceInMeters: z.number(),
  meanHeartRateInBeatsPerMinute: z.number(),
  averageHeartRateInBeatsPerMinute: z.number(),
});

const AMOUNTS = [
  { member: 'steps', code: 'steps' },
  { member: 'activeKilocalories', code: 'energy' },
  { member: 'distanceInMeters', code: 'distance_walking_running' },
] as const satisfies readonly { member: keyof typeof EPOCH.shape; code: SeriesCode }[];

/** Series of an epoch. */
export const EPOCH_GIVES: Gives = { series: [...AMOUNTS.map(({ code }) => code), 'heart_rate'] };

/**
 * Movement types within one slot. Equal samples of a source with equal times would merge, so each type starts one
 * second after the previous type. Two types with equal steps therefore remain two samples.
 */
const KINDS = ['WALKING', 'RUNNING', 'SEDENTARY', 'GENERIC', 'SLEEP', 'WHEELCHAIR_PUSH'];

/** A slot has one item for each type of movement, and all of them count. */
export const readEpoch = summaryReader(EPOCH, (item, reading) => {
  const place = placeOf(item, reading);
  if (!place) return undefined;
  const { startMs, endMs, offsetMinutes } = place;
  const kind = textOf(item.activityType)?.toUpperCase() ?? 'GENERIC';
  const position = KINDS.includes(kind) ? KINDS.indexOf(kind) : KINDS.length;
  const shiftMs = Math.min(position * MS_PER_SECOND, endMs - startMs);
  const at = {
    startMs: startMs + shiftMs,
    offsetMinutes,
    durationMs: endMs - startMs - shiftMs,
    id: `epochs/${kind}`,
  };
  const records: HealthRecord[] = [];
  for (const { member, code } of AMOUNTS) {
    const value = item[member];
    if (value !== undefined && value > 0) records.push(sample({ code, value, ...at }));
    else if (value !== undefined) reading.tally.noValue++;
  }
  const heartRate = item.meanHeartRateInBeatsPerMinute ?? item.averageHeartRateInBeatsPerMinute;
  if (heartRate !== undefined && heartRate > 0) records.push(sample({ code: 'heart_rate', value: heartRate, ...at }));
  return { records, span: { startMs, endMs: Math.max(endMs, startMs + MS_PER_SECOND) } };
});
