import { MS_PER_HOUR, MS_PER_MINUTE, SECONDS_PER_HOUR, type SleepStage } from '@healthd/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StageInterval } from '../facts/sleep/stages.js';
import { assembleSessions } from './assembly.js';

/** Returns a stage between two wall-clock times. Times from noon on belong to the evening before the night's date. */
function stage(name: SleepStage, from: string, to: string, offsetMinutes?: number): StageInterval {
  return { stage: name, startMs: at(from), endMs: at(to), offsetMinutes };
}

function at(time: string): number {
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  return Date.UTC(2026, 2, hours >= 12 ? 9 : 10, hours, minutes);
}

describe('sessions assembled from stages', () => {
  it('do not split at pauses of minutes or count them as sleep', () => {
    const sessions = assembleSessions(
      [stage('light', '23:00', '23:50'), stage('deep', '23:52', '00:45'), stage('rem', '00:47', '01:30')],
      120,
    );
    expect(sessions).toHaveLength(1);
    expect(sessions[0]).toMatchObject({ startMs: at('23:00'), endMs: at('01:30'), asleepSeconds: 8760 });
  });

  it('compute efficiency as time asleep divided by time in bed', () => {
    const [session] = assembleSessions(
      [
        stage('deep', '22:00', '00:35'),
        stage('light', '00:35', '01:20'),
        stage('awake', '01:20', '01:30'),
        stage('rem', '01:30', '02:15'),
      ],
      120,
    );
    expect(session).toMatchObject({
      asleepSeconds: 245 * 60,
      inBedSeconds: 255 * 60,
      awakeSeconds: 600,
      deepSeconds: 155 * 60,
      lightSeconds: 45 * 60,
      remSeconds: 45 * 60,
    });
    expect(session?.efficiencyPercent).toBeCloseTo(96.078, 3);
  });

  it('split only at a pause of more than two hours', () => {
    const early = stage('light', '22:00', '23:00');
    const late = stage('light', '01:00', '06:00');
    expect(assembleSessions([early, late], 120)).toHaveLength(1);
    expect(assembleSessions([early, { ...late, startMs: late.startMs + 1000 }], 120)).toHaveLength(2);
  });

  it('are neither joined nor started by time awake', () => {
    const night = [
      stage('light', '22:00', '23:00'),
      stage('awake', '23:00', '01:30'),
      stage('light', '01:30', '06:00'),
    ];
    expect(assembleSessions(night, 120)).toHaveLength(2);
    expect(assembleSessions([stage('awake', '22:00', '23:00'), stage('unknown', '23:00', '23:30')], 120)).toEqual([]);
  });

  it('count waking before and after sleep as time in bed only', () => {
    const [session] = assembleSessions(
      [stage('awake', '22:00', '22:30'), stage('light', '22:30', '06:00'), stage('awake', '06:00', '06:30')],
      120,
    );
    expect(session).toMatchObject({ startMs: at('22:30'), endMs: at('06:00'), inBedSeconds: 8.5 * SECONDS_PER_HOUR });
  });

  it('leave the time asleep unknown for time in bed alone', () => {
    const [session] = assembleSessions([stage('in_bed', '22:30', '06:30')], 120);
    expect(session).toMatchObject({ startMs: at('22:30'), endMs: at('06:30'), inBedSeconds: 8 * SECONDS_PER_HOUR });
    expect(session?.asleepSeconds).toBeUndefined();
    expect(session?.efficiencyPercent).toBeUndefined();
  });

  it('keep the most specific stage at each instant', () => {
    const [session] = assembleSessions(
      [
        stage('in_bed', '22:00', '07:00'),
        stage('sleeping', '22:30', '06:30'),
        stage('deep', '23:00', '00:00'),
        stage('light', '23:30', '01:30'),
        stage('awake', '01:00', '02:00'),
      ],
      120,
    );
    expect(session?.stages.map(({ stage: name, startMs, endMs }) => [name, (endMs - startMs) / MS_PER_MINUTE])).toEqual(
      [
        ['in_bed', 30],
        ['sleeping', 30],
        ['deep', 60],
        ['light', 90],
        ['awake', 30],
        ['sleeping', 270],
        ['in_bed', 30],
      ],
    );
    expect(session).toMatchObject({ startMs: at('22:30'), endMs: at('06:30'), asleepSeconds: 450 * 60 });
    expect(session?.inBedSeconds).toBe(9 * SECONDS_PER_HOUR);
  });

  it('report zero time asleep if waking covers all sleep', () => {
    const [session] = assembleSessions([stage('sleeping', '01:00', '02:00'), stage('awake', '00:30', '02:30')], 120);
    expect(session).toMatchObject({ startMs: at('01:00'), endMs: at('02:00'), asleepSeconds: 0, efficiencyPercent: 0 });
  });

  it('carry the offset of the last stage', () => {
    const [session] = assembleSessions(
      [stage('light', '22:00', '02:00', 60), stage('deep', '02:00', '05:00', 120)],
      120,
    );
    expect(session?.offsetMinutes).toBe(120);
  });

  it('carry the last known offset, preferring later starts on a tie', () => {
    const offsetOf = (...stages: StageInterval[]) => assembleSessions(stages, 120)[0]?.offsetMinutes;
    expect(offsetOf(stage('light', '22:00', '02:00', 60), stage('deep', '02:00', '05:00'))).toBe(60);
    expect(offsetOf(stage('sleeping', '22:00', '05:00', 60), stage('deep', '23:00', '04:00', 120))).toBe(60);
    expect(offsetOf(stage('sleeping', '22:00', '05:00', 60), stage('deep', '02:00', '05:00', 120))).toBe(120);
  });

  it('include the nearest waking stages, at most two hours away', () => {
    const early = stage('light', '22:00', '23:00');
    const late = stage('light', '03:00', '06:00');
    const spansOf = (...waking: StageInterval[]) =>
      assembleSessions([late, early, ...waking], 120).map(({ startMs, inBedSeconds }) => [startMs, inBedSeconds]);
    const [atTen, atThree] = [at('22:00'), at('03:00')];
    const hour = 3600;
    expect(spansOf()).toEqual([
      [atTen, hour],
      [atThree, 3 * hour],
    ]);
    expect(spansOf(stage('awake', '23:30', '00:30'))).toEqual([
      [atTen, 2 * hour],
      [atThree, 3 * hour],
    ]);
    expect(spansOf(stage('awake', '01:30', '02:30'))).toEqual([
      [atTen, hour],
      [atThree, 4 * hour],
    ]);
    expect(spansOf(stage('awake', '00:30', '01:30'))).toEqual([
      [atTen, 2 * hour],
      [atThree, 3 * hour],
    ]);
    expect(spansOf(stage('awake', '08:00', '09:00'))).toEqual([
      [atTen, hour],
      [atThree, 4 * hour],
    ]);
    expect(spansOf({ ...stage('awake', '08:00', '09:00'), startMs: at('08:00') + 1 })).toEqual(spansOf());
  });

  it('report time awake only with detailed or awake stages', () => {
    const awakeOf = (...stages: StageInterval[]) => assembleSessions(stages, 120)[0]?.awakeSeconds;
    expect(awakeOf(stage('sleeping', '22:00', '05:00'))).toBeUndefined();
    expect(awakeOf(stage('sleeping', '22:00', '05:00'), stage('awake', '05:00', '05:10'))).toBe(600);
    expect(awakeOf(stage('deep', '22:00', '05:00'))).toBe(0);
  });

  it('prefer the shorter of two equally specific sleep intervals', () => {
    const stagesOf = (...stages: StageInterval[]) =>
      assembleSessions(stages, 120)[0]?.stages.map(({ stage: name, startMs }) => `${name} ${startMs}`);
    const long = stage('light', '22:00', '02:00');
    const short = stage('rem', '23:00', '00:30');
    const expected = [`light ${at('22:00')}`, `rem ${at('23:00')}`, `light ${at('00:30')}`];
    expect(stagesOf(long, short)).toEqual(expected);
    expect(stagesOf({ ...long, stage: 'rem' }, { ...short, stage: 'light' })).toEqual([
      `rem ${at('22:00')}`,
      `light ${at('23:00')}`,
      `rem ${at('00:30')}`,
    ]);
  });

  it('span a pause of four hours if the stages share an id', () => {
    const named = (sessionId: string, ...given: Parameters<typeof stage>) => ({ ...stage(...given), sessionId });
    const sessions = assembleSessions(
      [
        named('b', 'light', '03:00', '04:00'),
        named('a', 'deep', '02:00', '03:00'),
        stage('light', '04:30', '05:00'),
        named('a', 'light', '21:00', '22:00'),
        named('a', 'awake', '03:00', '03:30'),
        named('never asleep', 'awake', '20:00', '20:30'),
      ],
      120,
    );
    expect(
      sessions.map(({ externalId, startMs, endMs, asleepSeconds }) => [externalId, startMs, endMs, asleepSeconds]),
    ).toEqual([
      ['a', at('21:00'), at('03:00'), 7200],
      ['b', at('03:00'), at('04:00'), 3600],
      [undefined, at('04:30'), at('05:00'), 1800],
    ]);
    expect(sessions[0]).toMatchObject({ awakeSeconds: 1800, inBedSeconds: 2.5 * SECONDS_PER_HOUR });
  });

  it('drop time in bed that would extend the night beyond 36 hours', () => {
    const hours = (from: number, to: number, name: SleepStage): StageInterval => ({
      stage: name,
      startMs: from * MS_PER_HOUR,
      endMs: to * MS_PER_HOUR,
    });
    const night = hours(23, 29, 'light');
    const sessionsOf = (...stages: StageInterval[]) =>
      assembleSessions(stages, 120).map(({ startMs, endMs, asleepSeconds, inBedSeconds }) => [
        startMs / MS_PER_HOUR,
        endMs / MS_PER_HOUR,
        (asleepSeconds ?? 0) / SECONDS_PER_HOUR,
        inBedSeconds / SECONDS_PER_HOUR,
      ]);
    expect(sessionsOf(hours(22, 30, 'in_bed'), night)).toEqual([[23, 29, 6, 8]]);
    expect(sessionsOf(hours(0, 23, 'in_bed'), night, hours(29, 52, 'in_bed'))).toEqual([[23, 29, 6, 29]]);
    expect(sessionsOf(night, hours(29, 48, 'in_bed'), hours(48, 54, 'deep'))).toEqual([[23, 54, 12, 31]]);
    expect(sessionsOf(night, hours(29, 52, 'in_bed'), hours(52, 60, 'deep'))).toEqual([
      [23, 29, 6, 6],
      [52, 60, 8, 8],
    ]);
    expect(sessionsOf(hours(0, 24, 'in_bed'), hours(24, 48, 'in_bed'))).toEqual([[0, 48, 0, 48]]);
    const named = [hours(0, 23, 'in_bed'), night, hours(29, 52, 'in_bed')].map((one) => ({ ...one, sessionId: 'a' }));
    expect(sessionsOf(...named)).toEqual([[23, 29, 6, 29]]);
  });

  it('span the time in bed if sleep lasts only half a minute', () => {
    const doze = { ...stage('light', '23:00', '23:01'), endMs: at('23:00') + 30_000 };
    expect(assembleSessions([stage('in_bed', '22:00', '06:00'), doze], 120)).toMatchObject([
      { startMs: at('22:00'), endMs: at('06:00'), asleepSeconds: 30, inBedSeconds: 8 * SECONDS_PER_HOUR },
    ]);
  });

  const shifted = (stages: StageInterval[], byMs: number, sessionId: string | undefined) =>
    stages.map(({ startMs, endMs, ...rest }) => ({ ...rest, startMs: startMs + byMs, endMs: endMs + byMs, sessionId }));
  const wholeNight = [
    stage('light', '00:00', '02:00'),
    stage('deep', '02:00', '03:00'),
    stage('light', '03:00', '05:30'),
    stage('rem', '05:30', '06:00'),
  ];

  it.each([
    ['under a second id, shifted one minute later', 'b', MS_PER_MINUTE, 361],
    ['under a second id, shifted one minute earlier', 'b', -MS_PER_MINUTE, 361],
    ['without an id, shifted one minute later', undefined, MS_PER_MINUTE, 361],
  ])('merge a night that is redelivered %s', (_, id, byMs, minutes) => {
    const first = shifted(wholeNight, 0, 'a');
    const again = shifted(wholeNight, byMs, id);
    for (const stages of [
      [...first, ...again],
      [...again, ...first],
    ]) {
      expect(assembleSessions(stages, 120)).toMatchObject([
        { externalId: 'a', asleepSeconds: minutes * 60, inBedSeconds: minutes * 60 },
      ]);
    }
  });

  it('merge a night whose last stage grew under a second ID', () => {
    const last = { ...stage('rem', '05:30', '06:10'), sessionId: 'b' };
    const stored = [...shifted(wholeNight.slice(0, 3), 0, 'b'), ...shifted(wholeNight.slice(3), 0, 'a'), last];
    expect(assembleSessions(stored, 120)).toMatchObject([{ externalId: 'b', asleepSeconds: 370 * 60 }]);
  });

  it('merge a stage without an ID with its copy 400 ms apart', () => {
    const [first, ...others] = wholeNight as [StageInterval, ...StageInterval[]];
    const stored = [first, { ...first, startMs: first.startMs + 400, sessionId: 'a' }, ...shifted(others, 0, 'a')];
    expect(assembleSessions(stored, 120)).toMatchObject([{ externalId: 'a', asleepSeconds: 360 * 60 }]);
  });

  it('are the same in any input order, with non-overlapping stages', () => {
    const stages = fc.array(
      fc.record({
        stage: fc.constantFrom<SleepStage>('in_bed', 'awake', 'sleeping', 'light', 'deep', 'rem', 'unknown'),
        from: fc.integer({ min: 0, max: 1500 }),
        length: fc.integer({ min: 1, max: 200 }),
        sessionId: fc.constantFrom(undefined, undefined, 'a', 'b', 'c'),
      }),
      { maxLength: 25 },
    );
    fc.assert(
      fc.property(stages, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (drawn, keys) => {
        const night = drawn.map(({ stage: name, from, length, sessionId }) => ({
          stage: name,
          startMs: from * MS_PER_MINUTE,
          endMs: (from + length) * MS_PER_MINUTE,
          sessionId,
        }));
        const shuffled = night
          .map((interval) => ({ interval, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ interval }) => interval);
        const sessions = assembleSessions(night, 120);
        expect(assembleSessions(shuffled, 120)).toEqual(sessions);
        for (const session of sessions) {
          expect(session.asleepSeconds ?? 0).toBeLessThanOrEqual(session.inBedSeconds);
          expect(session.endMs).toBeGreaterThan(session.startMs);
          session.stages.forEach((interval, index) => {
            expect(interval.startMs).toBeGreaterThanOrEqual(session.stages[index - 1]?.endMs ?? interval.startMs);
          });
        }
      }),
      { numRuns: 200 },
    );
  });
});
