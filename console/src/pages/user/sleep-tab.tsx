import { type SleepSession, sleepSessionsRoute } from '@healthd/api';
import { useQuery } from '@tanstack/react-query';
import { Problem } from '../../components/problem.js';
import { daysAgo, formatMinutes, formatWallClock } from '../../format.js';
import { client } from '../../session.js';

const DAYS = 30;

export function SleepTab({ userId }: { userId: string }) {
  const from = daysAgo(DAYS);
  const sleep = useQuery({
    queryKey: ['sleep', userId, from],
    queryFn: ({ signal }) =>
      client.call(sleepSessionsRoute, {
        params: { user_id: userId },
        query: { start_date: from, end_date: daysAgo(-1), limit: '100' },
        signal,
      }),
  });
  if (sleep.error) return <Problem error={sleep.error} />;
  if (!sleep.data) return null;
  return (
    <section className="card scroll">
      <table>
        <thead>
          <tr>
            <th>Fell asleep</th>
            <th>Woke up</th>
            <th className="number">Asleep</th>
            <th className="number">Deep</th>
            <th className="number">REM</th>
            <th className="number">Light</th>
            <th className="number">Awake</th>
            <th className="number">Efficiency</th>
            <th>Source</th>
          </tr>
        </thead>
        <tbody>
          {sleep.data.data.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </tbody>
      </table>
      {sleep.data.data.length === 0 && <div className="empty">No sleep in the last {DAYS} days.</div>}
    </section>
  );
}

function SessionRow({ session }: { session: SleepSession }) {
  const asleep = session.sleep_duration_seconds;
  return (
    <tr>
      <td>
        {formatWallClock(session.start_time, session.zone_offset)}{' '}
        {session.is_nap && <span className="badge plain">nap</span>}
      </td>
      <td>{formatWallClock(session.end_time, session.zone_offset)}</td>
      <td className="number">{formatMinutes(asleep === null ? null : asleep / 60)}</td>
      <td className="number">{formatMinutes(session.stages?.deep_minutes)}</td>
      <td className="number">{formatMinutes(session.stages?.rem_minutes)}</td>
      <td className="number">{formatMinutes(session.stages?.light_minutes)}</td>
      <td className="number">{formatMinutes(session.stages?.awake_minutes)}</td>
      <td className="number">
        {session.efficiency_percent === null ? '–' : `${Math.round(session.efficiency_percent)} %`}
      </td>
      <td>{session.source.device_name ?? session.source.source ?? session.source.provider}</td>
    </tr>
  );
}
