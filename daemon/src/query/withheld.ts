import type {
  ActivityExplanation,
  ActivitySummary,
  BodySummary,
  RecoverySummary,
  SleepSummary,
  SourceMetadata,
  SummaryExplanation,
} from '@healthd/schemas';
import {
  ACTIVITY_FIGURES,
  BODY_FIGURES,
  RECOVERY_FIGURES,
  SLEEP_FIGURES,
  SPAN_FIGURES,
} from './selection/figure-groups.js';

/** Providers whose data a response must not contain. */
export type Withheld = ReadonlySet<string>;

type Groups = Readonly<Record<string, SourceMetadata | null>>;

/**
 * Empties the figures of groups whose source must not be shown. Does not select another winner, so all readers see the same
 * value of a figure or null.
 * @param empty returns the replacements for the figures of a group
 */
function withoutGroups<Row extends { source: SourceMetadata; sources: Groups }>(
  row: Row,
  withheld: Withheld,
  empty: (row: Row, group: keyof Row['sources']) => object,
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
  for (const { group } of groups) shown = { ...shown, ...empty(shown, group as keyof Row['sources']) };
  return { ...shown, withheld: [...new Set(groups.map(({ source }) => source.provider))].sort() };
}

/** Returns the members of a row that contain these figures, each with the value null. */
function nullFor(figures: readonly string[]): object {
  return Object.fromEntries(figures.map((path) => [path.split('.')[0], null]));
}

/** Keeps only the provider of a source that must not be shown. */
function withoutDetails(source: SourceMetadata, withheld: Withheld): SourceMetadata {
  if (!withheld.has(source.provider)) return source;
  return { provider: source.provider, source: null, device: null, device_type: null, device_name: null };
}

export function withheldActivity(row: ActivitySummary, withheld: Withheld): ActivitySummary {
  return withoutGroups(row, withheld, (_, group) => nullFor(ACTIVITY_FIGURES[group]));
}

export function withheldSleep(row: SleepSummary, withheld: Withheld): SleepSummary {
  return withoutGroups(row, withheld, ({ sessions, sources }, group) => {
    const emptied = nullFor(SLEEP_FIGURES[group]);
    if (group !== 'sleep' && group !== 'naps') return emptied;
    // Without a night the row has the bounds of the longest nap. The total always includes both groups.
    const hasBounds = group === 'sleep' || sources.sleep === null;
    return {
      ...emptied,
      ...nullFor(hasBounds ? SPAN_FIGURES : ['total_duration_minutes']),
      sessions: sessions?.filter(({ is_nap }) => is_nap === (group === 'sleep')) ?? null,
    };
  });
}

export function withheldRecovery(row: RecoverySummary, withheld: Withheld): RecoverySummary {
  return withoutGroups(row, withheld, (_, group) => nullFor(RECOVERY_FIGURES[group]));
}

export function withheldBody(row: BodySummary, withheld: Withheld): BodySummary {
  return withoutGroups(row, withheld, (body, group) => {
    const [section, name] = BODY_FIGURES[group][0].split('.') as ['slow_changing' | 'averaged' | 'latest', string];
    const emptied = { ...body[section], [name]: null };
    // Hides the BMI too. A computed BMI reveals the height, although its source is the weight's source.
    if (group === 'height') return { [section]: { ...emptied, bmi: null } };
    return { [section]: section === 'latest' ? { ...emptied, [`${group}_measured_at`]: null } : emptied };
  });
}

/** Hides the figures of explained candidates that must not be shown. Hidden losers have the reason `terms`. */
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

/**
 * Hides the figures of {@link withheldGroups}, the amounts of candidates in metrics, and the value of a metric whose
 * winner is hidden.
 */
export function withheldExplanation(original: ActivityExplanation, withheld: Withheld): ActivityExplanation {
  const explanation = withheldGroups(original, withheld);
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
