import { Link } from 'react-router';
import { PERIODS, periodSearch, usePeriod } from '../period.js';

/** Selects the period. The URL stores the selection. */
export function PeriodChooser() {
  const chosen = usePeriod();
  return (
    <nav className="choice" aria-label="Period">
      {PERIODS.map((days) => (
        <Link key={days} to={{ search: periodSearch(days) }} aria-current={days === chosen ? 'true' : undefined}>
          {days} days
        </Link>
      ))}
    </nav>
  );
}
