import type { RecordBatch } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { providerById } from '../registry.js';
import { readPush } from './read-push.js';

const SOURCE = {
  appId: 'com.example.health',
  deviceId: 'd1',
  deviceName: 'Watch',
  deviceManufacturer: 'Example',
  deviceModel: 'Watch7,3',
  deviceType: 'watch',
  deviceSoftwareVersion: '11.1',
};
const TYPES = {
  apple: ['HKQuantityTypeIdentifierStepCount', 'HKQuantityTypeIdentifierHeartRate'],
  samsung: ['STEP_COUNT', 'HEART_RATE'],
  google: ['STEP_COUNT', 'HEART_RATE'],
} as const;
type Provider = keyof typeof TYPES;

/** Returns an item's members that all lists have. @param n number of the item */
function placed(n: number, minutes: number) {
  const at = (minute: number) => `2026-11-19T${String(6 + n).padStart(2, '0')}:${String(minute).padStart(2, '0')}:00Z`;
  return { id: `id-${n}`, startDate: at(0), endDate: at(minutes), zoneOffset: '+02:00', source: SOURCE };
}

/** Returns a payload with every member in two items of each list. */
function payloadOf(provider: Provider) {
  const timestamp = (n: number, minute: number) => `2026-11-19T${String(6 + n).padStart(2, '0')}:${minute}:00Z`;
  const numbers = [0, 1];
  return {
    provider,
    sdkVersion: '1.0.0',
    syncTimestamp: '2026-11-20T08:00:00Z',
    data: {
      records: numbers.flatMap((n) =>
        TYPES[provider].map((type, index) => ({
          ...placed(n, index === 0 ? 10 : 0),
          id: `record-${n}-${index}`,
          type,
          value: 60 + n,
          unit: index === 0 ? 'count' : 'count/min',
          parentId: `workout-${n}`,
          metadata: { HKTimeZone: 'Europe/Berlin' },
        })),
      ),
      sleep: numbers.map((n) => ({
        ...placed(n, 30),
        parentId: `night-${n}`,
        stage: 'deep',
        values: [{ type: 'sleepScore', value: 80 + n, unit: 'score' }],
        metadata: { HKTimeZone: 'Europe/Berlin' },
      })),
      workouts: numbers.map((n) => ({
        ...placed(n, 50),
        id: `workout-${n}`,
        type: 'running',
        title: 'Run',
        notes: 'Windy',
        values: [
          { type: 'duration', unit: 's', value: 2_400 + n },
          { type: 'activeEnergyBurned', unit: 'kcal', value: 300 },
          { type: 'distance', unit: 'm', value: 8_000 },
          { type: 'averageHeartRate', unit: 'bpm', value: 140 },
        ],
        laps: [{ startDate: placed(n, 10).startDate, endDate: placed(n, 10).endDate, distanceM: 900 }],
        segments: [
          { startDate: placed(n, 20).startDate, endDate: placed(n, 20).endDate, type: 'running', repetitions: 3 },
        ],
        route: [{ timestamp: timestamp(n, 15), latitude: 52.1, longitude: 21.2, altitudeM: 99 }],
        samples: [{ timestamp: timestamp(n, 16), type: 'heartRate', value: 141 }],
        metadata: { HKTimeZone: 'Europe/Berlin', HKSyncIdentifier: `sync-${n}` },
      })),
      deleted: numbers.map((n) => ({ id: `deleted-${n}`, type: TYPES[provider][0] })),
    },
  };
}

/** Returns the records of a push as texts, without their positions; a text for an unusable push. */
function read(provider: Provider, payload: unknown): string[] {
  const adapter = providerById(provider)?.push;
  if (!adapter) throw new Error('the provider cannot be pushed');
  const reading = readPush(payload, adapter);
  return 'fault' in reading ? [JSON.stringify(reading)] : textsOf(reading.batch);
}

/** Formats a value with its members in the order of their names. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function textsOf({ samples, sources, records }: RecordBatch): string[] {
  const rows = Array.from({ length: samples.length }, (_, at) =>
    textOf([
      sources[samples.sourceIndex[at] as number],
      samples.typeId[at],
      samples.kind[at],
      samples.idHash[at],
      samples.startMs[at],
      String(samples.durationMs[at]),
      samples.offsetMinutes[at],
      samples.value[at],
    ]),
  );
  return [...rows, ...records.map(textOf)].toSorted();
}

type Path = readonly (string | number)[];

/** Returns the paths of all members, with their parents first. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = [...path, Array.isArray(value) ? Number(name) : name];
    return [at, ...pathsOf(member, at)];
  });
}

/** Returns a copy in which the member at the path is null, or missing. */
function without(payload: object, path: Path, isNull: boolean): unknown {
  // A structured clone would share the source between items.
  const copy: unknown = JSON.parse(JSON.stringify(payload));
  const parent = path.slice(0, -1).reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], copy);
  const last = path.at(-1) as string;
  if (isNull) (parent as Record<string, unknown>)[last] = null;
  else delete (parent as Record<string, unknown>)[last];
  return copy;
}

describe.each(Object.keys(TYPES) as Provider[])('a push of %s', (provider) => {
  const payload = payloadOf(provider);
  // A list itself, and its entries, must be present.
  const members = pathsOf(payload.data).filter((path) => typeof path.at(-1) === 'string' && path.length > 1);

  it('has records of every type', () => {
    const kinds = read(provider, payload).flatMap((text) => /"kind":"(\w+)"/.exec(text)?.[1] ?? 'sample');
    expect(new Set(kinds)).toEqual(new Set(['sample', 'sleep_stage', 'health_score', 'workout', 'deletion']));
  });

  it('has equal records for a null member and a missing member', () => {
    const different = members.filter((path) => {
      const at: Path = ['data', ...path];
      return read(provider, without(payload, at, true)).join() !== read(provider, without(payload, at, false)).join();
    });
    expect(different.map((path) => path.join('.'))).toEqual([]);
  });

  it('reads the other items if a member of one item is missing', () => {
    const rest = (list: string) => {
      const data = { ...payload.data, [list]: (payload.data[list as 'sleep'] as unknown[]).slice(-1) };
      return read(provider, { ...payload, data });
    };
    // Skips `source`, because items of one source complete each other's description.
    for (const path of members.filter(([, index, name]) => index === 0 && name !== 'source')) {
      const left = new Set(read(provider, without(payload, ['data', ...path], false)));
      const others = rest(String(path[0])).filter((text) => !text.includes('"deletion"'));
      expect(
        others.filter((text) => !left.has(text)),
        path.join('.'),
      ).toEqual([]);
    }
  });

  it('has the same records in any order of its items', () => {
    const reversed = Object.fromEntries(
      Object.entries(payload.data).map(([list, items]) => [list, items.toReversed()]),
    );
    const withoutDeletions = (texts: string[]) => texts.filter((text) => !text.includes('"deletion"'));
    const [forward, backward] = [read(provider, payload), read(provider, { ...payload, data: reversed })];
    expect(withoutDeletions(backward)).toEqual(withoutDeletions(forward));
  });
});
