import { SERIES_CATEGORIES, SERIES_TYPES, type SeriesType, seriesTypeByCode } from '@healthd/model';
import { ChevronLeft, ChevronRight, ZoomOut } from 'lucide-react';
import { Link, useNavigate } from 'react-router';
import { Loading } from '../../../components/loading.js';
import { Problem } from '../../../components/problem.js';
import { formatCount, humanize } from '../../../format.js';
import { useDataSummary } from '../../../hooks/use-data.js';
import { SeriesCard } from './series-card.js';
import { adjacentRange, type SeriesView, SPANS, seriesSearch, useSeriesView, widened } from './series-range.js';

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

/** Returns the URL's series, otherwise heart rate, otherwise the series with most samples. Undefined without data. */
function chosenType(requested: string | undefined, counts: Record<string, number>): SeriesType | undefined {
  const named = requested === undefined ? undefined : seriesTypeByCode(requested);
  if (named) return named;
  if (counts.heart_rate) return seriesTypeByCode('heart_rate');
  const [most] = Object.entries(counts).sort(([, a], [, b]) => b - a);
  return SERIES_TYPES.find(({ code }) => code === most?.[0]);
}

/** Selects the time range: a length until now, an adjacent range or a wider range. */
function RangeChooser({ view, type }: { view: SeriesView; type: string }) {
  const { range, span } = view;
  return (
    <div className="row">
      <nav className="choice" aria-label="Period">
        {SPANS.map((days) => (
          <Link
            key={days}
            to={{ search: seriesSearch({ type, span: days }) }}
            aria-current={days === span ? 'true' : undefined}
          >
            {days === 1 ? '24 h' : `${days} days`}
          </Link>
        ))}
      </nav>
      <nav className="choice" aria-label="Move">
        <Link to={{ search: seriesSearch({ type, range: adjacentRange(range, -1) }) }} aria-label="Earlier">
          <ChevronLeft className="icon" aria-hidden="true" />
        </Link>
        <Link to={{ search: seriesSearch({ type, range: widened(range) }) }} aria-label="Zoom out">
          <ZoomOut className="icon" aria-hidden="true" />
        </Link>
        <Link to={{ search: seriesSearch({ type, range: adjacentRange(range, 1) }) }} aria-label="Later">
          <ChevronRight className="icon" aria-hidden="true" />
        </Link>
      </nav>
    </div>
  );
}

interface TypeChooserProps {
  type: string;
  /** Number of stored samples per series. */
  counts: Record<string, number>;
}

/** Selects a series with stored samples, by group. */
function TypeChooser({ type, counts }: TypeChooserProps) {
  const navigate = useNavigate();
  const { range, span } = useSeriesView();
  const choose = (chosen: string) => {
    void navigate({ search: seriesSearch({ type: chosen, span, range: span ? undefined : range }) });
  };
  const groups = SERIES_CATEGORIES.map((category) => ({
    category,
    types: SERIES_TYPES.filter((one) => one.category === category && (counts[one.code] || one.code === type)),
  }));
  return (
    <select aria-label="Series" className="title-select" value={type} onChange={({ target }) => choose(target.value)}>
      {groups
        .filter(({ types }) => types.length > 0)
        .map(({ category, types }) => (
          <optgroup key={category} label={category}>
            {types.map(({ code }) => (
              <option key={code} value={code}>
                {humanize(code)} ({formatCount(counts[code] ?? 0)})
              </option>
            ))}
          </optgroup>
        ))}
    </select>
  );
}
