const NIGHT_MS = Date.UTC(2026, 2, 9, 23);
const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

type Item = Record<string, unknown>;

/** A push with many valid colliding items. */
export interface Collision {
  name: string;
  provider: 'apple' | 'google' | 'samsung';
  list: 'records' | 'sleep' | 'workouts';
  /** @param index position among the items, from 0 */
  item(index: number): Item;
}

const iso = (ms: number) => new Date(ms).toISOString();
const span = (startMs: number, endMs: number) => ({ startDate: iso(startMs), endDate: iso(endMs) });
const watch = { deviceModel: 'Watch7,5' };
const beat = (index: number, startMs = NIGHT_MS) => ({
  type: 'HKQuantityTypeIdentifierHeartRate',
  ...span(startMs, startMs),
  value: 40 + (index % 100_000) / 1000,
  unit: 'count/min',
  source: watch,
});
const offset = (minutes: number) =>
  `${minutes < 700 ? '-' : '+'}${String(Math.floor((minutes % 700) / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const steps = (index: number, startMs: number, endMs: number) => ({
  type: 'HKQuantityTypeIdentifierStepCount',
  ...span(startMs, endMs),
  value: 1 + (index % 30_000),
  unit: 'count',
  source: watch,
});
const stage = (startMs: number, endMs: number, name = 'light') => ({
  stage: name,
  ...span(startMs, endMs),
  source: watch,
});
const workout = (startMs: number, endMs: number) => ({
  type: 'running',
  ...span(startMs, endMs),
  source: watch,
  values: [{ type: 'duration', value: 600, unit: 's' }],
});

const apple = (list: Collision['list'], name: string, item: Collision['item']): Collision => ({
  provider: 'apple',
  list,
  name,
  item,
});

/** One reading per day over many past years. */
export const READINGS_OF_DAYS = apple('records', 'readings of days', (index) => beat(index, NIGHT_MS - index * DAY_MS));

/** Pushed items that share an instant, night, workout, source or ID. */
export const COLLISIONS: readonly Collision[] = [
  apple('records', 'readings of one instant without ids', (index) => beat(index)),
  apple('records', 'readings of one instant with ids', (index) => ({ ...beat(index), id: `beat-${index}` })),
  apple('records', 'readings of one second with one id', (index) => ({
    ...beat(index, NIGHT_MS + (index % 1000)),
    id: 'beat',
  })),
  apple('records', 'equal readings', () => beat(0)),
  apple('records', 'overlapping steps of one day each', (index) =>
    steps(index, NIGHT_MS + index * SECOND_MS, NIGHT_MS + index * SECOND_MS + DAY_MS),
  ),
  apple('records', 'nested step intervals', (index) =>
    steps(index, NIGHT_MS + index * 100, NIGHT_MS + DAY_MS - index * 100),
  ),
  apple('records', 'steps of one instant with different ends', (index) =>
    steps(index, NIGHT_MS, NIGHT_MS + (index + 2) * 500),
  ),
  apple('records', 'readings of many sources', (index) => ({
    ...beat(index),
    source: { deviceModel: `Watch ${index}`, deviceManufacturer: 'Other' },
  })),
  apple('records', 'readings of many offsets', (index) => ({
    ...beat(index, NIGHT_MS + index * 100),
    zoneOffset: index % 2 === 0 ? null : offset((index * 7) % 1400),
  })),
  {
    name: 'total and active energy of one interval',
    provider: 'google',
    list: 'records',
    item: (index) => ({
      type: index % 2 === 0 ? 'TOTAL_CALORIES_BURNED' : 'ACTIVE_CALORIES_BURNED',
      ...span(NIGHT_MS, NIGHT_MS + MINUTE_MS),
      value: 1 + index / 1000,
      unit: 'kcal',
      source: { appId: 'com.example' },
    }),
  },
  apple('sleep', 'sessions of one night', (index) => ({
    ...stage(NIGHT_MS + index * 10, NIGHT_MS + 8 * 60 * MINUTE_MS),
    parentId: `night-${index}`,
  })),
  apple('sleep', 'sessions of one night that share little', (index) => ({
    ...stage(NIGHT_MS + index * 10 * SECOND_MS, NIGHT_MS + index * 10 * SECOND_MS + 10 * MINUTE_MS + index * 7),
    parentId: `night-${index}`,
  })),
  apple('sleep', 'stages of one session', (index) => ({
    ...stage(
      NIGHT_MS + index * 10,
      NIGHT_MS + 60 * MINUTE_MS + index * 11,
      ['light', 'deep', 'rem', 'awake'][index % 4],
    ),
    parentId: 'night',
  })),
  apple('sleep', 'nested stages without ids', (index) =>
    stage(NIGHT_MS + index * 10, NIGHT_MS + 600 * MINUTE_MS - index * 10, ['light', 'awake', 'in_bed'][index % 3]),
  ),
  apple('sleep', 'days in bed', (index) => stage(NIGHT_MS + index * 10, NIGHT_MS + index * 10 + DAY_MS, 'in_bed')),
  apple('sleep', 'stages that follow each other for years', (index) =>
    stage(NIGHT_MS - index * 110 * MINUTE_MS, NIGHT_MS - index * 110 * MINUTE_MS + MINUTE_MS),
  ),
  apple('sleep', 'waking between short sleeps for years', (index) =>
    stage(
      NIGHT_MS - index * 80 * MINUTE_MS,
      NIGHT_MS - index * 80 * MINUTE_MS + 20 * MINUTE_MS,
      index % 2 ? 'awake' : 'light',
    ),
  ),
  apple('sleep', 'nights over many years with ids', (index) => ({
    ...stage(NIGHT_MS - index * 720 * MINUTE_MS, NIGHT_MS - index * 720 * MINUTE_MS + 400 * MINUTE_MS),
    parentId: `night-${index}`,
  })),
  apple('sleep', 'nights two days apart', (index) =>
    stage(NIGHT_MS - 2 * index * DAY_MS, NIGHT_MS - 2 * index * DAY_MS + 400 * MINUTE_MS),
  ),
  apple('sleep', 'stages of many sources', (index) => ({
    ...stage(NIGHT_MS, NIGHT_MS + 8 * 60 * MINUTE_MS),
    source: { deviceModel: `Watch ${index}`, deviceManufacturer: 'Other' },
  })),
  apple('workouts', 'equal workouts with different ids', (index) => ({
    ...workout(NIGHT_MS, NIGHT_MS + 10 * MINUTE_MS),
    id: `run-${index}`,
  })),
  apple('workouts', 'workouts of one instant without ids', (index) =>
    workout(NIGHT_MS, NIGHT_MS + 10 * MINUTE_MS + index * SECOND_MS),
  ),
  {
    name: 'workouts with one id',
    provider: 'google',
    list: 'workouts',
    item: (index) => ({ ...workout(NIGHT_MS + index * SECOND_MS, NIGHT_MS + 600_000 + index * SECOND_MS), id: 'run' }),
  },
  {
    name: 'workouts of one instant with readings',
    provider: 'google',
    list: 'workouts',
    item: (index) => ({
      ...workout(NIGHT_MS + index, NIGHT_MS + 600_000 + index),
      id: `run-${index}`,
      samples: [{ timestamp: iso(NIGHT_MS + 60_000), type: 'heartRate', value: 120, unit: 'bpm' }],
    }),
  },
  {
    name: 'readings of one instant of one workout',
    provider: 'google',
    list: 'workouts',
    item: (index) => ({
      ...workout(NIGHT_MS, NIGHT_MS + 600_000),
      id: 'run',
      samples: [{ timestamp: iso(NIGHT_MS + 60_000), type: 'heartRate', value: 60 + index / 1000, unit: 'bpm' }],
    }),
  },
  apple('workouts', 'workouts of many sources', (index) => ({
    ...workout(NIGHT_MS, NIGHT_MS + 10 * MINUTE_MS),
    source: { deviceModel: `Watch ${index}`, deviceManufacturer: 'Other' },
  })),
];

/** Pushed items, and a phone's report of their deletion. */
export interface Deletion extends Collision {
  deleted(index: number): Item;
}

const WORKOUT_ID = (index: number) => ({ id: `run-${index}`, type: 'HKWorkoutTypeIdentifier' });
const rangeOf = (type: string, startMs: number, endMs: number) => ({
  type,
  start: iso(startMs),
  end: iso(endMs),
  source: watch,
});

/** Deletions that concern the same sources, nights or days. */
export const DELETIONS: readonly Deletion[] = [
  {
    ...apple('records', 'readings by id', (index) => ({
      ...beat(index, NIGHT_MS + index * SECOND_MS),
      id: `${index}`,
    })),
    deleted: (index) => ({ id: `${index}` }),
  },
  {
    ...apple('records', 'readings by nested ranges', (index) => beat(index, NIGHT_MS + index * SECOND_MS)),
    deleted: (index) =>
      rangeOf(
        'HKQuantityTypeIdentifierHeartRate',
        NIGHT_MS + index * SECOND_MS,
        NIGHT_MS + (20_000 - index) * SECOND_MS,
      ),
  },
  {
    ...apple('records', 'long steps by ranges of one second', (index) =>
      steps(index, NIGHT_MS + index * SECOND_MS, NIGHT_MS + index * SECOND_MS + DAY_MS / 2),
    ),
    deleted: (index) =>
      rangeOf('HKQuantityTypeIdentifierStepCount', NIGHT_MS + index * SECOND_MS, NIGHT_MS + (index + 1) * SECOND_MS),
  },
  {
    ...apple('sleep', 'stages of one night by id', (index) => ({
      ...stage(NIGHT_MS + index * SECOND_MS, NIGHT_MS + (index + 60) * SECOND_MS),
      id: `stage-${index}`,
      parentId: 'night',
    })),
    deleted: (index) => ({ id: `stage-${index}` }),
  },
  {
    ...apple('sleep', 'nights over many years by id', (index) => ({
      ...stage(NIGHT_MS - (index * DAY_MS) / 2, NIGHT_MS - (index * DAY_MS) / 2 + 400 * MINUTE_MS),
      parentId: `night-${index}`,
    })),
    deleted: (index) => ({ id: `night-${index}` }),
  },
  {
    ...apple('workouts', 'nested workouts by id', (index) => ({
      ...workout(NIGHT_MS + index * SECOND_MS, NIGHT_MS + (40_000 - index) * SECOND_MS),
      id: `run-${index}`,
    })),
    deleted: WORKOUT_ID,
  },
  {
    ...apple('workouts', 'workouts with readings by id', (index) => ({
      ...workout(NIGHT_MS + index * SECOND_MS, NIGHT_MS + (index + 600) * SECOND_MS),
      id: `run-${index}`,
      samples: [{ timestamp: iso(NIGHT_MS + (index + 60) * SECOND_MS), type: 'heartRate', value: 120, unit: 'bpm' }],
    })),
    deleted: WORKOUT_ID,
  },
];

const MANY_SOURCES = 1_000;
const manySources = (index: number) => ({
  source: { deviceModel: `Watch ${index % MANY_SOURCES}`, deviceManufacturer: 'Other' },
});

/** Sessions of the maximum number of sources. Each source has a copy of every session. */
const OF_MANY_SOURCES = [
  apple('sleep', 'nights of many sources', (index) => {
    const startMs = NIGHT_MS - Math.floor(index / MANY_SOURCES) * DAY_MS + index;
    return { ...stage(startMs, startMs + 400 * MINUTE_MS), ...manySources(index) };
  }),
  apple('workouts', 'workouts of each hour by many sources', (index) => {
    const startMs = NIGHT_MS - Math.floor(index / MANY_SOURCES) * 60 * MINUTE_MS;
    return { ...workout(startMs, startMs + 50 * MINUTE_MS + index * 7), ...manySources(index) };
  }),
];

const ONE_MORE = apple('sleep', 'one more stage of the night', () =>
  stage(NIGHT_MS + MINUTE_MS, NIGHT_MS + 90 * MINUTE_MS),
);

/** Returns the collision of this name. */
export function collision(name: string): Collision {
  const found = [...COLLISIONS, ...OF_MANY_SOURCES, ONE_MORE].find((one) => one.name === name);
  if (!found) throw new Error(`no collision is called ${name}`);
  return found;
}

/** Returns the body of a push with this many deletions. @param edited true to redeliver the items too */
export function deletionOf(deletion: Deletion, count: number, edited: boolean): object {
  const { data, ...body } = bodyOf(deletion, edited ? count : 0) as { data: object };
  return { ...body, data: { ...data, deleted: Array.from({ length: count }, (_, index) => deletion.deleted(index)) } };
}

/** Returns the body of a push with this many items. */
export function bodyOf({ provider, list, item }: Collision, count: number, from = 0): object {
  const items = Array.from({ length: count }, (_, index) => item(from + index));
  return {
    provider,
    sdkVersion: '0.6.0',
    syncTimestamp: iso(Date.UTC(2026, 2, 11)),
    data: { records: [], sleep: [], workouts: [], [list]: items },
  };
}

/** Maximum size of one push, safely below the service's limit. */
const MOST_BYTES = 18 * 1024 * 1024;

/** Like {@link bodyOf}, split into pushes below the size limit. */
export function bodiesOf(colliding: Collision, count: number, from = 0): object[] {
  const body = bodyOf(colliding, count, from);
  const parts = Math.ceil(JSON.stringify(body).length / MOST_BYTES);
  if (parts === 1) return [body];
  const size = Math.ceil(count / parts);
  return Array.from({ length: parts }, (_, part) =>
    bodyOf(colliding, Math.min(size, count - part * size), from + part * size),
  );
}
