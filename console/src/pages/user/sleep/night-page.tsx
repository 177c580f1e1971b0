import type { SleepSessionDetail } from '@healthd/schemas';
import { Link, useParams } from 'react-router';
import { Command } from '../../../components/command.js';
import { Loading } from '../../../components/loading.js';
import { Problem } from '../../../components/problem.js';
import { curlOf } from '../../../curl.js';
import { formatMinutes, formatPercent, formatWallClock, minutesOf, sourceName } from '../../../format.js';
import { useSleepSession } from '../../../hooks/use-sleep.js';
import { zoneOf, zoneText } from '../../../zone.js';
import { SessionSamples } from '../session-samples.js';
import { Hypnogram } from './hypnogram.js';

/** One night or nap: its stages over time and what the source measured meanwhile. */
export function NightPage({ userId }: { userId: string }) {
  const { sleepId = '' } = useParams();
  const night = useSleepSession(userId, sleepId);
  if (night.error) return <Problem error={night.error} retry={night.refetch} />;
  if (!night.data) return <Loading />;
  const session = night.data;
  const zone = zoneOf(null, session.zone_offset);
  const wakeDate = formatWallClock(session.end_time, session.zone_offset).slice(0, 10);
  return (
    <>
      <div className="row spread">
        <h2>
          {session.is_nap ? 'Nap' : 'Night'} that ended on {wakeDate}
        </h2>
        <Link to={`/users/${userId}/sleep`}>All nights</Link>
      </div>
      <section className="card" aria-label="Stages">
        <header>
          <h2>Stages</h2>
          <span className="muted">
            {sourceName(session.source)}, {zoneText(zone)}
          </span>
        </header>
        <Facts session={session} />
        <Hypnogram session={session} zone={zone} />
      </section>
      <SessionSamples session={session} zone={zone} />
      <Command line={`healthctl data night ${sleepId} --user ${userId}`} />
      <Command line={curlOf(`/users/${userId}/events/sleep/${sleepId}`)} />
    </>
  );
}

function Facts({ session }: { session: SleepSessionDetail }) {
  const { stages, zone_offset: offset } = session;
  const facts = [
    ['From', formatWallClock(session.start_time, offset)],
    ['To', formatWallClock(session.end_time, offset)],
    ['Asleep', formatMinutes(minutesOf(session.sleep_duration_seconds))],
    ['In bed', formatMinutes(minutesOf(session.duration_seconds))],
    ['Deep', formatMinutes(stages?.deep_minutes)],
    ['REM', formatMinutes(stages?.rem_minutes)],
    ['Light', formatMinutes(stages?.light_minutes)],
    ['Awake', formatMinutes(stages?.awake_minutes)],
    ['Efficiency', formatPercent(session.efficiency_percent)],
  ] as const;
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
