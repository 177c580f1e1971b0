import { getSleepSession } from '@healthd/contract';
import type { SleepSessionDetail } from '@healthd/schemas';
import { Link, useParams } from 'react-router';
import { AttributionLine } from '../../../components/attribution.js';
import { Commands } from '../../../components/commands.js';
import { Facts } from '../../../components/facts.js';
import { Loading } from '../../../components/loading.js';
import { Problem } from '../../../components/problem.js';
import { formatMinutes, formatPercent, minutesOf, sourceName } from '../../../format.js';
import { useSleepSession } from '../../../hooks/use-sleep.js';
import { zonesText } from '../../../record-zone.js';
import { formatInZone, type Zone } from '../../../zone.js';
import { ExplainedGroups } from '../explain/explained-groups.js';
import { SessionSamples } from '../session-samples.js';
import { Hypnogram } from './hypnogram.js';

/** Page of a night or nap: stages and samples. */
export function NightPage({ userId }: { userId: string }) {
  const { sleepId = '' } = useParams();
  const night = useSleepSession(userId, sleepId);
  if (night.error) return <Problem error={night.error} retry={night.refetch} />;
  if (!night.data) return <Loading />;
  const session = night.data;
  const zone = session.local_offset;
  return (
    <>
      <div className="row spread">
        <h2>
          {session.is_nap ? 'Nap' : 'Night'} that ended on {session.wake_date}
        </h2>
        <Link to={`/users/${userId}/sleep`}>All nights</Link>
      </div>
      <section className="card" aria-label="Stages">
        <header>
          <h2>Stages</h2>
          <span className="muted">
            {sourceName(session.source)}, {zonesText([session])}
          </span>
        </header>
        <NightFacts session={session} zone={zone} />
        <Hypnogram session={session} zone={zone} />
      </section>
      <AttributionLine of={session.attribution} />
      <ExplainedGroups userId={userId} summary="sleep" date={session.summary_date} current={session.source} />
      <SessionSamples session={session} zone={zone} />
      <Commands
        healthctl={`healthctl data night ${sleepId} --user ${userId}`}
        route={getSleepSession}
        input={{ params: { user_id: userId, sleep_id: sleepId } }}
      />
    </>
  );
}

function NightFacts({ session, zone }: { session: SleepSessionDetail; zone: Zone }) {
  const { stages } = session;
  const facts = [
    ['From', formatInZone(Date.parse(session.start_time), zone)],
    ['To', formatInZone(Date.parse(session.end_time), zone)],
    ['Asleep', formatMinutes(minutesOf(session.sleep_duration_seconds))],
    ['In bed', formatMinutes(minutesOf(session.duration_seconds))],
    ['Deep', formatMinutes(stages?.deep_minutes)],
    ['REM', formatMinutes(stages?.rem_minutes)],
    ['Light', formatMinutes(stages?.light_minutes)],
    ['Awake', formatMinutes(stages?.awake_minutes)],
    ['Efficiency', formatPercent(session.efficiency_percent)],
  ] as const;
  return <Facts facts={facts} />;
}
