import { localDate } from '@healthd/model';
import { type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MODES } from './testing/modes.js';
import { connectUser, SIMULATED, valuesOf } from './testing/user.js';

let simulator: GoogleSimulator;
beforeAll(async () => {
  simulator = await startGoogleSimulator(SIMULATED);
});
afterAll(() => simulator.close());
beforeEach(() => simulator.control.reset());

describe('daily values', () => {
  it.each(['America/Los_Angeles', 'Asia/Tokyo'])('keep the vendor’s date in %s', async (zone) => {
    const anna = await connectUser(simulator, '2026-11-10T20:00:00Z', zone);
    await anna.add({ dataType: 'daily-resting-heart-rate', date: '2026-11-10', value: 57 });
    await anna.poll('daily-resting-heart-rate', MODES.reconcile, 1 + 7 * 24);
    const [resting] = anna.held.samples;
    expect(resting).toMatchObject({ value: 57, sampleKind: 'daily_total' });
    expect(localDate(resting?.startMs ?? 0, resting?.offsetMinutes ?? 0)).toBe('2026-11-10');
  });

  it('are used only on dates without readings', async () => {
    const anna = await connectUser(simulator, '2026-11-10T20:00:00Z');
    for (const date of ['2026-11-08', '2026-11-09']) {
      const value = { averageHeartRateVariabilityMilliseconds: 31.5 };
      await anna.add({ dataType: 'daily-heart-rate-variability', date, value });
    }
    const reading = { dataType: 'heart-rate-variability', startTime: '2026-11-09T02:00:00Z' };
    await anna.poll('heart-rate-variability', MODES.reconcile, 72);
    expect(valuesOf(anna.held, 'heart_rate_variability_rmssd')).toEqual([31.5, 31.5]);
    await anna.add({ ...reading, value: { rootMeanSquareOfSuccessiveDifferencesMilliseconds: 40.25 } });
    await anna.poll('heart-rate-variability', MODES.reconcile, 72);
    expect(valuesOf(anna.held, 'heart_rate_variability_rmssd')).toEqual([31.5, 40.25]);
  });

  it('include VO2 max of runs, otherwise of the day, otherwise of measurements', async () => {
    const anna = await connectUser(simulator, '2026-11-10T20:00:00Z');
    await anna.add(
      { dataType: 'run-vo2-max', startTime: '2026-11-07T10:00:00Z', value: 43 },
      ...['07', '08'].map((day) => ({ dataType: 'daily-vo2-max', date: `2026-11-${day}`, value: { vo2Max: 42 } })),
      ...['07', '08', '09'].map((day) => ({
        dataType: 'vo2-max',
        startTime: `2026-11-${day}T08:00:00Z`,
        value: { vo2Max: 41 },
      })),
    );
    await anna.poll('run-vo2-max', MODES.reconcile, 7 * 24);
    expect(valuesOf(anna.held, 'vo2_max')).toEqual([43, 42, 41]);
  });
});
