import { useMemo } from 'react';
import { Lanes } from '../../../components/chart/lanes.js';
import { Loading } from '../../../components/loading.js';
import { Problem } from '../../../components/problem.js';
import { daysAgo, humanize } from '../../../format.js';
import { useDaySeries } from '../../../hooks/use-explanation.js';
import { useUser } from '../../../hooks/use-users.js';
import { startOfDate, zoneOf, zoneText } from '../../../zone.js';
import { type ExplainedMetric, lanesOf, overlapsOf } from './day-lanes.js';

interface DaySourcesProps {
  userId: string;
  date: string;
  metric: ExplainedMetric;
}

/** The sources of a metric over the day, in the order in which they are chosen. */
export function DaySources({ userId, date, metric }: DaySourcesProps) {
  const ids = useMemo(() => metric.candidates.map(({ source_id }) => source_id), [metric]);
  const user = useUser(userId);
  const series = useDaySeries(userId, date, metric.type, ids);
  if (series.error) return <Problem error={series.error} retry={series.refetch} />;
  if (!series.data) return <Loading />;
  const offset = [...series.data.values()].flat()[0]?.zone_offset;
  const zone = zoneOf(user.data?.time_zone, offset);
  const range = { from: startOfDate(date, zone), to: startOfDate(daysAgo(-1, Date.parse(date)), zone) };
  const overlaps = overlapsOf(series.data);
  return (
    <section className="card" aria-label="Sources over the day">
      <header>
        <h2>{humanize(metric.type)} over the day</h2>
        <span className="muted">by 15 minutes, {zoneText(zone)}</span>
      </header>
      <div className="body">
        <Lanes
          label={`${humanize(metric.type)} of ${ids.length} sources over the day; their sums are in the table`}
          range={range}
          zone={zone}
          lanes={lanesOf(metric, series.data, zone)}
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
          <p className="muted">The source reports a total of the day. It is used instead of the sum of its parts.</p>
        )}
        {metric.archived && (
          <p className="muted">The samples of this day are archived: the amounts of the sources are left.</p>
        )}
      </div>
    </section>
  );
}
