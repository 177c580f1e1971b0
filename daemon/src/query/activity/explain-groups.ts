import type { SeriesCode } from '@healthd/model';
import type { GroupExplanation } from '@healthd/schemas';
import type pg from 'pg';
import { type ExplainContext, explainGroup } from '../selection/explain-group.js';
import type { Candidate, Selection } from '../selection/select-source.js';
import type { SourceRow } from '../sources.js';
import { type Withheld, withheldActivity } from '../withheld.js';
import { GROUPS, type GroupedDay } from './day-groups.js';
import { daySum } from './day-sums.js';
import type { DayValues } from './day-values.js';
import { summariseDays } from './summarise-days.js';

type GroupName = 'movement' | 'energy' | 'heart_rate' | 'elevation';
type ActivityCandidate = Candidate & { row: SourceRow };

/** The figures of each group by path in the summary's row; the first is the lead figure. */
const FIGURES = {
  movement: ['steps', 'distance_meters', 'floors_climbed', 'active_minutes', 'sedentary_minutes'],
  energy: ['active_calories_kcal', 'total_calories_kcal'],
  heart_rate: [
    'heart_rate.avg_bpm',
    'heart_rate.max_bpm',
    'heart_rate.min_bpm',
    'intensity_minutes.light',
    'intensity_minutes.moderate',
    'intensity_minutes.vigorous',
  ],
  elevation: ['elevation_meters'],
} as const satisfies Record<GroupName, readonly string[]>;
const PUSHES: SeriesCode = 'push_count';
const NAMES = ['movement', 'energy', 'heart_rate', 'elevation'] as const;
const UNITS: Record<GroupName, string> = { movement: 'count', energy: 'kcal', heart_rate: 'bpm', elevation: 'meters' };

interface ExplainedDay {
  pool: pg.Pool;
  userKey: number;
  day: GroupedDay;
  /** The same day with merged sources, if the explanation is to show what merging would change. */
  merged: GroupedDay | undefined;
  values: DayValues;
  /** Providers whose figures the summary does not show. */
  withheld: Withheld;
  context: ExplainContext;
}

/** Explains the groups of one day, each candidate with the row that the day would have if it had won. */
export async function explainedGroups({
  pool,
  userKey,
  day,
  merged,
  values,
  withheld,
  context,
}: ExplainedDay): Promise<GroupExplanation[]> {
  const contests = NAMES.flatMap((name) => {
    const selection = day[name] as Selection<ActivityCandidate>;
    return selection.placed.map(({ candidate }) => ({
      candidate,
      day: { ...day, [name]: { ...selection, winner: candidate } },
    }));
  });
  const compared = [day, merged ?? day, ...contests.map(({ day: changed }) => changed)];
  const [shown, shownIfMerged, ...rows] = (await summariseDays(pool, userKey, compared, values)).map(
    (row) => row && withheldActivity(row, withheld),
  );
  const rowIf = new Map(contests.map(({ candidate }, at) => [candidate, rows[at]]));
  return NAMES.map((name) =>
    explainGroup<ActivityCandidate>(
      {
        group: name,
        leadFigure: leadFigure(day, name),
        unit: UNITS[name],
        selection: day[name],
        figures: FIGURES[name],
        shown: shown ?? {},
        shownIfMerged: shownIfMerged ?? {},
        shownIf: (candidate) => rowIf.get(candidate) ?? {},
        sourceIdOf: ({ row }) => row.source_id,
      },
      context,
    ),
  );
}

/** Pushes of a wheelchair lead the movement of a winner without steps. */
function leadFigure({ movement }: GroupedDay, name: GroupName): string {
  if (name !== 'movement') return FIGURES[name][0];
  const [steps, pushes] = GROUPS.movement.leads.map((typeId) => daySum(movement.winner?.values.get(typeId)) ?? 0);
  return steps === 0 && (pushes ?? 0) > 0 ? PUSHES : FIGURES.movement[0];
}
