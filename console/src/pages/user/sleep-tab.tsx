import type { SleepSession } from '@healthd/schemas';
import { formatMinutes, formatPercent, formatWallClock, minutesOf, sourceName } from '../../format.js';
import { useSleepSessions } from '../../hooks/use-data.js';
import { usePeriod } from '../../period.js';
import { PeriodPage } from './period-page.js';

const COLUMNS = ['From', 'To', '#Duration', '#Asleep', '#Deep', '#REM', '#Light', '#Awake', '#Efficiency', 'Source'];

export function SleepTab({ userId }: { userId: string }) {
  const period = usePeriod();
  const nights = useSleepSessions(userId, period);
  return (
    <PeriodPage
      title="Nights and naps"
      what="sleep"
      userId={userId}
      columns={COLUMNS}
      pages={nights}
      row={(session) => <NightRow key={session.id} session={session} />}
      command={`healthctl data sleep --user ${userId} --from ${period}d`}
    />
  );
}

function NightRow({ session }: { session: SleepSession }) {
  const { stages } = session;
  return (
    <tr>
      <td className="date">
        {formatWallClock(session.start_time, session.zone_offset)}
        {session.is_nap && <span className="badge plain after">nap</span>}
      </td>
      <td className="date">{formatWallClock(session.end_time, session.zone_offset)}</td>
      <td className="number">{formatMinutes(minutesOf(session.duration_seconds))}</td>
      <td className="number">{formatMinutes(minutesOf(session.sleep_duration_seconds))}</td>
      <td className="number">{formatMinutes(stages?.deep_minutes)}</td>
      <td className="number">{formatMinutes(stages?.rem_minutes)}</td>
      <td className="number">{formatMinutes(stages?.light_minutes)}</td>
      <td className="number">{formatMinutes(stages?.awake_minutes)}</td>
      <td className="number">{formatPercent(session.efficiency_percent)}</td>
      <td className="name">{sourceName(session.source)}</td>
    </tr>
  );
}
