import type { ProviderId } from '@healthd/model';
import type { DayOfLife } from './days.js';

/** Report of one day by one device, or by a vendor without devices. */
export interface ReportedDay {
  provider: ProviderId;
  device: 'watch' | 'phone' | 'ring' | 'unknown';
  day: DayOfLife;
  steps?: Amount;
  /** m */
  distance?: Amount;
  /** kcal */
  energy?: Amount;
  /** kcal */
  basal?: Amount;
  /** Daily total in minutes. */
  activeMinutes?: number;
  /** Daily total. */
  floors?: number;
  heart?: Reading[];
}

/** Daily total, pieces of the day, or both. */
interface Amount {
  total?: number;
  pieces?: Piece[];
}

/** Start (UTC), duration in minutes, and amount. */
type Piece = readonly [clock: string, minutes: number, value: number];
/** Time (UTC), and beats per minute. */
type Reading = readonly [clock: string, bpm: number];

/**
 * Days as the providers report them. All amounts are made up. No two sources have the same amount of a metric, so that
 * a figure reveals its source.
 */
export const REPORTED_DAYS: readonly ReportedDay[] = [
  {
    provider: 'garmin',
    device: 'watch',
    day: 1,
    // Daily total, and incomplete quarter hours.
    steps: {
      total: 10_400,
      pieces: [
        ['08:00', 15, 900],
        ['17:00', 15, 2_400],
      ],
    },
    distance: {
      total: 8_200.5,
      pieces: [
        ['08:00', 15, 610],
        ['17:00', 15, 2_300],
      ],
    },
    energy: {
      total: 620,
      pieces: [
        ['08:00', 15, 41],
        ['17:00', 15, 180],
      ],
    },
    basal: { total: 1_710 },
    activeMinutes: 92,
    floors: 9,
    heart: [
      ['02:00', 50],
      ['03:00', 54],
      ['08:00', 88],
      ['17:10', 151],
    ],
  },
  {
    provider: 'apple',
    device: 'watch',
    day: 1,
    steps: {
      pieces: [
        ['08:00', 20, 2_100],
        ['17:00', 30, 4_300],
      ],
    },
    distance: {
      pieces: [
        ['08:00', 20, 1_500],
        ['17:00', 30, 4_900],
      ],
    },
    energy: {
      pieces: [
        ['08:00', 20, 70],
        ['17:00', 30, 310],
      ],
    },
    basal: {
      pieces: [
        ['00:00', 720, 800],
        ['12:00', 600, 700],
      ],
    },
    heart: [
      ['02:10', 48],
      ['17:05', 149],
    ],
  },
  {
    provider: 'apple',
    device: 'phone',
    day: 1,
    steps: {
      pieces: [
        ['08:05', 20, 2_000],
        ['12:00', 40, 3_000],
      ],
    },
  },
  {
    provider: 'oura',
    device: 'ring',
    day: 1,
    steps: { total: 9_800 },
    distance: { total: 7_900 },
    energy: { total: 570 },
    basal: { total: 1_690 },
    activeMinutes: 101,
    heart: [
      ['02:20', 47],
      ['15:00', 72],
    ],
  },
  {
    provider: 'google',
    device: 'unknown',
    day: 1,
    steps: {
      pieces: [
        ['08:00', 30, 3_900],
        ['17:00', 30, 5_000],
      ],
    },
  },
  {
    provider: 'samsung',
    device: 'watch',
    day: 1,
    steps: {
      pieces: [
        ['08:00', 30, 2_950],
        ['17:00', 30, 3_050],
      ],
    },
  },
  // The vendor reports hours and their sum.
  {
    provider: 'ultrahuman',
    device: 'ring',
    day: 1,
    steps: {
      total: 9_100,
      pieces: [
        ['08:00', 60, 4_000],
        ['17:00', 60, 5_100],
      ],
    },
    activeMinutes: 88,
  },

  {
    provider: 'polar',
    device: 'watch',
    day: 1,
    steps: { total: 9_510 },
    distance: { total: 7_705 },
    energy: { total: 545 },
    basal: { total: 1_665 },
    activeMinutes: 95,
  },

  // Garmin's watch was not worn.
  {
    provider: 'apple',
    device: 'watch',
    day: 2,
    steps: {
      pieces: [
        ['07:00', 20, 2_000],
        ['12:00', 15, 1_500],
        ['15:00', 60, 700],
      ],
    },
    distance: {
      pieces: [
        ['07:00', 20, 1_400],
        ['12:00', 15, 1_100],
      ],
    },
    energy: {
      pieces: [
        ['07:00', 20, 300],
        ['12:00', 15, 180],
      ],
    },
    basal: {
      pieces: [
        ['00:00', 720, 790],
        ['12:00', 600, 690],
      ],
    },
    heart: [
      ['02:00', 52],
      ['02:30', 56],
      ['07:10', 121],
    ],
  },
  { provider: 'apple', device: 'phone', day: 2, steps: { pieces: [['07:00', 60, 6_600]] } },
  {
    provider: 'oura',
    device: 'ring',
    day: 2,
    steps: { total: 8_800 },
    energy: { total: 505 },
    basal: { total: 1_685 },
  },
  { provider: 'samsung', device: 'watch', day: 2, steps: { pieces: [['07:00', 30, 4_444]] } },
  {
    provider: 'ultrahuman',
    device: 'ring',
    day: 2,
    steps: { total: 7_700, pieces: [['07:00', 60, 7_700]] },
    activeMinutes: 64,
  },

  { provider: 'suunto', device: 'watch', day: 2, steps: { total: 5_150 }, energy: { total: 380 } },

  // Apple's phone and watch and Garmin's watch stayed in flight mode.
  {
    provider: 'oura',
    device: 'ring',
    day: 3,
    steps: { total: 6_100 },
    distance: { total: 5_200 },
    energy: { total: 430 },
    basal: { total: 1_720 },
    activeMinutes: 85,
    heart: [
      ['05:30', 51],
      ['06:10', 55],
      ['18:00', 80],
    ],
  },
  { provider: 'google', device: 'unknown', day: 3, steps: { pieces: [['18:00', 30, 3_100]] }, heart: [['18:05', 97]] },
  { provider: 'samsung', device: 'watch', day: 3, steps: { pieces: [['18:00', 30, 2_500]] } },
  {
    provider: 'ultrahuman',
    device: 'ring',
    day: 3,
    steps: { total: 5_900, pieces: [['18:00', 60, 5_900]] },
    activeMinutes: 47,
  },

  { provider: 'suunto', device: 'watch', day: 3, steps: { total: 4_020 }, energy: { total: 300 } },

  // Without steps, Garmin's energy and floors cannot win activity.
  { provider: 'garmin', device: 'watch', day: 4, energy: { total: 410 }, basal: { total: 1_650 }, floors: 12 },
  {
    provider: 'google',
    device: 'unknown',
    day: 4,
    steps: {
      pieces: [
        ['13:00', 10, 1_200],
        ['19:00', 30, 2_300],
      ],
    },
    distance: {
      pieces: [
        ['13:00', 10, 900],
        ['19:00', 30, 1_700],
      ],
    },
    energy: {
      pieces: [
        ['13:00', 10, 66],
        ['19:00', 30, 140],
      ],
    },
    basal: {
      pieces: [
        ['13:00', 60, 71],
        ['19:00', 60, 74],
      ],
    },
    heart: [
      ['13:05', 104],
      ['19:10', 118],
    ],
  },
  { provider: 'samsung', device: 'watch', day: 4, steps: { pieces: [['13:00', 30, 9_000]] } },
  {
    provider: 'ultrahuman',
    device: 'ring',
    day: 4,
    steps: { total: 5_000, pieces: [['13:00', 60, 5_000]] },
    activeMinutes: 33,
  },
  {
    provider: 'polar',
    device: 'watch',
    day: 4,
    steps: { total: 8_080 },
    distance: { total: 6_550 },
    energy: { total: 395 },
    basal: { total: 1_601 },
    activeMinutes: 71,
  },
];

/** One vendor's report of one sleep: its stages in order, with their minutes. */
export interface ReportedSleep {
  provider: ProviderId;
  day: DayOfLife;
  /** Time in UTC. Evening times are on the previous day. */
  from: string;
  stages: readonly (readonly ['light' | 'deep' | 'rem' | 'awake', number])[];
  nap?: true;
  /** Time zone of the timestamps, if not the user's on the wake date. */
  offsetMinutes?: number;
}

const night = (light: number, deep: number, rem: number, awake: number): ReportedSleep['stages'] => [
  ['light', light - 30],
  ['deep', deep],
  ['rem', rem],
  ['awake', awake],
  ['light', 30],
];

/** Sleeps that the providers report. Strava reports no sleep. */
export const REPORTED_SLEEPS: readonly ReportedSleep[] = [
  { provider: 'garmin', day: 1, from: '22:10', stages: night(210, 90, 90, 30) },
  { provider: 'apple', day: 1, from: '22:20', stages: night(235, 90, 70, 10) },
  { provider: 'oura', day: 1, from: '22:05', stages: night(205, 95, 85, 45) },
  { provider: 'whoop', day: 1, from: '22:15', stages: night(208, 92, 88, 24) },
  { provider: 'google', day: 1, from: '22:12', stages: night(212, 80, 94, 28) },
  { provider: 'samsung', day: 1, from: '22:30', stages: night(190, 70, 80, 20) },
  { provider: 'ultrahuman', day: 1, from: '22:00', stages: night(220, 75, 75, 50) },
  { provider: 'polar', day: 1, from: '22:08', stages: night(207, 93, 86, 31) },

  { provider: 'apple', day: 2, from: '23:00', stages: night(180, 80, 70, 20) },
  // The afternoon nap, recorded by the watch and the strap.
  { provider: 'apple', day: 2, from: '12:30', stages: [['light', 30]], nap: true },
  { provider: 'oura', day: 2, from: '22:50', stages: night(185, 70, 75, 40) },
  { provider: 'whoop', day: 2, from: '23:05', stages: night(175, 85, 72, 18) },
  {
    provider: 'whoop',
    day: 2,
    from: '12:25',
    stages: [
      ['light', 35],
      ['awake', 5],
    ],
    nap: true,
  },
  { provider: 'samsung', day: 2, from: '23:10', stages: night(160, 60, 66, 14) },
  { provider: 'suunto', day: 2, from: '22:55', stages: night(183, 75, 73, 22) },

  // Night over the ocean. The strap stopped before midnight in the local time of arrival, so its sleep belongs to the
  // previous day.
  { provider: 'oura', day: 3, from: '00:40', stages: night(200, 60, 70, 50) },
  { provider: 'whoop', day: 3, from: '00:45', stages: night(120, 40, 30, 10) },
  { provider: 'google', day: 3, from: '00:50', stages: night(195, 66, 64, 45) },
  { provider: 'samsung', day: 3, from: '00:55', stages: night(180, 50, 60, 30), offsetMinutes: 60 },

  // Oura's ring was only worn in the afternoon.
  { provider: 'oura', day: 4, from: '18:00', stages: [['light', 40]], nap: true },
  { provider: 'google', day: 4, from: '04:00', stages: night(210, 85, 75, 30) },
  { provider: 'samsung', day: 4, from: '04:10', stages: night(200, 70, 70, 20) },
  { provider: 'ultrahuman', day: 4, from: '03:50', stages: night(214, 78, 82, 36) },
  { provider: 'suunto', day: 4, from: '04:05', stages: night(205, 82, 78, 25) },
];

/** A run that many providers report, and a swim that only Strava reports. Seconds and meters. */
export const REPORTED_RUN = {
  garmin: { start: '17:00:00', seconds: 1_805, meters: 5_010, kcal: 341, ascent: 42, bpm: 148 },
  strava: { start: '17:00:04', seconds: 1_790, meters: 4_990, kcal: 360, ascent: 45, bpm: 147 },
  apple: { start: '17:00:30', seconds: 1_770, meters: 4_950, kcal: 330, ascent: 40, bpm: 146 },
  google: { start: '17:01:00', seconds: 1_800, meters: 5_000, kcal: 352, ascent: 44, bpm: 145 },
  whoop: { start: '17:00:20', seconds: 1_750, meters: 4_900, kcal: 355, ascent: 41, bpm: 150 },
  polar: { start: '17:00:10', seconds: 1_795, meters: 4_980, kcal: 349, ascent: undefined, bpm: 144 },
  suunto: { start: '17:00:15', seconds: 1_785, meters: 4_970, kcal: 345, ascent: 43, bpm: 149 },
  oura: { start: '16:58:00', seconds: 1_920, meters: 5_100, kcal: 300, ascent: undefined, bpm: undefined },
} as const;
export const REPORTED_SWIM = { day: 3, start: '20:00:00', seconds: 1_500, meters: 1_000 } as const;
