import type { MenstrualCycle } from '@healthd/schemas';
import { useMemo } from 'react';
import { Problem } from '../../../components/problem.js';
import { SourceCell } from '../../../components/source-cell.js';
import { TableCard } from '../../../components/table-card.js';
import { formatCount, humanize } from '../../../format.js';
import { useCycles } from '../../../hooks/use-health.js';
import { useZonesOfRecords } from '../../../hooks/use-person-zone.js';
import type { Period } from '../../../period.js';
import { type Dated, formatRecorded } from '../../../record-zone.js';

const COLUMNS = ['Began', 'Phase', '#Day', '#Length days', '#Predicted days', '#Period days', 'Source'];

/** Menstrual cycles; nothing where none are stored, as for most people. */
export function CyclesCard({ userId, period }: { userId: string; period: Period }) {
  const cycles = useCycles(userId, period);
  const seen = useMemo(() => cycles.data?.map(startOf) ?? [], [cycles.data]);
  const zoneOf = useZonesOfRecords(userId, seen);
  if (cycles.error) return <Problem error={cycles.error} retry={cycles.refetch} />;
  if (!cycles.data || !zoneOf || cycles.data.length === 0) return null;
  return (
    <TableCard name="Menstrual cycles" heading columns={COLUMNS} stale={cycles.isPlaceholderData}>
      {cycles.data.map((cycle) => (
        <tr key={cycle.id}>
          <td className="date">
            {formatRecorded(startOf(cycle), zoneOf).slice(0, 10)}
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
  );
}

function startOf({ start_time, zone_offset }: MenstrualCycle): Dated {
  return { instant: start_time, offset: zone_offset };
}
