import { MERGED_TYPE_IDS } from '@healthd/model';
import type { UpgradePreview } from '@healthd/schemas';
import { groupedBy } from '../../platform/grouped-by.js';
import type { Priorities } from '../../priorities/index.js';
import { type GroupedDay, groupDays } from '../activity/day-groups.js';
import { daySum } from '../activity/day-values.js';
import { accountKey } from '../activity/merged-totals.js';
import type { BodyParams } from '../body/body.js';
import type { NightFigures } from '../nights/night-figures.js';
import { instantText } from '../presentation.js';
import { type Candidate, compareInAccount, type Selection } from '../selection/select-source.js';
import { ruleSources } from '../sources.js';
import type { AllUserCounts } from './all-user-counts.js';
import { type ComparedUser, compareUsers, MAX_USERS, type SelectedFigures } from './compared-users.js';
import {
  olderAverageSource,
  olderDaySource,
  olderMeasuredSource,
  olderMergedOrder,
  olderNightSource,
  olderRecoveryProvider,
} from './order-before-upgrade.js';

type Reason = UpgradePreview['reasons'][number]['reason'];

/**
 * Name of the migration whose row contains the time at which the database was created or upgraded to the version with a
 * single selection rule.
 */
const MIGRATION = '2026-11-28_01_accounts';

/** Selects users with several sources, at least one of which is older than the upgrade. */
const CONCERNED = `
  select s.user_key, count(*) over ()::int4 as concerned, m.applied_at
    from schema_migration m
    join data_source s on true
   where m.name = '${MIGRATION}'
   group by s.user_key, m.applied_at
  having count(*) > 1 and min(s.created_at) < m.applied_at
   order by random()
   limit ${MAX_USERS}`;

const GROUPS = ['movement', 'energy', 'heart_rate'] as const;
const RECOVERY_GROUPS = ['hrv', 'oxygen_saturation', 'resting_heart_rate', 'score'] as const;
const AVERAGED_GROUPS = ['resting_heart_rate', 'hrv'] as const;

/**
 * Counts the days, nights, recoveries and body summaries whose source changed with the upgrade to a single selection
 * rule, by the reason why the earlier source lost. Compares a random sample of users if there are many.
 * @throws Failure `unavailable` if other counts take too long
 */
export function previewUpgrade(
  counts: AllUserCounts,
  priorities: Priorities,
  body: BodyParams,
): Promise<UpgradePreview> {
  return counts.shared(JSON.stringify(['upgrade', priorities.order]), async (pool, deadline) => {
    const { rows: users } = await pool.query<{ user_key: number; concerned: number; applied_at: Date }>(CONCERNED);
    const upgradedAt = users[0]?.applied_at;
    const lastDate = upgradedAt?.toISOString().slice(0, 10) ?? '';
    const [days, nights, recoveries, bodies] = [
      new ChangeCounts(),
      new ChangeCounts(),
      new ChangeCounts(),
      new ChangeCounts(),
    ];
    const merged = { days: 0, changed: 0 };
    const keys = users.map(({ user_key: userKey }) => userKey);
    const compared = await compareUsers(pool, { keys, deadline, body }, async (user) => {
      const known = user.values.rows.filter((row) => row.local_date <= lastDate);
      for (const day of groupDays(known, [], priorities)) {
        days.add([changedGroup(day, priorities)]);
        const isReordered = hasOtherOrder(day, priorities);
        if (isReordered === undefined) continue;
        merged.days++;
        if (isReordered) merged.changed++;
      }
      const selected = await user.select(priorities);
      const free = user.nights.hasKept ? await user.select(priorities, 'free') : selected;
      const nightsOf = (figures: SelectedFigures) => changedNights(user, figures, lastDate, priorities);
      const recoveriesOf = (figures: SelectedFigures) => changedRecoveries(figures, lastDate, priorities);
      nights.addDates(nightsOf(selected), nightsOf(free));
      recoveries.addDates(recoveriesOf(selected), recoveriesOf(free));
      if (selected.body) bodies.add([changedBody(selected, priorities)]);
    });
    const reasons = new Set([days, nights, recoveries, bodies].flatMap((one) => [...one.reasons.keys()]));
    return {
      upgraded_at: upgradedAt ? instantText(upgradedAt) : null,
      users_compared: compared,
      users_concerned: users[0]?.concerned ?? 0,
      days: days.total,
      days_changed: days.changed,
      merged_days: merged.days,
      merged_days_changed: merged.changed,
      nights: nights.total,
      nights_changed: nights.changed,
      nights_archived: nights.archived,
      recoveries: recoveries.total,
      recoveries_changed: recoveries.changed,
      recoveries_archived: recoveries.archived,
      body_summaries: bodies.total,
      body_summaries_changed: bodies.changed,
      reasons: [...reasons]
        .map((reason) => ({
          reason,
          days: days.because(reason),
          nights: nights.because(reason),
          recoveries: recoveries.because(reason),
          body_summaries: bodies.because(reason),
        }))
        .sort((a, b) => sumOf(b) - sumOf(a) || (a.reason < b.reason ? -1 : 1)),
    };
  });
}

function sumOf({ days, nights, recoveries, body_summaries: bodies }: UpgradePreview['reasons'][number]): number {
  return days + nights + recoveries + bodies;
}

/** Reasons by date; undefined if the source is the same. */
type ChangesByDate = ReadonlyMap<string, Reason | undefined>;

/** Numbers of compared and changed rows, with the changed rows by reason. */
class ChangeCounts {
  total = 0;
  changed = 0;
  /** Number of rows that do not change only because archived nights keep their sources. */
  archived = 0;
  readonly reasons = new Map<Reason, number>();

  add(reasons: Iterable<Reason | undefined>): void {
    for (const reason of reasons) {
      this.total++;
      if (reason === undefined) continue;
      this.changed++;
      this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
    }
  }

  because(reason: Reason): number {
    return this.reasons.get(reason) ?? 0;
  }

  /** @param free changes that would result if archived nights did not store their sources */
  addDates(changes: ChangesByDate, free: ChangesByDate): void {
    this.add(changes.values());
    for (const [date, reason] of free) if (reason && !changes.get(date)) this.archived++;
  }
}

/** Returns why the earlier source of the first changed group lost. */
function changedGroup(day: GroupedDay, priorities: Priorities): Reason | undefined {
  for (const group of GROUPS) {
    const before = olderDaySource(day.values, group, priorities);
    const { winner } = day[group];
    if (before === undefined || winner?.row.source_id === before) continue;
    return reasonOf(day[group], ({ row }) => row.source_id === before);
  }
  return undefined;
}

/**
 * True if the merged sources of an account would now be ranked differently; undefined if no account has several
 * sources.
 */
function hasOtherOrder({ values }: GroupedDay, priorities: Priorities): boolean | undefined {
  const mergeable = values.filter((row) => MERGED_TYPE_IDS.includes(row.type_id) && (daySum(row) ?? 0) > 0);
  const several = [...groupedBy(mergeable, (row) => `${row.type_id} ${accountKey(row)}`).values()].filter(
    (rows) => rows.length > 1,
  );
  if (several.length === 0) return undefined;
  const compare = compareInAccount(priorities);
  const ruleOf = ruleSources();
  return several.some((rows) => {
    const ordered = rows.map((row) => ({ source: ruleOf(row), lead: daySum(row), row })).sort(compare);
    return olderMergedOrder(rows, priorities).some((row, at) => row !== ordered[at]?.row);
  });
}

/** Returns the changes of all dates with a night or nap. */
function changedNights(
  { nights }: ComparedUser,
  { dates }: SelectedFigures,
  lastDate: string,
  priorities: Priorities,
): ChangesByDate {
  const days = new Map(dates.map(({ date, day }) => [date, day]));
  const changes = new Map<string, Reason | undefined>();
  for (const [date, own] of groupedBy(nights.sessions, (session) => session.wake_date)) {
    if (date > lastDate) continue;
    const before = olderNightSource(own, nights.sources, priorities);
    const day = days.get(date);
    const isSame = (day?.sleep.winner ?? day?.naps.winner)?.sourceId === before;
    const reason = day ? reasonOf(day.sleep, ({ sourceId }) => sourceId === before) : 'other_date';
    changes.set(date, isSame ? undefined : reason);
  }
  return changes;
}

/** Returns the changes of all dates with recovery, each with the reason of its first changed group. */
function changedRecoveries({ recoveries }: SelectedFigures, lastDate: string, priorities: Priorities): ChangesByDate {
  const dates = recoveries.filter(({ date }) => date <= lastDate);
  return new Map(dates.map((one) => [one.date, changedRecovery(one, priorities)]));
}

function changedRecovery(figures: NightFigures, priorities: Priorities): Reason | undefined {
  const provider = olderRecoveryProvider(figures, priorities);
  const { day, groups } = figures;
  const selections: (Selection<Candidate> | undefined)[] = [day?.sleep, ...RECOVERY_GROUPS.map((name) => groups[name])];
  for (const selection of selections) {
    if (!selection?.winner || selection.winner.source.provider === provider) continue;
    // If the provider from before the upgrade is not a candidate, this provider has no such figure, and the row showed
    // null.
    return reasonOf(selection, ({ source }) => source.provider === provider, 'no_lead_figure');
  }
  return undefined;
}

/**
 * Returns why the source before the upgrade no longer provides an average, or values that were measured at one instant.
 * Undefined if no source changed.
 */
function changedBody({ averaged, body }: SelectedFigures, priorities: Priorities): Reason | undefined {
  for (const group of AVERAGED_GROUPS) {
    const before = olderAverageSource(averaged, group, priorities);
    const changed = averaged.find(({ groups }) => groups[group].winner && groups[group].winner.sourceId !== before);
    if (changed) return reasonOf(changed.groups[group], ({ sourceId }) => sourceId === before, 'no_lead_figure');
  }
  // Skips the BMI, because a computed BMI has the source of the weight.
  const { bmi: _bmi, ...measured } = body?.measured ?? {};
  for (const selection of Object.values(measured)) {
    const before = olderMeasuredSource(selection, priorities);
    if (selection.winner?.row.source_id === before) continue;
    return reasonOf(selection, ({ row }) => row.source_id === before);
  }
  return undefined;
}

/** @param missing reason if the earlier source is not a candidate */
function reasonOf<C extends Candidate>(
  { placed }: Selection<C>,
  isBefore: (candidate: C) => boolean,
  missing: Reason = 'other_date',
): Reason {
  return placed.find(({ candidate }) => isBefore(candidate))?.reason ?? missing;
}
