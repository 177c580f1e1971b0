import type { ServiceActivity, SystemStatus } from '@healthd/schemas';
import { Link } from 'react-router';
import { DayBars } from '../../components/day-bars.js';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { providerName } from '../../components/provider-name.js';
import { TableCard } from '../../components/table-card.js';
import { Tile } from '../../components/tile.js';
import { formatCount } from '../../format.js';
import { useServiceActivity, useSystemStatus } from '../../hooks/use-service-activity.js';

const DAYS = 14;
const COLUMNS = ['Vendor', '#Accepted', '#Rejected', '#Invalid signature', '#No connection', '#Not read'];

/** Service activity of the last two weeks. */
export function Activity() {
  const activity = useServiceActivity(DAYS);
  const status = useSystemStatus();
  if (activity.error) return <Problem error={activity.error} retry={activity.refetch} />;
  if (!activity.data || status.isPending) return <Loading height={280} />;
  const { days, notifications } = activity.data;
  const [yesterday, today] = days.slice(-2);
  return (
    <>
      <section className="card" aria-label="Samples per day">
        <header>
          <h2>Samples per day</h2>
          <span className="muted">by the day of measurement, the last {DAYS} days</span>
        </header>
        <div className="body samples-a-day">
          <DayBars bars={days.map(({ date, samples }) => ({ date, value: samples }))} unit="samples" />
        </div>
      </section>
      <section className="tiles" aria-label="Activity">
        <Tile figure={yesterday?.active_users ?? 0} label="users with samples yesterday" />
        <Tile figure={today?.runs ?? 0} label="runs today (UTC)" />
        <Tile figure={today?.failed_runs ?? 0} label="of them failed" />
        {status.data && <Tile figure={lagSeconds(status.data)} label="seconds the oldest job has waited" />}
      </section>
      <Notifications notifications={notifications} />
    </>
  );
}

/** Returns the age of the oldest due job in seconds, or 0 if no job is waiting. */
function lagSeconds({ jobs }: SystemStatus): number {
  const due = jobs.flatMap(({ oldest_waiting_since: since }) => (since === null ? [] : [Date.parse(since)]));
  return due.length === 0 ? 0 : Math.max(0, Math.round((Date.now() - Math.min(...due)) / 1_000));
}

function Notifications({ notifications }: Pick<ServiceActivity, 'notifications'>) {
  if (notifications.length === 0) return null;
  return (
    <TableCard name={`Vendor notifications, ${DAYS} days`} heading columns={COLUMNS}>
      {notifications.map(({ provider, ...counts }) => (
        <tr key={provider}>
          <td className="name">
            <Link to={`/providers/${provider}`}>{providerName(provider)}</Link>
          </td>
          <td className="number">{formatCount(counts.accepted)}</td>
          <td className="number">{formatCount(counts.refused)}</td>
          <td className="number">{formatCount(counts.badly_signed)}</td>
          <td className="number">{formatCount(counts.unmatched)}</td>
          <td className="number">{formatCount(counts.unhandled)}</td>
        </tr>
      ))}
    </TableCard>
  );
}
