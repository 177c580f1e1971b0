import { TableCard } from '../../../components/table-card.js';
import { formatCount, humanize } from '../../../format.js';
import { type Days, dayStates, daysText, type KindOfData, missingWithin } from './day-states.js';

interface ProviderDaysProps {
  name: string;
  items: readonly KindOfData[];
  dates: readonly string[];
  archivedBefore: string | null;
  onHole: (item: KindOfData, days: Days) => void;
}

/** Data types of one provider, with a strip of days each. */
export function ProviderDays({ name, items, dates, archivedBefore, onHole }: ProviderDaysProps) {
  const columns = ['Data type', `${dates[0]} – ${dates.at(-1)}`, '#Days received', 'Missing'];
  return (
    <TableCard name={name} heading stacked columns={columns}>
      {items.map((item) => (
        <KindRow
          key={item.data_type}
          item={item}
          dates={dates}
          archivedBefore={archivedBefore}
          onHole={(days) => onHole(item, days)}
        />
      ))}
    </TableCard>
  );
}

interface KindRowProps {
  item: KindOfData;
  dates: readonly string[];
  archivedBefore: string | null;
  onHole: (days: Days) => void;
}

function KindRow({ item, dates, archivedBefore, onHole }: KindRowProps) {
  const days = dayStates(item, dates, archivedBefore);
  const missing = missingWithin(item, dates);
  const kind = humanize(item.data_type);
  const count = (...states: string[]) => days.filter(({ state }) => states.includes(state)).length;
  const received = count('received', 'archived');
  const holeOf = (date: string) => missing.find((hole) => hole.first_date <= date && date <= hole.last_date);
  const [oldest] = missing;
  const lost = count('missing');
  const holes = `${lost} ${lost === 1 ? 'day' : 'days'}…`;
  return (
    <tr>
      <td className="kind">{kind}</td>
      <td className="strip">
        <svg
          role="img"
          width="100%"
          height="20"
          aria-label={`${kind}: ${received} of ${dates.length} days received, missing: ${missing.map(daysText).join(', ') || 'none'}`}
        >
          {days.map(({ date, state }, at) => {
            const hole = state === 'missing' ? holeOf(date) : undefined;
            return (
              // biome-ignore lint/a11y/noStaticElementInteractions: the row's button offers the same by keyboard
              <rect
                key={date}
                className={`day-${state}`}
                x={`${((at + 0.1) / days.length) * 100}%`}
                width={`${80 / days.length}%`}
                y={state === 'empty' ? 13 : 3}
                height={state === 'empty' ? 4 : 14}
                onClick={hole && (() => onHole(hole))}
              >
                <title>{`${date}: ${state}`}</title>
              </rect>
            );
          })}
        </svg>
      </td>
      <td className="number">
        {formatCount(received)} of {dates.length}
      </td>
      <td className="holes">
        {oldest ? (
          <button
            type="button"
            title={missing.map(daysText).join('\n')}
            aria-label={`${holes} missing: ${kind}, ${missing.map(daysText).join(', ')}`}
            onClick={() => onHole(oldest)}
          >
            {holes}
          </button>
        ) : (
          <span className="muted">{item.delivers_daily ? 'none' : 'not expected daily'}</span>
        )}
      </td>
    </tr>
  );
}
