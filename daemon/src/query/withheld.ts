import type {
  ActivityExplanation,
  ActivitySummary,
  BodySummary,
  RecoverySummary,
  SleepSummary,
  SourceMetadata,
  SummaryExplanation,
} from '@healthd/schemas';

/** Providers whose data an answer must not show. */
export type Withheld = ReadonlySet<string>;

type Groups = Readonly<Record<string, SourceMetadata | null>>;

/**
 * Empties the figures of groups whose source must not be shown. Does not select another winner, so all readers see the same
 * value of a figure or null.
 * @param emptied returns the replacements for the figures of each group
 */
function withoutGroups<Row extends { source: SourceMetadata; sources: Groups }>(
  row: Row,
  withheld: Withheld,
  emptied: { [Group in keyof Row['sources']]: (row: Row) => Partial<Row> },
): Row {
  const groups = Object.entries(row.sources).flatMap(([group, source]) =>
    source !== null && withheld.has(source.provider) ? [{ group, source }] : [],
  );
  if (groups.length === 0) return row;
  let shown: Row = {
    ...row,
    source: withoutDetails(row.source, withheld),
    sources: Object.fromEntries(
      Object.entries(row.sources).map(([group, source]) => [group, source && withoutDetails(source, withheld)]),
    ),
  };
  for (const { group } of groups) shown = { ...shown, ...emptied[group as keyof Row['sources']](shown) };
  return { ...shown, withheld: [...new Set(groups.map(({ source }) => source.provider))].sort() };
}

/** Reduces a source that must not be shown to its provider. */
function withoutDetails(source: SourceMetadata, withheld: Withheld): SourceMetadata {
  if (!withheld.has(source.provider)) return source;
  return { provider: source.provider, source: null, device: null, device_type: null, device_name: null };
}

export function withheldActivity(row: ActivitySummary, withheld: Withheld): ActivitySummary {
  return withoutGroups(row, withheld, {
    movement: () => ({
      steps: null,
      distance_meters: null,
      floors_climbed: null,
      active_minutes: null,
      sedentary_minutes: null,
    }),
    energy: () => ({ active_calories_kcal: null, total_calories_kcal: null }),
    heart_rate: () => ({ heart_rate: null, intensity_minutes: null }),
    elevation: () => ({ elevation_meters: null }),
  });
}

export function withheldSleep(row: SleepSummary, withheld: Withheld): SleepSummary {
  // Without a night the row has the bounds of the longest nap.
  const bounds = { start_time: null, end_time: null, zone_offset: null, local_offset: null };
  return withoutGroups(row, withheld, {
    sleep: ({ sessions }) => ({
      ...bounds,
      duration_minutes: null,
      total_duration_minutes: null,
      time_in_bed_minutes: null,
      efficiency_percent: null,
      stages: null,
      interruptions_count: null,
      sessions: sessions?.filter(({ is_nap }) => is_nap) ?? null,
    }),
    naps: ({ sessions, sources }) => ({
      ...(sources.sleep === null && bounds),
      total_duration_minutes: null,
      nap_count: null,
      nap_duration_minutes: null,
      sessions: sessions?.filter(({ is_nap }) => !is_nap) ?? null,
    }),
    heart_rate: () => ({ avg_heart_rate_bpm: null }),
    hrv: () => ({ avg_hrv_sdnn_ms: null, avg_hrv_rmssd_ms: null }),
    oxygen_saturation: () => ({ avg_spo2_percent: null }),
    respiratory_rate: () => ({ avg_respiratory_rate: null }),
  });
}

export function withheldRecovery(row: RecoverySummary, withheld: Withheld): RecoverySummary {
  return withoutGroups(row, withheld, {
    sleep: () => ({ sleep_duration_seconds: null, sleep_efficiency_percent: null }),
    hrv: () => ({ avg_hrv_sdnn_ms: null, avg_hrv_rmssd_ms: null }),
    oxygen_saturation: () => ({ avg_spo2_percent: null }),
    resting_heart_rate: () => ({ resting_heart_rate_bpm: null }),
    score: () => ({ recovery_score: null }),
  });
}

export function withheldBody(row: BodySummary, withheld: Withheld): BodySummary {
  const slow = (name: keyof BodySummary['slow_changing']) => (body: BodySummary) => ({
    slow_changing: { ...body.slow_changing, [name]: null },
  });
  const averaged = (name: keyof BodySummary['averaged']) => (body: BodySummary) => ({
    averaged: { ...body.averaged, [name]: null },
  });
  const latest = (name: keyof BodySummary['latest'], at: keyof BodySummary['latest']) => (body: BodySummary) => ({
    latest: { ...body.latest, [name]: null, [at]: null },
  });
  // A computed BMI contains the height, but names the source of the weight.
  const height = (body: BodySummary) => ({ slow_changing: { ...body.slow_changing, height_cm: null, bmi: null } });
  return withoutGroups(row, withheld, {
    weight: slow('weight_kg'),
    height,
    body_fat: slow('body_fat_percent'),
    muscle_mass: slow('muscle_mass_kg'),
    skeletal_muscle_mass: slow('skeletal_muscle_mass_kg'),
    bmi: slow('bmi'),
    resting_heart_rate: averaged('resting_heart_rate_bpm'),
    hrv_sdnn: averaged('avg_hrv_sdnn_ms'),
    hrv_rmssd: averaged('avg_hrv_rmssd_ms'),
    body_temperature: latest('body_temperature_celsius', 'body_temperature_measured_at'),
    skin_temperature: latest('skin_temperature_celsius', 'skin_temperature_measured_at'),
    blood_pressure: latest('blood_pressure', 'blood_pressure_measured_at'),
  });
}

/** Hides the figures of explained candidates that must not be shown. Losers among them have the reason `terms`. */
export function withheldGroups<Explained extends Pick<SummaryExplanation, 'groups' | 'withheld'>>(
  explained: Explained,
  withheld: Withheld,
): Explained {
  if (withheld.size === 0) return explained;
  const found = new Set<string>();
  const isHidden = ({ source }: { source: SourceMetadata | null }) => {
    if (source === null || !withheld.has(source.provider)) return false;
    found.add(source.provider);
    return true;
  };
  const groups = explained.groups.map(({ merged_figures: merged, days: all, ...group }) => {
    const hidesWinner = isHidden(group);
    const hidden = new Set(group.candidates.filter(isHidden));
    const days = all?.filter((day) => !isHidden(day));
    const hidesFigures = hidesWinner || days?.length !== all?.length;
    return {
      ...group,
      ...(hidesFigures && { figures: emptied(group.figures) }),
      source: group.source && withoutDetails(group.source, withheld),
      ...(merged && hidden.size === 0 && { merged_figures: merged }),
      candidates: group.candidates.map((candidate) => {
        const { minutes_missed: missed, ...shown } = candidate;
        if (!hidden.has(candidate)) return hidesWinner ? shown : candidate;
        return {
          ...shown,
          source: withoutDetails(candidate.source, withheld),
          value: null,
          measured_at: null,
          lost_by: candidate.lost_by && ('terms' as const),
          figures: emptied(candidate.figures),
        };
      }),
      ...(days && { days }),
    };
  });
  return { ...explained, groups, ...(found.size > 0 && { withheld: [...found].sort() }) };
}

function emptied(figures: object): Record<string, null> {
  return Object.fromEntries(Object.keys(figures).map((path) => [path, null]));
}

/** Hides the same in metrics: the amounts of candidates, and the value if one of them won. */
export function withheldExplanation(given: ActivityExplanation, withheld: Withheld): ActivityExplanation {
  const explanation = withheldGroups(given, withheld);
  const found = new Set(explanation.withheld);
  const metrics = explanation.metrics.map((metric) => {
    const candidates = metric.candidates.map((candidate) => {
      const { source, lost_by: reason } = candidate;
      if (!withheld.has(source.provider)) return candidate;
      found.add(source.provider);
      const hidden = { sample_count: null, sample_sum: null, daily_total: null, covered_minutes: null, amount: null };
      return {
        ...candidate,
        source: withoutDetails(source, withheld),
        lost_by: reason && ('terms' as const),
        ...hidden,
      };
    });
    // Only sources of this provider have ranges.
    return { ...metric, candidates, ...(withheld.has(metric.provider) && { value: null, ranges: [] }) };
  });
  return found.size === 0 ? explanation : { ...explanation, metrics, withheld: [...found].sort() };
}
