import { useMemo } from 'react';
import { Lanes } from '../../../components/chart/lanes.js';
import { Loading } from '../../../components/loading.js';
import { Problem } from '../../../components/problem.js';
import { humanize } from '../../../format.js';
import { useDaySeries } from '../../../hooks/use-explanation.js';
import { useUserTimeZone } from '../../../hooks/use-user-time-zone.js';
import { clocksText, rangeOfDay, zoneOfDay } from './day-clock.js';
import { type ExplainedMetric, lanesOf, overlapsOf, samplesOfDate } from './day-lanes.js';

interface DaySourcesProps {
  userId: string;
  date: string;
  metric: ExplainedMetric;
}

/** Sources of a metric over the day, in priority order. */
export function DaySources({ userId, date, metric }: DaySourcesProps) {
  const ids = useMemo(
    () => metric.candidates.filter(({ amount }) => amount !== null).map(({ source_id }) => source_id),
    [metric],
  );
  const userZone = useUserTimeZone(userId);
  const around = useDaySeries(userId, date, metric.type, ids);
  const series = useMemo(() => around.data && samplesOfDate(around.data, date), [around.data, date]);
  if (around.error) return <Problem error={around.error} retry={around.refetch} />;
  if (!series || userZone.isPending) return <Loading />;
  const samples = [...series.values()].flat();
  const zone = zoneOfDay(samples, userZone.zone);
  const range = rangeOfDay(date, samples, zone);
  const overlaps = overlapsOf(series);
  return (
    <section className="card" aria-label="Sources over the day">
      <header>
        <h2>{humanize(metric.type)} over the day</h2>
        <span className="muted">by 15 minutes, {clocksText(samples, zone)}</span>
      </header>
      <div className="body">
        <Lanes
          label={`${humanize(metric.type)} of ${ids.length} sources over the day; their sums are in the table`}
          range={range}
          zone={zone}
          lanes={lanesOf(metric, series)}
          shades={overlaps}
        />
        <ul className="lines keys" aria-hidden="true">
          <li>
            <i className="key counted" /> counted
          </li>
          <li>
            <i className="key spare" /> not counted
          </li>
          <li>
            <i className="key shade" /> several sources at the same time
          </li>
        </ul>
        {metric.from_daily_total && (
          <p className="muted">The source reports a daily total, which replaces the sum of its samples.</p>
        )}
        {metric.archived && (
          <p className="muted">The samples of this day are archived. Only the totals per source remain.</p>
        )}
      </div>
    </section>
  );
}
