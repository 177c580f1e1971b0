import type { WorkoutDetail } from '@healthd/schemas';
import { TableCard } from '../../../components/table-card.js';
import { formatDistance, formatMinutesAndSeconds, humanize } from '../../../format.js';
import { formatInZone, type Zone } from '../../../zone.js';

/** Laps, pauses, segments, markers and multisport activities. */
export function Parts({ workout, zone }: { workout: WorkoutDetail; zone: Zone }) {
  const { events, activities } = workout;
  return (
    <>
      {activities.length > 1 && (
        <TableCard name="Activities" heading columns={['Started', 'Type', '#Duration', '#Distance']}>
          {activities.map((part) => (
            <tr key={`${part.start_time} ${part.type}`}>
              <td className="date">{timeOf(part.start_time, zone)}</td>
              <td>{humanize(part.type)}</td>
              <td className="number">{formatMinutesAndSeconds(part.duration_seconds)}</td>
              <td className="number">{formatDistance(part.distance_meters)}</td>
            </tr>
          ))}
        </TableCard>
      )}
      {events.length > 0 && (
        <TableCard
          name="Laps, pauses and segments"
          heading
          columns={['Started', 'Type', 'Name', '#Duration', '#Distance', '#Repetitions']}
        >
          {events.map((event, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two markers can be equal
            <tr key={at}>
              <td className="date">{timeOf(event.start_time, zone)}</td>
              <td>{humanize(event.type)}</td>
              <td>{event.label ?? '–'}</td>
              <td className="number">{formatMinutesAndSeconds(event.duration_seconds)}</td>
              <td className="number">{formatDistance(event.distance_meters)}</td>
              <td className="number">{event.repetitions ?? '–'}</td>
            </tr>
          ))}
        </TableCard>
      )}
    </>
  );
}

function timeOf(instant: string, zone: Zone): string {
  return formatInZone(Date.parse(instant), zone).slice(11);
}
