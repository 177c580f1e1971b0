import { afterAll, beforeAll, expect, it } from 'vitest';
import { dateOf, iso, utc } from './days.js';
import { expectedActivity, expectedSleep } from './expected.js';
import { entriesOf } from './reported.js';
import { shownActivity, shownSleep } from './shown.js';
import { openTenProviders, PREFERRED, type TenProviders } from './ten-fixture.js';
import { REPORTED_RUN, REPORTED_SWIM } from './truth.js';
import { MEASURED } from './vitals.js';

let fixture: TenProviders;
let user: string;
beforeAll(async () => {
  fixture = await openTenProviders();
  user = await fixture.newUser();
  for (const id of PREFERRED) await fixture.arrive(user, id);
});
afterAll(() => fixture.close());

it('uses one source per metric family on each activity day', async () => {
  expect(await shownActivity(fixture, user)).toEqual(expectedActivity(PREFERRED));
});

it('selects one source with its own naps for each night', async () => {
  expect(await shownSleep(fixture, user)).toEqual(expectedSleep(PREFERRED));
});

it('counts each sleep on one date only', async () => {
  const sessions = (await fixture.rows(user, '/summaries/sleep')).flatMap((row) => row.sessions);
  for (const [at, one] of sessions.entries()) {
    for (const other of sessions.slice(at + 1)) expect(one.end_time <= other.start_time).toBe(true);
  }
  // Four nights, and naps on the second and fourth day.
  expect(sessions).toHaveLength(6);
});

it('shows readings of the winning source, otherwise of another source', async () => {
  const nights = await fixture.rows(user, '/summaries/sleep');
  expect(nights).toMatchObject([
    // Garmin's own average of the night.
    {
      avg_heart_rate_bpm: (50 + 54) / 2,
      avg_hrv_rmssd_ms: MEASURED.garmin.rmssd.night,
      avg_spo2_percent: (95 + 96) / 2,
    },
    {
      avg_heart_rate_bpm: (52 + 56) / 2,
      avg_hrv_sdnn_ms: (66 + 72) / 2,
      // The watch has SDNN, so the group has no RMSSD of another source.
      avg_hrv_rmssd_ms: null,
      avg_spo2_percent: 95.8,
    },
    // The ring's second reading (55) was measured while the user was awake.
    { avg_heart_rate_bpm: 51, avg_hrv_rmssd_ms: (70 + 74) / 2, avg_spo2_percent: 97.4 },
    { avg_heart_rate_bpm: null, avg_hrv_rmssd_ms: (68 + 71) / 2, avg_spo2_percent: 98 },
  ]);
});

it("shows each date's recovery from the source of its sleep", async () => {
  const rows = await fixture.rows(user, '/summaries/recovery');
  const shown = rows.map(({ source, ...row }) => ({ provider: source.provider, ...row }));
  const minutes = (count: number) => count * 60;
  expect(shown).toMatchObject([
    {
      date: dateOf(1),
      provider: 'garmin',
      resting_heart_rate_bpm: 51,
      avg_hrv_rmssd_ms: MEASURED.garmin.rmssd.night,
      avg_hrv_sdnn_ms: null,
      avg_spo2_percent: 95.5,
      sleep_duration_seconds: minutes(390),
      recovery_score: null,
    },
    {
      date: dateOf(2),
      provider: 'apple',
      resting_heart_rate_bpm: 58,
      avg_hrv_rmssd_ms: null,
      avg_hrv_sdnn_ms: 69,
      avg_spo2_percent: 95.8,
      sleep_duration_seconds: minutes(330),
      recovery_score: null,
    },
    {
      date: dateOf(3),
      provider: 'oura',
      resting_heart_rate_bpm: 46,
      avg_hrv_rmssd_ms: 72,
      avg_spo2_percent: 97.4,
      sleep_duration_seconds: minutes(330),
      recovery_score: null,
    },
    {
      date: dateOf(4),
      provider: 'google',
      resting_heart_rate_bpm: 54,
      avg_hrv_rmssd_ms: 69.5,
      avg_spo2_percent: 98,
      sleep_duration_seconds: minutes(370),
      // Google has no score, and Ultrahuman's score belongs to another sleep.
      recovery_score: null,
    },
  ]);
  expect(shown).toHaveLength(4);
});

it('shows the newest body state and averages of the recovery summary', async () => {
  const { body } = await fixture.call('GET', `/api/v1/users/${user}/summaries/body`);
  expect(body).toMatchObject({
    // WHOOP's profile has no date, so its weight and height hide no dated values. Polar's profile has a date.
    source: { provider: 'google' },
    slow_changing: { weight_kg: MEASURED.google.weight[2], height_cm: 171, bmi: 24.6 },
    averaged: {
      resting_heart_rate_bpm: 52, // (51 + 58 + 46 + 54) / 4
      avg_hrv_sdnn_ms: 69, // of one night
      avg_hrv_rmssd_ms: 64.5, // (52 + 72 + 69.5) / 3
    },
  });
});

it('lists a run recorded by eight providers once, plus a unique swim', async () => {
  const { garmin } = REPORTED_RUN;
  const listed = await fixture.rows(user, '/events/workouts?filter_by_priority=true');
  expect(listed).toMatchObject([
    { type: 'swimming', start_time: iso(utc(REPORTED_SWIM.day, REPORTED_SWIM.start)), source: { provider: 'strava' } },
    {
      type: 'running',
      start_time: iso(utc(1, garmin.start)),
      duration_seconds: garmin.seconds,
      distance_meters: garmin.meters,
      calories_kcal: garmin.kcal,
      elevation_gain_meters: garmin.ascent,
      avg_heart_rate_bpm: garmin.bpm,
      avg_pace_sec_per_km: Math.round((garmin.seconds / garmin.meters) * 1_000),
      source: { provider: 'garmin', device: 'Forerunner 265', device_type: 'watch' },
    },
  ]);
  expect(listed).toHaveLength(2);
  const all = await fixture.rows(user, '/events/workouts');
  const runs = all.filter(({ type }) => type === 'running');
  expect(runs.map(({ source }) => source.provider).toSorted()).toEqual(Object.keys(REPORTED_RUN).toSorted());
  const { body: detail } = await fixture.call('GET', `/api/v1/users/${user}/events/workouts/${listed[1].id}`);
  const others = runs.filter(({ id }) => id !== listed[1].id).map(({ id }) => id);
  expect(detail.duplicate_ids.toSorted()).toEqual(others.toSorted());
});

it('lists exactly the vendor scores', async () => {
  const { garmin, oura, whoop, polar, suunto, samsung, ultrahuman } = MEASURED;
  const of = (name: string, dated: Parameters<typeof entriesOf>[0]) =>
    entriesOf(dated).map(([, value]) => `${name} ${value}`);
  const expected = [
    ...of('garmin sleep', garmin.sleepScores),
    ...of('garmin stress', garmin.stress),
    ...of('oura sleep', oura.sleepScores),
    ...of('oura readiness', oura.readiness),
    ...of('oura activity', oura.activityScores),
    ...of('whoop sleep', whoop.sleepScores),
    ...of('whoop strain', whoop.strain),
    ...Object.values(whoop.recovery).map(({ score }) => `whoop recovery ${score}`),
    'whoop strain 8.5',
    // The nap's sleep score, for which the vendor has no value.
    'whoop sleep null',
    ...of('polar sleep', polar.sleepScores),
    `polar recovery ${polar.recharge.status}`,
    ...of('suunto sleep', suunto.sleepScores),
    `suunto recovery ${suunto.balance.percent}`,
    ...of('samsung sleep', samsung.sleepScores),
    ...of('ultrahuman sleep', ultrahuman.sleepScores),
    ...of('ultrahuman recovery', ultrahuman.recovery),
    ...of('ultrahuman activity', ultrahuman.movement),
  ];
  const scores = await fixture.rows(user, '/health-scores');
  expect(scores.map(({ provider, category, value }) => `${provider} ${category} ${value}`).toSorted()).toEqual(
    expected.toSorted(),
  );
});
