import type { BodySummary } from '@healthd/schemas';
import { Fragment } from 'react';
import { Link } from 'react-router';
import { Facts } from '../../../components/facts.js';
import { Instant } from '../../../components/instant.js';
import { Loading } from '../../../components/loading.js';
import { Problem } from '../../../components/problem.js';
import { sourceName } from '../../../format.js';
import { useBody } from '../../../hooks/use-health.js';

/** The body as it is now, regardless of the period. */
export function BodyCard({ userId }: { userId: string }) {
  const body = useBody(userId);
  if (body.error) return <Problem error={body.error} retry={body.refetch} />;
  if (body.isPending) return <Loading />;
  return (
    <section className="card" aria-label="Body">
      <header>
        <h2>Body now</h2>
        {body.data && (
          <span className="muted">
            {sourceName(body.data.source)} · <Link to="body">where each figure comes from</Link>
          </span>
        )}
      </header>
      {body.data ? <BodyFacts body={body.data} /> : <div className="empty">Nothing is known of the body yet.</div>}
    </section>
  );
}

function BodyFacts({ body: { slow_changing: slow, averaged, latest } }: { body: BodySummary }) {
  const pressure = latest.blood_pressure;
  const facts: [name: string, value: string, measuredAt?: string | null][] = [
    ['Weight', withUnit(slow.weight_kg, 'kg')],
    ['Height', withUnit(slow.height_cm, 'cm')],
    ['Body fat', withUnit(slow.body_fat_percent, '%')],
    ['Lean mass', withUnit(slow.muscle_mass_kg, 'kg')],
    ['BMI', withUnit(slow.bmi, 'kg/m²')],
    ['Age', withUnit(slow.age, 'years')],
    [`Resting heart rate, ${averaged.period_days} days`, withUnit(averaged.resting_heart_rate_bpm, 'bpm')],
    [`HRV (SDNN), ${averaged.period_days} days`, withUnit(averaged.avg_hrv_sdnn_ms, 'ms')],
    [`HRV (RMSSD), ${averaged.period_days} days`, withUnit(averaged.avg_hrv_rmssd_ms, 'ms')],
    ['Body temperature', withUnit(latest.body_temperature_celsius, '°C'), latest.body_temperature_measured_at],
    ['Skin temperature', withUnit(latest.skin_temperature_celsius, '°C'), latest.skin_temperature_measured_at],
    [
      'Blood pressure',
      pressure ? `${pressure.avg_systolic_mmhg} / ${pressure.avg_diastolic_mmhg} mmHg` : '–',
      latest.blood_pressure_measured_at,
    ],
  ];
  return (
    <Facts
      facts={facts.map(([name, value, measuredAt]) => [
        name,
        <Fragment key={name}>
          {value} {measuredAt && <Instant at={measuredAt} />}
        </Fragment>,
      ])}
    />
  );
}

function withUnit(value: number | null, unit: string): string {
  return value === null ? '–' : `${value.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${unit}`;
}
