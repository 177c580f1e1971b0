import { formatOffset } from '@healthd/model';
import { payload, WATCH } from '../../api/push-payloads.js';
import { QUANTITIES } from './as-export.js';
import { type Life, offsetIn } from './life.js';

/** Metadata that a client sends with its items. */
export interface PushedFacts {
  offsets: boolean;
  ids: boolean;
  /** True to add the time zone's name, which HealthKit includes for workouts. */
  zones: boolean;
}

const ALL_FACTS: PushedFacts = { offsets: true, ids: true, zones: true };
/** The iOS client never sends an offset. */
export const IOS_FACTS: PushedFacts = { ...ALL_FACTS, offsets: false };

/** One item of a payload and its list. */
export interface PushedItem {
  list: 'records' | 'sleep' | 'workouts';
  item: object;
}

/** Source of items that an app wrote, as an iPhone describes it. */
export const APP_BY_ID = { bundleIdentifier: 'io.strongapp.strong', productType: 'iPhone15,2' };

/**
 * Returns some days of a life as a phone pushes them.
 * @param factsOf returns the metadata of the item at a position
 * @param source measuring device
 */
export function asItems(
  days: Life['days'],
  factsOf: (position: number) => PushedFacts = () => ALL_FACTS,
  source: object = WATCH,
): PushedItem[] {
  let position = 0;
  const placed = (timeZone: string, id: string, startMs: number, endMs: number, hasZone: boolean) => {
    const facts = factsOf(position++);
    return {
      id: facts.ids ? id : undefined,
      startDate: new Date(startMs).toISOString(),
      endDate: new Date(endMs).toISOString(),
      zoneOffset: facts.offsets ? formatOffset(offsetIn(timeZone, endMs)) : null,
      metadata: facts.zones && hasZone ? { HKTimeZone: timeZone } : null,
      source,
    };
  };
  return days.flatMap(({ timeZone, sleeps, workouts, readings }) => [
    ...readings.map(
      ({ series, startMs, endMs, value }): PushedItem => ({
        list: 'records',
        item: {
          ...placed(timeZone, `${series} ${startMs} ${value}`, startMs, endMs, false),
          type: `HKQuantityTypeIdentifier${QUANTITIES[series].type}`,
          unit: QUANTITIES[series].unit,
          value,
        },
      }),
    ),
    ...sleeps
      .flatMap(({ stages }) => stages)
      .map(
        ({ stage, startMs, endMs }): PushedItem => ({
          list: 'sleep',
          item: { ...placed(timeZone, `sleep ${startMs}`, startMs, endMs, false), stage },
        }),
      ),
    ...workouts.map(
      ({ type, startMs, endMs, activeKcal }): PushedItem => ({
        list: 'workouts',
        item: {
          ...placed(timeZone, `${type} ${startMs}`, startMs, endMs, true),
          type,
          values: [{ type: 'activeEnergyBurned', unit: 'kcal', value: activeKcal }],
        },
      }),
    ),
  ]);
}

/** Returns the payload with these items. */
export function asPush(items: readonly PushedItem[]): Record<string, unknown> {
  const of = (list: PushedItem['list']) => items.filter((one) => one.list === list).map(({ item }) => item);
  return payload('apple', { records: of('records'), sleep: of('sleep'), workouts: of('workouts') });
}
