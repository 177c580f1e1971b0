import type { BodySummary } from '@healthd/schemas';
import { isWithheld } from '../../../components/withheld.js';

/** A figure of a body summary as text. */
export type BodyFigure = [
  name: string,
  value: string,
  /** Undefined for the age, which has no source. */
  group: keyof BodySummary['sources'] | undefined,
  measuredAt?: string | null,
];

/** Returns all figures of a body summary in the order of the page. */
export function bodyFigures(body: BodySummary): BodyFigure[] {
  const { slow_changing: slow, averaged, latest } = body;
  const pressure = latest.blood_pressure;
  return [
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
}

function withUnit(value: number | null, unit: string): string {
  return value === null ? '–' : `${value.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${unit}`;
}
