import { ChevronLeft, ChevronRight, ZoomOut } from 'lucide-react';
import { Link } from 'react-router';
import { beside, type SeriesView, SPANS, seriesSearch, widened } from './series-range.js';

/** Selects the time range: a length until now, an adjacent range or a wider range. */
export function RangeChooser({ view, type }: { view: SeriesView; type: string }) {
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
        <Link to={{ search: seriesSearch({ type, range: beside(range, -1) }) }} aria-label="Earlier">
          <ChevronLeft className="icon" aria-hidden="true" />
        </Link>
        <Link to={{ search: seriesSearch({ type, range: widened(range) }) }} aria-label="Zoom out">
          <ZoomOut className="icon" aria-hidden="true" />
        </Link>
        <Link to={{ search: seriesSearch({ type, range: beside(range, 1) }) }} aria-label="Later">
          <ChevronRight className="icon" aria-hidden="true" />
        </Link>
      </nav>
    </div>
  );
}
