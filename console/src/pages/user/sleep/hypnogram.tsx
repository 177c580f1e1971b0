import { MS_PER_MINUTE, type SleepStage } from '@healthd/model';
import type { SleepSession } from '@healthd/schemas';
import { Lanes } from '../../../components/chart/lanes.js';
import { TableCard } from '../../../components/table-card.js';
import { formatMinutes } from '../../../format.js';
import { formatInZone, type Zone } from '../../../zone.js';

/** Lanes from top: awake to deep, then less specific stages. */
const STAGES: readonly [SleepStage, string][] = [
  ['awake', 'Awake'],
  ['rem', 'REM'],
  ['light', 'Light'],
  ['deep', 'Deep'],
  ['sleeping', 'Asleep'],
  ['in_bed', 'In bed'],
  ['unknown', 'Unknown'],
];

/** Sleep stages over time, with a table. */
export function Hypnogram({ session, zone }: { session: SleepSession; zone: Zone }) {
  const intervals = session.sleep_stage_intervals ?? [];
  if (intervals.length === 0) {
    return <div className="empty">The source reports the duration of each stage, not its time.</div>;
  }
  const parts = intervals.map(({ stage, start_time, end_time }) => {
    const [from, to] = [Date.parse(start_time), Date.parse(end_time)];
    const name = STAGES.find(([code]) => code === stage)?.[1] ?? stage;
    const [begin, end] = [from, to].map((ms) => formatInZone(ms, zone).slice(11));
    return { stage, name, from, to, begin, end, length: formatMinutes((to - from) / MS_PER_MINUTE) };
  });
  const lanes = STAGES.filter(([code]) => parts.some(({ stage }) => stage === code)).map(([code, name]) => ({
    name,
    blocks: parts
      .filter(({ stage }) => stage === code)
      .map(({ from, to, begin, end, length }) => ({
        from,
        to,
        look: `stage-${code}`,
        title: `${name}, ${begin} – ${end}, ${length}`,
      })),
  }));
  const range = { from: Date.parse(session.start_time), to: Date.parse(session.end_time) };
  const [first, last] = [parts[0]?.begin, parts.at(-1)?.end];
  return (
    <div className="body">
      <Lanes
        label={`Sleep stages from ${first} to ${last}: ${parts.length} intervals, listed in the table`}
        range={range}
        zone={zone}
        lanes={lanes}
      />
      <details className="as-table">
        <summary>As a table</summary>
        <TableCard name="Stages in order" columns={['From', 'To', 'Stage', '#Length']}>
          {parts.map(({ from, name, begin, end, length }) => (
            <tr key={from}>
              <td className="date">{begin}</td>
              <td className="date">{end}</td>
              <td>{name}</td>
              <td className="number">{length}</td>
            </tr>
          ))}
        </TableCard>
      </details>
    </div>
  );
}
