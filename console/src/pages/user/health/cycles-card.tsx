import { AttributionLine } from '../../../components/attribution.js';
import { Loading } from '../../../components/loading.js';
import { Problem } from '../../../components/problem.js';
import { SourceCell } from '../../../components/source-cell.js';
import { TableCard } from '../../../components/table-card.js';
import { formatCount, humanize } from '../../../format.js';
import { useCycles } from '../../../hooks/use-health.js';
import type { Period } from '../../../period.js';
import { formatRecorded } from '../../../record-zone.js';

const COLUMNS = ['Started', 'Phase', '#Day', '#Length days', '#Predicted days', '#Period days', 'Source'];

/** Menstrual cycles; hidden if there are none. */
export function CyclesCard({ userId, period }: { userId: string; period: Period }) {
  const cycles = useCycles(userId, period);
  if (cycles.error) return <Problem error={cycles.error} retry={cycles.refetch} />;
  if (cycles.isPending) return <Loading height={0} />;
  if (!cycles.data || cycles.data.rows.length === 0) return null;
  return (
    <>
      <TableCard name="Menstrual cycles" heading columns={COLUMNS} stale={cycles.isPlaceholderData}>
        {cycles.data.rows.map((cycle) => (
          <tr key={cycle.id}>
            <td className="date">
              {formatRecorded(cycle.start_time, cycle).slice(0, 10)}
              {cycle.is_predicted_cycle && <span className="badge plain after">predicted</span>}
            </td>
            <td>{cycle.current_phase_type ? humanize(cycle.current_phase_type.toLowerCase()) : '–'}</td>
            <td className="number">{formatCount(cycle.day_in_cycle)}</td>
            <td className="number">{formatCount(cycle.cycle_length)}</td>
            <td className="number">{formatCount(cycle.predicted_cycle_length)}</td>
            <td className="number">{formatCount(cycle.period_length)}</td>
            <SourceCell source={cycle.source} />
          </tr>
        ))}
      </TableCard>
      <AttributionLine of={cycles.data.attribution} />
    </>
  );
}
