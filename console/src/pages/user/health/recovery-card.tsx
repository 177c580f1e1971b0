import { Link } from 'react-router';
import { Loading } from '../../../components/loading.js';
import { Problem } from '../../../components/problem.js';
import { SourceCell } from '../../../components/source-cell.js';
import { TableCard } from '../../../components/table-card.js';
import { formatCount, formatMinutes, formatPercent, minutesOf } from '../../../format.js';
import { useRecovery } from '../../../hooks/use-health.js';
import type { Period } from '../../../period.js';

const COLUMNS = [
  'Woke on',
  '#Asleep',
  '#Efficiency',
  '#Resting heart rate bpm',
  '#HRV (SDNN) ms',
  '#HRV (RMSSD) ms',
  '#Oxygen saturation',
  'Source',
];

export function RecoveryCard({ userId, period }: { userId: string; period: Period }) {
  const recovery = useRecovery(userId, period);
  if (recovery.error) return <Problem error={recovery.error} retry={recovery.refetch} />;
  if (!recovery.data) return <Loading />;
  return (
    <TableCard
      name="Recovery by day"
      heading
      columns={COLUMNS}
      stale={recovery.isPlaceholderData}
      empty={`No recovery in the last ${period} days: it needs nights, a resting heart rate or a variability.`}
    >
      {recovery.data.map((day) => (
        <tr key={day.date}>
          <td className="date">
            <Link to={`recovery/${day.date}`}>{day.date}</Link>
          </td>
          <td className="number">{formatMinutes(minutesOf(day.sleep_duration_seconds))}</td>
          <td className="number">{formatPercent(day.sleep_efficiency_percent)}</td>
          <td className="number">{formatCount(day.resting_heart_rate_bpm)}</td>
          <td className="number">{formatCount(day.avg_hrv_sdnn_ms)}</td>
          <td className="number">{formatCount(day.avg_hrv_rmssd_ms)}</td>
          <td className="number">{formatPercent(day.avg_spo2_percent)}</td>
          <SourceCell source={day.source} />
        </tr>
      ))}
    </TableCard>
  );
}
