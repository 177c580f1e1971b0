import { attributionOfRow } from '@healthd/client';
import { getSleepSummary } from '@healthd/contract';
import type { Attribution } from '@healthd/schemas';
import { Download } from 'lucide-react';
import { AttributionLine } from '../../../components/attribution.js';
import { Commands } from '../../../components/commands.js';
import { Loading } from '../../../components/loading.js';
import { PeriodChooser } from '../../../components/period-chooser.js';
import { Problem } from '../../../components/problem.js';
import { TableCard } from '../../../components/table-card.js';
import { WithheldHint } from '../../../components/withheld.js';
import { saveCsv } from '../../../csv.js';
import { useNights } from '../../../hooks/use-sleep.js';
import { periodBounds, usePeriod } from '../../../period.js';
import { zonesText } from '../../../record-zone.js';
import { NothingInPeriod } from '../nothing-in-period.js';
import { NightRows } from './night-rows.js';
import { type Night, nightsOf } from './nights.js';

const COLUMNS = [
  'Woke on',
  'Slept',
  '#Asleep',
  'Stages',
  '#Deep',
  '#REM',
  '#Light',
  '#Awake',
  '#Efficiency',
  'Naps',
  'Counted source',
  'Recorded',
];

/** Nightly summaries. Sessions of other sources are collapsed below each night. */
export function SleepTab({ userId }: { userId: string }) {
  const period = usePeriod();
  const sleep = useNights(userId, period);
  const nights = sleep.data && nightsOf(sleep.data.summaries, sleep.data.sessions);
  return (
    <>
      <div className="row spread">
        <h2>Nights</h2>
        <div className="row">
          <PeriodChooser />
          {sleep.data && nights && nights.length > 0 && (
            <button type="button" onClick={() => saveNights(nights, sleep.data.attribution)}>
              <Download className="icon" aria-hidden="true" /> CSV
            </button>
          )}
        </div>
      </div>
      {sleep.error && <Problem error={sleep.error} retry={sleep.refetch} />}
      {!sleep.error && !nights && <Loading />}
      {nights?.length === 0 && <NothingInPeriod what="sleep" userId={userId} />}
      {sleep.data && nights && nights.length > 0 && (
        <>
          <p className="muted sentence">{zonesText(sleep.data.sessions)}</p>
          <StageKeys />
          <TableCard name="Nights" columns={COLUMNS} stale={sleep.isPlaceholderData}>
            {nights.map((night) => (
              <NightRows key={night.date} night={night} columns={COLUMNS.length} />
            ))}
          </TableCard>
          <WithheldHint providers={sleep.data.withheld} />
          <AttributionLine of={sleep.data.attribution} />
        </>
      )}
      <Commands
        healthctl={`healthctl data nights --user ${userId} --from ${period}d`}
        route={getSleepSummary}
        input={{ params: { user_id: userId }, query: { ...periodBounds(period), limit: 100 } }}
      />
    </>
  );
}

/** Legend of a night's bar. */
function StageKeys() {
  return (
    <ul className="lines keys" aria-hidden="true">
      {['deep', 'REM', 'light', 'awake'].map((stage) => (
        <li key={stage}>
          <i className={`key stage-${stage.toLowerCase()}`} /> {stage}
        </li>
      ))}
    </ul>
  );
}

function saveNights(nights: readonly Night[], attribution: Attribution): void {
  const names = ['date', 'start_time', 'end_time', 'zone_offset', 'duration_minutes', 'deep_minutes', 'rem_minutes'];
  const more = [
    'light_minutes',
    'awake_minutes',
    'efficiency_percent',
    'nap_duration_minutes',
    'provider',
    'device',
    'attribution',
  ];
  const rows = nights.map(({ summary: night }) => [
    night.date,
    night.start_time,
    night.end_time,
    night.zone_offset,
    night.duration_minutes,
    night.stages?.deep_minutes ?? null,
    night.stages?.rem_minutes ?? null,
    night.stages?.light_minutes ?? null,
    night.stages?.awake_minutes ?? null,
    night.efficiency_percent,
    night.nap_duration_minutes,
    night.source.provider,
    night.source.device_name ?? night.source.device,
    attributionOfRow(night, attribution) ?? null,
  ]);
  saveCsv('sleep.csv', [[...names, ...more], ...rows]);
}
