import type { TenProviders } from './ten-fixture.js';

/** Reads activity days in the format of `expectedActivity`. */
export async function shownActivity(fixture: TenProviders, user: string): Promise<object[]> {
  const rows = await fixture.rows(user, '/summaries/activity');
  return rows.map(({ source, sources, intensity_minutes: _, sedentary_minutes: __, ...row }) => ({
    ...row,
    provider: source.provider,
    sources: Object.fromEntries(
      Object.entries<{ provider: string } | null>(sources).map(([group, own]) => [group, own?.provider ?? null]),
    ),
  }));
}

/** Reads nights in the format of `expectedSleep`. */
export async function shownSleep(fixture: TenProviders, user: string): Promise<object[]> {
  const rows = await fixture.rows(user, '/summaries/sleep');
  return rows.map((row) => ({
    date: row.date,
    provider: row.source.provider,
    start_time: row.start_time,
    end_time: row.end_time,
    duration_minutes: row.duration_minutes,
    nap_count: row.nap_count,
    nap_duration_minutes: row.nap_duration_minutes,
    total_duration_minutes: row.total_duration_minutes,
    time_in_bed_minutes: row.time_in_bed_minutes,
    stages: row.stages,
  }));
}
