import { SECONDS_PER_HOUR } from '@healthd/model';
import { type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MODES } from './testing/modes.js';
import { connectUser, SIMULATED, sum, valuesOf } from './testing/user.js';

let simulator: GoogleSimulator;
beforeAll(async () => {
  simulator = await startGoogleSimulator(SIMULATED);
});
afterAll(() => simulator.close());
beforeEach(() => simulator.control.reset());

describe('reading late and changing data', () => {
  it('replaces a partly synced night after the vendor processes the night', async () => {
    const anna = await connectUser(simulator, '2026-11-10T06:00:00Z');
    const night = (processed: boolean) => ({
      dataType: 'sleep',
      id: 'night',
      startTime: '2026-11-09T22:10:00Z',
      endTime: '2026-11-10T05:40:00Z',
      value: {
        type: processed ? 'STAGES' : 'CLASSIC',
        metadata: processed ? { processed: true } : {},
        summary: { minutesInSleepPeriod: '450', minutesAsleep: processed ? '412' : '440' },
      },
    });
    await anna.add(night(false));
    // An hourly poll whose window starts after the night.
    await anna.poll('sleep', MODES.reconcile, 1);
    expect(anna.held.sessions).toMatchObject([{ asleepSeconds: 440 * 60, isNap: false, offsetMinutes: 60 }]);
    await anna.add(night(true));
    await anna.poll('sleep', MODES.reconcile, 1);
    expect(anna.held.sessions).toMatchObject([{ asleepSeconds: 412 * 60 }]);
  });

  it('deletes a workout only if the window contains its start', async () => {
    const anna = await connectUser(simulator, '2026-11-10T12:00:00Z');
    const times = { startTime: '2026-11-10T09:00:00Z', endTime: '2026-11-10T11:30:00Z' };
    await anna.add({ dataType: 'exercise', id: 'ride', ...times, value: { exerciseType: 'BIKING' } });
    await anna.poll('exercise', MODES.reconcile, 1);
    expect(anna.held.sessions).toHaveLength(1);
    await simulator.control.deletePoints('anna', { dataType: 'exercise', ids: ['ride'] });
    await anna.poll('exercise', MODES.reconcile, 1);
    expect(anna.held.sessions).toHaveLength(1);
    await anna.poll('exercise', MODES.reconcile, 4);
    expect(anna.held.sessions).toEqual([]);
  });

  it('merges late steps of a second device like a fresh read', async () => {
    const anna = await connectUser(simulator, '2026-11-10T12:00:00Z');
    const walk = (source: 'phone' | 'tracker', from: string, to: string, value: number) => ({
      dataType: 'steps',
      startTime: `2026-11-10T${from}Z`,
      endTime: `2026-11-10T${to}Z`,
      value,
      source,
    });
    await anna.add(walk('phone', '08:59:40', '09:20:10', 2000), walk('phone', '09:40:10', '10:00:20', 1500));
    await anna.poll('steps');
    expect(sum(valuesOf(anna.held, 'steps'))).toBe(3500);
    await simulator.control.advanceClock(3 * SECONDS_PER_HOUR);
    await anna.add(walk('tracker', '09:00:00', '09:45:00', 4200));
    await anna.poll('steps');
    const truth = await simulator.control.truePoints('anna', 'steps', 'reconcile');
    expect(valuesOf(anna.held, 'steps')).toEqual(truth.map(({ value }) => value));
    expect(sum(valuesOf(anna.held, 'steps'))).toBeLessThan(3500 + 4200);
  });

  it('corrects merged intervals across the edges of a notification’s window', async () => {
    const anna = await connectUser(simulator, '2026-11-10T12:00:00Z');
    const phone = { dataType: 'steps', source: 'phone', value: 600 } as const;
    await anna.add({ ...phone, startTime: '2026-11-10T08:58:00Z', endTime: '2026-11-10T09:03:00Z' });
    await anna.poll('steps');
    const tracker = { dataType: 'steps', source: 'tracker', value: 100 } as const;
    const changed = ['2026-11-10T09:00:00Z', '2026-11-10T09:01:00Z'] as const;
    await anna.add({ ...tracker, startTime: changed[0], endTime: changed[1] });
    await anna.read('steps', ...changed);
    const truth = await simulator.control.truePoints('anna', 'steps', 'reconcile');
    expect(valuesOf(anna.held, 'steps')).toEqual(truth.map(({ value }) => value));
  });
});
