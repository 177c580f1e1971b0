import { MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import { Random } from '../random.js';
import { type Line, printed } from './record-lines.js';
import type { DayContext, DayWriter } from './series-records.js';

const QUANTITY = 'HKQuantityTypeIdentifier';
const CATEGORY = 'HKCategoryTypeIdentifier';

/** A value with one or a few readings per day. */
interface DailyValue extends Pick<Line, 'device' | 'unit' | 'metadata' | 'inner'> {
  type: string;
  /** Probability that a day has this value. */
  chance: number;
  times?: number;
  value: (random: Random, context: DayContext) => string;
  /** Earliest time of the value. */
  from?: (context: DayContext) => number;
  spreadHours?: number;
  lengthMs?: number;
}

const wakeUp = ({ plan }: DayContext) => plan.night.endMs;
const asleep = ({ plan }: DayContext) => Math.max(plan.night.startMs, plan.day.startMs) + MS_PER_HOUR / 2;
const weightOn = ({ plan }: DayContext) => 68.4 + 1.8 * Math.cos(plan.day.number / 58);
const beats = Array.from(
  { length: 4 },
  (_, n) => `   <InstantaneousBeatsPerMinute bpm="${58 + n}" time="6:14:${48 + n}.94\u202fAM"/>\n`,
).join('');

const VALUES: readonly DailyValue[] = [
  {
    type: `${QUANTITY}RestingHeartRate`,
    device: 'watch',
    unit: 'count/min',
    chance: 0.99,
    from: wakeUp,
    lengthMs: 8 * MS_PER_HOUR,
    value: (_, { plan }) => String(plan.restingHeartRate),
  },
  {
    type: `${QUANTITY}HeartRateVariabilitySDNN`,
    device: 'watch',
    unit: 'ms',
    chance: 1,
    times: 4,
    spreadHours: 5,
    from: asleep,
    value: (random, { plan }) => printed(random.bell(108 - plan.restingHeartRate, 14), 3),
    inner: `  <HeartRateVariabilityMetadataList>\n${beats}  </HeartRateVariabilityMetadataList>\n`,
  },
  {
    type: `${QUANTITY}OxygenSaturation`,
    device: 'watch',
    unit: '%',
    chance: 1,
    times: 6,
    spreadHours: 5,
    from: asleep,
    value: (random) => printed(random.integer(94, 99) / 100, 2),
    metadata: [['HKMetadataKeyBarometricPressure', '101.2 kPa']],
  },
  {
    type: `${QUANTITY}RespiratoryRate`,
    device: 'watch',
    unit: 'count/min',
    chance: 1,
    times: 8,
    spreadHours: 5,
    from: asleep,
    value: (random) => printed(random.bell(14.4, 1), 1),
  },
  {
    type: `${QUANTITY}AppleSleepingWristTemperature`,
    device: 'watch',
    unit: 'degC',
    chance: 0.95,
    from: asleep,
    lengthMs: 5 * MS_PER_HOUR,
    value: (random) => printed(random.bell(35.4, 0.3), 4),
  },
  {
    type: `${QUANTITY}WalkingHeartRateAverage`,
    device: 'watch',
    unit: 'count/min',
    chance: 0.95,
    from: wakeUp,
    lengthMs: 10 * MS_PER_HOUR,
    value: (random, { plan }) => printed(plan.restingHeartRate + random.bell(42, 4), 1),
  },
  {
    type: `${QUANTITY}VO2Max`,
    device: 'watch',
    unit: 'mL/min·kg',
    chance: 0.22,
    from: ({ plan }) => plan.day.startMs + 18 * MS_PER_HOUR,
    value: (random, { plan }) => printed(random.bell(43.5 - (plan.restingHeartRate - 57) * 0.4, 0.4), 2),
  },
  {
    type: `${QUANTITY}WalkingSpeed`,
    device: 'phone',
    unit: 'km/hr',
    chance: 0.9,
    times: 2,
    spreadHours: 9,
    from: wakeUp,
    lengthMs: MS_PER_MINUTE,
    value: (random) => printed(random.bell(4.9, 0.4), 3),
  },
  {
    type: `${QUANTITY}WalkingStepLength`,
    device: 'phone',
    unit: 'cm',
    chance: 0.9,
    times: 2,
    spreadHours: 9,
    from: wakeUp,
    lengthMs: MS_PER_MINUTE,
    value: (random) => String(random.integer(66, 76)),
  },
  {
    type: `${QUANTITY}WalkingAsymmetryPercentage`,
    device: 'phone',
    unit: '%',
    chance: 0.5,
    from: wakeUp,
    spreadHours: 9,
    lengthMs: MS_PER_MINUTE,
    value: (random) => printed(random.between(0, 0.06), 2),
  },
  {
    type: `${QUANTITY}EnvironmentalAudioExposure`,
    device: 'watch',
    unit: 'dBASPL',
    chance: 1,
    times: 5,
    spreadHours: 12,
    from: wakeUp,
    lengthMs: 1_700_000,
    value: (random) => printed(random.bell(64, 9), 3),
  },
  {
    type: `${QUANTITY}TimeInDaylight`,
    device: 'watch',
    unit: 'min',
    chance: 1,
    times: 3,
    spreadHours: 9,
    from: wakeUp,
    lengthMs: 300_000,
    value: (random) => String(random.integer(1, 5)),
  },
  {
    type: `${QUANTITY}BodyMass`,
    device: 'scale',
    unit: 'kg',
    chance: 0.45,
    from: wakeUp,
    spreadHours: 0.4,
    value: (random, context) => printed(random.bell(weightOn(context), 0.4), 2),
  },
  {
    type: `${QUANTITY}BodyFatPercentage`,
    device: 'scale',
    unit: '%',
    chance: 0.45,
    from: wakeUp,
    spreadHours: 0.4,
    value: (random) => printed(random.bell(0.244, 0.006), 3),
  },
  {
    type: `${QUANTITY}DietaryWater`,
    device: 'waterApp',
    unit: 'mL',
    chance: 0.7,
    times: 3,
    spreadHours: 13,
    from: wakeUp,
    value: (random) => String(random.integer(2, 6) * 100),
  },
  {
    type: `${QUANTITY}DietaryCaffeine`,
    device: 'waterApp',
    unit: 'mg',
    chance: 0.4,
    from: wakeUp,
    spreadHours: 4,
    value: () => '80',
  },
  {
    type: `${CATEGORY}AppleStandHour`,
    device: 'watch',
    chance: 1,
    times: 4,
    spreadHours: 13,
    from: wakeUp,
    lengthMs: MS_PER_HOUR,
    value: () => 'HKCategoryValueAppleStandHourStood',
  },
  {
    type: `${CATEGORY}MindfulSession`,
    device: 'watch',
    chance: 0.2,
    from: wakeUp,
    spreadHours: 12,
    lengthMs: 300_000,
    value: () => 'HKCategoryValueNotApplicable',
  },
];

/** Writers of the daily values, one per type, in file order. */
export const DAILY_WRITERS: readonly DayWriter[] = VALUES.map(
  (daily): DayWriter =>
    (context) => {
      const { seed, plan, lines } = context;
      const random = new Random(seed, plan.day.number, daily.type);
      if (!random.chance(daily.chance)) return;
      const { type, device, unit, metadata, inner, times = 1, lengthMs = 0, spreadHours = 0 } = daily;
      const share = (spreadHours * MS_PER_HOUR) / times;
      for (let n = 0; n < times; n++) {
        const at = (daily.from ?? wakeUp)(context) + share * n + random.between(0, Math.max(1000, share * 0.8));
        const startMs = Math.floor(at / 1000) * 1000;
        if (startMs >= plan.day.endMs) return;
        const value = daily.value(random, context);
        lines.add({ type, device, unit, metadata, inner, value, startMs, endMs: startMs + lengthMs });
      }
    },
);
