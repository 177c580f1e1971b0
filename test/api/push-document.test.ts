import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '@healthd/daemon/http';
import { SLEEP_STAGES } from '@healthd/model';
import { pushDeviceData } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QUANTITY_SERIES } from '../../packages/providers/src/apple/quantity-series.js';
import { PUSHED_ACTIVITY_NAMES } from '../../packages/providers/src/apple/workout-types.js';
import { ANDROID_RECORD_TYPES } from '../../packages/providers/src/device-push/android-records.js';
import { ANDROID_WORKOUT_NAMES } from '../../packages/providers/src/device-push/android-workouts.js';
import { WORKOUT_SAMPLE_NAMES } from '../../packages/providers/src/device-push/workout-parts.js';
import { STATISTIC_NAMES } from '../../packages/providers/src/device-push/workout-statistics.js';
import { ROOT } from '../docs/documents.js';
import { openPushFixture, type PushFixture } from './push-fixture.js';

interface Described {
  properties?: Record<string, Described>;
  enum?: string[];
  $ref?: string;
}
const document = openApiDocument([pushDeviceData], {
  title: 'healthd',
  apiKeyHeader: 'X-Service-API-Key',
});
const { schemas } = document.components as { schemas: Record<string, Described> };

describe('OpenAPI components for pushes', () => {
  test.each([
    ['ApplePushRecordType', [...QUANTITY_SERIES.keys()].map((name) => `HKQuantityTypeIdentifier${name}`)],
    ['AndroidPushRecordType', ANDROID_RECORD_TYPES],
    ['ApplePushWorkoutType', PUSHED_ACTIVITY_NAMES],
    ['AndroidPushWorkoutType', ANDROID_WORKOUT_NAMES],
    ['PushStatisticType', STATISTIC_NAMES],
    ['PushWorkoutSampleType', WORKOUT_SAMPLE_NAMES],
    ['PushSleepStage', SLEEP_STAGES],
  ])('list exactly the %s values that the push reader accepts', (component, known) => {
    expect([...(schemas[component]?.enum ?? [])].sort()).toEqual([...known].sort());
  });

  test('list the members of records, sleeps, workouts and sources', () => {
    const members = (component: string) => Object.keys(schemas[component]?.properties ?? {});
    const shared = ['id', 'parentId', 'startDate', 'endDate', 'zoneOffset', 'source', 'metadata', 'type'];
    expect(members('PushRecord')).toEqual(expect.arrayContaining([...shared, 'value', 'unit']));
    expect(members('PushSleep')).toEqual(expect.arrayContaining([...shared.slice(0, -1), 'stage', 'values']));
    const parts = ['title', 'notes', 'values', 'segments', 'laps', 'route', 'samples'];
    expect(members('PushWorkout')).toEqual(expect.arrayContaining([...shared, ...parts]));
    expect(members('PushSource')).toEqual(expect.arrayContaining(['appId', 'deviceModel', 'operatingSystemVersion']));
  });
});

const bodies = [...readFileSync(join(ROOT, 'docs/push.md'), 'utf8').matchAll(/^```json\n(\{\n.*?)^```/gms)].map(
  ([, text = '']) => JSON.parse(text) as { provider: string; data: Record<string, object[]> },
);

test('shows a body of each phone platform in docs/push.md', () => {
  expect(bodies.map(({ provider }) => provider)).toEqual(['apple', 'samsung', 'google']);
});

describe.each(bodies.map((body) => [body.provider, body] as const))('the body of %s in docs/push.md', (_, body) => {
  let fixture: PushFixture;
  beforeAll(async () => {
    fixture = await openPushFixture();
  });
  afterAll(() => fixture.close());

  test('matches the declaration exactly', () => {
    expect(pushDeviceData.body.parse(body)).toEqual(body);
  });

  test('is stored completely: a reading, a sleep stage and a workout', async () => {
    const run = await fixture.pushed(await fixture.createUser(), body);
    expect(run.status).toBe('success');
    expect(run.metadata).toMatchObject({ sleep_saved: 1, workouts_saved: 1, dropped_count: 0, ignored_count: 0 });
    expect(run.metadata.records_saved).toBeGreaterThanOrEqual(1);
  });
});

test('accepts a push that differs from its declaration', async () => {
  const fixture = await openPushFixture({ role: 'api' });
  const odd = { provider: 'apple', sdkVersion: 7, data: { records: [{ type: 5 }, null], sleep: 'none', steps: 1 } };
  expect(pushDeviceData.body.safeParse(odd).success).toBe(false);
  const response = await fixture.send(await fixture.createUser(), JSON.stringify(odd));
  await fixture.close();
  expect(response.status).toBe(202);
});
