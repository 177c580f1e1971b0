import { fromDayNumber, MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
import type {
  BodySummary,
  DateOrInstant,
  GroupExplanation,
  RecoverySummary,
  SummaryExplanation,
} from '@healthd/schemas';
import type pg from 'pg';
import { sqlInstant } from '../bounds.js';
import { mayChange } from '../local-offsets.js';
import { type ExplainContext, explainGroup, figuresOf } from '../selection/explain-group.js';
import { BODY_FIGURES } from '../selection/figure-groups.js';
import type { DatedCandidate } from '../selection/select-newest.js';
import type { Selection } from '../selection/select-source.js';
import { type SummarySource, sourcesOf } from '../sources.js';
import { type Withheld, withheldBody, withheldGroups } from '../withheld.js';
import { type BodyFigures, type BodyParams, bodySummary, type MeasuredGroup, readBodyFigures } from './body.js';
import { offsetAt } from './body.sql.js';

const MEASURED: readonly { group: MeasuredGroup; unit: string }[] = [
  { group: 'weight', unit: 'kg' },
  { group: 'height', unit: 'cm' },
  { group: 'body_fat', unit: 'percent' },
  { group: 'muscle_mass', unit: 'kg' },
  { group: 'skeletal_muscle_mass', unit: 'kg' },
  { group: 'bmi', unit: 'kg_m2' },
  { group: 'body_temperature', unit: 'celsius' },
  { group: 'skin_temperature', unit: 'celsius' },
];
/** `of` is the group in the recovery summary that contains the value. */
const AVERAGED = [
  { group: 'resting_heart_rate', of: 'resting_heart_rate', figure: 'resting_heart_rate_bpm', unit: 'bpm' },
  { group: 'hrv_sdnn', of: 'hrv', figure: 'avg_hrv_sdnn_ms', unit: 'ms' },
  { group: 'hrv_rmssd', of: 'hrv', figure: 'avg_hrv_rmssd_ms', unit: 'ms' },
] as const;

interface ExplainBodyParams extends BodyParams {
  /** A local date, to explain the summary at its end, or an instant. Defaults to `nowMs`. */
  date?: DateOrInstant | undefined;
  /** Providers whose figures the summary must not show. */
  withheld: Withheld;
}

/** Explains the body summary at the end of a local date, or now. */
export async function explainBody(
  source: SummarySource,
  userKey: number,
  { date, ...params }: ExplainBodyParams,
): Promise<SummaryExplanation> {
  const nowMs = date ? Math.min(params.nowMs, await endOf(source.pool, userKey, date)) : params.nowMs;
  const day = fromDayNumber(Math.floor((date?.ms ?? nowMs) / MS_PER_DAY));
  const [figures, sources, isOpen] = await Promise.all([
    readBodyFigures(source, userKey, { ...params, nowMs, of: 'sources' }),
    sourcesOf(source.pool, userKey),
    date ? mayChange(source.pool, userKey, day) : true,
  ]);
  const row = shownRow(figures);
  const named = { date: day, may_change: isOpen };
  if (!row) return { ...named, groups: [] };
  const context = { sources, priorities: figures.priorities };
  const { measured, pressure } = figures;
  const groups = [
    ...MEASURED.map((one) =>
      explainedMeasurement(one, measured[one.group], {
        shown: row,
        shownIf: (winner) =>
          shownRow({ ...figures, measured: { ...measured, [one.group]: { ...measured[one.group], winner } } }),
        context,
      }),
    ),
    explainedMeasurement({ group: 'blood_pressure', unit: 'mmHg' }, pressure, {
      shown: row,
      shownIf: (winner) => shownRow({ ...figures, pressure: { ...pressure, winner } }),
      context,
    }),
    ...AVERAGED.map((group) => explainedAverage(figures.recovery, group, row)),
  ];
  return withheldGroups({ ...named, groups }, params.withheld);
}

/** Returns the row as the summary shows it. */
function shownRow(figures: BodyFigures): BodySummary | null {
  const row = bodySummary(figures);
  return row && withheldBody(row, figures.params.withheld);
}

/** Returns the last millisecond of a local date. Midnight belongs to the next date. */
async function endOf(pool: pg.Pool, userKey: number, { ms, dateOnly }: DateOrInstant): Promise<number> {
  if (!dateOnly) return ms;
  const { rows } = await pool.query<{ offset_minutes: number }>(offsetAt([userKey, sqlInstant(ms + MS_PER_DAY)]));
  return ms + MS_PER_DAY - (rows[0]?.offset_minutes ?? 0) * MS_PER_MINUTE - 1;
}

function explainedMeasurement<C extends DatedCandidate>(
  { group, unit }: { group: MeasuredGroup | 'blood_pressure'; unit: string },
  selection: Selection<C>,
  { shown, shownIf, context }: { shown: object; shownIf: (winner: C) => object | null; context: ExplainContext },
): GroupExplanation {
  const figures = BODY_FIGURES[group];
  const explained = explainGroup<C>(
    {
      group,
      unit,
      selection,
      figures,
      shown,
      shownIf: (winner) => shownIf(winner) ?? {},
      measuredAt: ({ at }) => at,
    },
    context,
  );
  // Hides the value of a hidden figure. A computed BMI reveals the height, which may be withheld although the weight is
  // not.
  const candidates = explained.candidates.map((one) =>
    one.figures[figures[0]] === null ? { ...one, value: null } : one,
  );
  return { ...explained, candidates };
}

/** Explains an average. It has no winner, because each date has the winner that the recovery summary shows. */
function explainedAverage(
  recovery: readonly RecoverySummary[],
  { group, of, figure, unit }: (typeof AVERAGED)[number],
  shown: BodySummary,
): GroupExplanation {
  const [path] = BODY_FIGURES[group];
  return {
    group,
    lead_figure: path,
    unit,
    winner: null,
    source: shown.sources[group],
    figures: figuresOf(shown, [path]),
    candidates: [],
    days: recovery.flatMap(({ date, sources, [figure]: value }) =>
      value === null ? [] : [{ date, value, source: sources[of] }],
    ),
  };
}
