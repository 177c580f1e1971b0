import { SERIES_TYPES, type SeriesType, seriesTypeByCode } from '@healthd/model';
import { Link } from 'react-router';
import { Loading } from '../../../components/loading.js';
import { Problem } from '../../../components/problem.js';
import { useDataSummary } from '../../../hooks/use-data.js';
import { RangeChooser } from './range-chooser.js';
import { SeriesCard } from './series-card.js';
import { useSeriesView } from './series-range.js';
import { TypeChooser } from './type-chooser.js';

/** Chart of any series with all sources. */
export function SeriesTab({ userId }: { userId: string }) {
  const view = useSeriesView();
  const summary = useDataSummary(userId);
  if (summary.error) return <Problem error={summary.error} retry={summary.refetch} />;
  if (!summary.data) return <Loading />;
  const counts = summary.data.series_type_counts;
  const type = chosenType(view.type, counts);
  if (!type) {
    return (
      <div className="card empty">
        No samples yet. <Link to={`/users/${userId}/connections`}>View connections</Link> or{' '}
        <Link to={`/users/${userId}/runs`}>import an export file</Link>.
      </div>
    );
  }
  return (
    <>
      <div className="row spread">
        <TypeChooser type={type.code} counts={counts} />
        <RangeChooser view={view} type={type.code} />
      </div>
      <SeriesCard userId={userId} type={type} view={view} latest={summary.data.last_seen[type.code]} />
    </>
  );
}

/** Returns the URL's series, else heart rate, else the series with most samples; undefined without data. */
function chosenType(wanted: string | undefined, counts: Record<string, number>): SeriesType | undefined {
  const named = wanted === undefined ? undefined : seriesTypeByCode(wanted);
  if (named) return named;
  if (counts.heart_rate) return seriesTypeByCode('heart_rate');
  const [most] = Object.entries(counts).sort(([, a], [, b]) => b - a);
  return SERIES_TYPES.find(({ code }) => code === most?.[0]);
}
