import { SERIES_CATEGORIES, SERIES_TYPES } from '@healthd/model';
import { useNavigate } from 'react-router';
import { formatCount, humanize } from '../../../format.js';
import { seriesSearch, useSeriesView } from './series-range.js';

interface TypeChooserProps {
  type: string;
  /** Number of stored samples per series. */
  counts: Record<string, number>;
}

/** Selects a series with stored samples, by group. */
export function TypeChooser({ type, counts }: TypeChooserProps) {
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
