import { Link } from 'react-router';
import { AttributionLine } from '../../../components/attribution.js';
import { Loading } from '../../../components/loading.js';
import { Problem } from '../../../components/problem.js';
import { SourceCell } from '../../../components/source-cell.js';
import { TableCard } from '../../../components/table-card.js';
import { FigureCell, WithheldHint } from '../../../components/withheld.js';
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
    <>
      <TableCard
        name="Recovery by day"
        heading
        columns={COLUMNS}
        stale={recovery.isPlaceholderData}
        empty={`No recovery data in the last ${period} days. Recovery needs nights, resting heart rate or HRV.`}
      >
        {recovery.data.rows.map((day) => (
          <tr key={day.date}>
            <td className="date">
              <Link to={`recovery/${day.date}`}>{day.date}</Link>
            </td>
            <FigureCell row={day} group="sleep">
              {formatMinutes(minutesOf(day.sleep_duration_seconds))}
            </FigureCell>
            <FigureCell row={day} group="sleep">
              {formatPercent(day.sleep_efficiency_percent)}
            </FigureCell>
            <FigureCell row={day} group="resting_heart_rate">
              {formatCount(day.resting_heart_rate_bpm)}
            </FigureCell>
            <FigureCell row={day} group="hrv">
              {formatCount(day.avg_hrv_sdnn_ms)}
            </FigureCell>
            <FigureCell row={day} group="hrv">
              {formatCount(day.avg_hrv_rmssd_ms)}
            </FigureCell>
            <FigureCell row={day} group="oxygen_saturation">
              {formatPercent(day.avg_spo2_percent)}
            </FigureCell>
            <SourceCell source={day.source} />
          </tr>
        ))}
      </TableCard>
      <WithheldHint providers={recovery.data.withheld} />
      <AttributionLine of={recovery.data.attribution} />
    </>
  );
}
