import type { BodySummary } from '@healthd/schemas';
import { Link } from 'react-router';
import { AttributionLine } from '../../../components/attribution.js';
import { Facts } from '../../../components/facts.js';
import { Instant } from '../../../components/instant.js';
import { Loading } from '../../../components/loading.js';
import { Problem } from '../../../components/problem.js';
import { isWithheld, Figure, WithheldNote } from '../../../components/withheld.js';
import { sourceName } from '../../../format.js';
import { useBody } from '../../../hooks/use-health.js';

/** Current body values, independent of the period. */
export function BodyCard({ userId }: { userId: string }) {
  const body = useBody(userId);
  if (body.error) return <Problem error={body.error} retry={body.refetch} />;
  if (body.isPending) return <Loading />;
  return (
    <>
      <section className="card" aria-label="Body">
        <header>
          <h2>Body now</h2>
          {body.data && (
            <span className="muted">
              {sourceName(body.data.source)} · <Link to="body">sources of these figures</Link>
            </span>
          )}
        </header>
        {body.data ? <BodyFacts body={body.data} /> : <div className="empty">No body data yet.</div>}
      </section>
      <WithheldNote providers={body.data?.withheld} />
      <AttributionLine of={body.data?.attribution} />
    </>
  );
}

type BodyGroup = keyof BodySummary['sources'];

function BodyFacts({ body }: { body: BodySummary }) {
  const { slow_changing: slow, averaged, latest } = body;
  const pressure = latest.blood_pressure;
  const facts: [name: string, value: string, group: BodyGroup | undefined, measuredAt?: string | null][] = [
    ['Weight', withUnit(slow.weight_kg, 'kg'), 'weight'],
    ['Height', withUnit(slow.height_cm, 'cm'), 'height'],
    ['Body fat', withUnit(slow.body_fat_percent, '%'), 'body_fat'],
    ['Lean mass', withUnit(slow.muscle_mass_kg, 'kg'), 'muscle_mass'],
    ['BMI', withUnit(slow.bmi, 'kg/m²'), slow.bmi === null && isWithheld(body, 'height') ? 'height' : 'bmi'],
    ['Age', withUnit(slow.age, 'years'), undefined],
    [
      `Resting heart rate, ${averaged.period_days} days`,
      withUnit(averaged.resting_heart_rate_bpm, 'bpm'),
      'resting_heart_rate',
    ],
    [`HRV (SDNN), ${averaged.period_days} days`, withUnit(averaged.avg_hrv_sdnn_ms, 'ms'), 'hrv_sdnn'],
    [`HRV (RMSSD), ${averaged.period_days} days`, withUnit(averaged.avg_hrv_rmssd_ms, 'ms'), 'hrv_rmssd'],
    [
      'Body temperature',
      withUnit(latest.body_temperature_celsius, '°C'),
      'body_temperature',
      latest.body_temperature_measured_at,
    ],
    [
      'Skin temperature',
      withUnit(latest.skin_temperature_celsius, '°C'),
      'skin_temperature',
      latest.skin_temperature_measured_at,
    ],
    [
      'Blood pressure',
      pressure ? `${pressure.avg_systolic_mmhg} / ${pressure.avg_diastolic_mmhg} mmHg` : '–',
      'blood_pressure',
      latest.blood_pressure_measured_at,
    ],
  ];
  return (
    <Facts
      facts={facts.map(([name, value, group, measuredAt]) => {
        const shown = (
          <>
            {value} {measuredAt && <Instant at={measuredAt} />}
          </>
        );
        if (group === undefined) return [name, shown];
        return [
          name,
          <Figure key={name} row={body} group={group}>
            {shown}
          </Figure>,
        ];
      })}
    />
  );
}

function withUnit(value: number | null, unit: string): string {
  return value === null ? '–' : `${value.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${unit}`;
}
