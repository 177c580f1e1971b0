import type { UpgradePreview } from '@healthd/schemas';
import { groupedBy } from '../../platform/grouped-by.js';
import type { Priorities } from '../../priorities/index.js';
import { groupDays } from '../activity/day-groups.js';
import { type StoredNights, selectNights } from '../nights/night-sessions.js';
import { instantText } from '../presentation.js';
import type { Candidate, Selection } from '../selection/select-source.js';
import type { AllUserCounts } from './all-user-counts.js';
import { olderDaySource, olderNightSource } from './order-before-upgrade.js';
import { compareUsers, MOST_USERS } from './preview-priorities.js';

type Reason = UpgradePreview['reasons'][number]['reason'];

/** Has the time at which the database came to the version that selects sources by one rule, or was made. */
const MIGRATION = '2026-11-28_01_accounts';

/** Users with several sources, one of which is older than the upgrade. */
const CONCERNED = `
  select s.user_key, count(*) over ()::int4 as concerned, m.applied_at
    from schema_migration m
    join data_source s on true
   where m.name = '${MIGRATION}'
   group by s.user_key, m.applied_at
  having count(*) > 1 and min(s.created_at) < m.applied_at
   order by random()
   limit ${MOST_USERS}`;

const GROUPS = ['movement', 'energy', 'heart_rate'] as const;

/**
 * Counts the days and nights until the upgrade to one rule of selection that have another source than before, with the
 * reason that put the earlier source behind. Looks at a random sample of users if many are concerned.
 * @throws Failure `unavailable` if other counts take too long
 */
export function previewUpgrade(counts: AllUserCounts, priorities: Priorities): Promise<UpgradePreview> {
  return counts.shared(JSON.stringify(['upgrade', priorities.order]), async (pool, deadline) => {
    const { rows: users } = await pool.query<{ user_key: number; concerned: number; applied_at: Date }>(CONCERNED);
    const upgradedAt = users[0]?.applied_at;
    const lastDate = upgradedAt?.toISOString().slice(0, 10) ?? '';
    const days = new ChangeCounts();
    const nights = new ChangeCounts();
    const keys = users.map(({ user_key: userKey }) => userKey);
    let archived = 0;
    const compared = await compareUsers(pool, { keys, deadline }, async (user) => {
      const known = user.values.rows.filter((row) => row.local_date <= lastDate);
      for (const day of groupDays(known, [], priorities)) days.add(changedGroup(day, priorities));
      const changes = await changedNights(user.nights, lastDate, priorities);
      for (const change of changes.values()) nights.add(change);
      const byRule = await changedNights({ ...user.nights, keptSource: () => undefined }, lastDate, priorities);
      for (const [date, change] of byRule) if (change && !changes.get(date)) archived++;
    });
    return {
      upgraded_at: upgradedAt ? instantText(upgradedAt) : null,
      users_compared: compared,
      users_concerned: users[0]?.concerned ?? 0,
      days: days.total,
      days_changed: days.changed,
      nights: nights.total,
      nights_changed: nights.changed,
      nights_archived: archived,
      reasons: [...new Set([...days.reasons.keys(), ...nights.reasons.keys()])]
        .map((reason) => ({ reason, days: days.reasons.get(reason) ?? 0, nights: nights.reasons.get(reason) ?? 0 }))
        .sort((a, b) => b.days + b.nights - a.days - a.nights || (a.reason < b.reason ? -1 : 1)),
    };
  });
}

/** How many of some days or nights changed, and why. */
class ChangeCounts {
  total = 0;
  changed = 0;
  readonly reasons = new Map<Reason, number>();

  /** @param reason undefined if the source is the same */
  add(reason: Reason | undefined): void {
    this.total++;
    if (reason === undefined) return;
    this.changed++;
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
  }
}

/** Why the earlier source of the first group that changed does not win any more. */
function changedGroup(day: ReturnType<typeof groupDays>[number], priorities: Priorities): Reason | undefined {
  for (const group of GROUPS) {
    const before = olderDaySource(day.values, group, priorities);
    const { winner } = day[group];
    if (before === undefined || winner?.row.source_id === before) continue;
    return reasonOf(day[group], ({ row }) => row.source_id === before);
  }
  return undefined;
}

/** The reason of each date that had a night or nap; undefined if the source is the same. */
async function changedNights(
  nights: StoredNights,
  lastDate: string,
  priorities: Priorities,
): Promise<Map<string, Reason | undefined>> {
  const days = new Map((await selectNights(nights, priorities)).map((day) => [day.date, day]));
  const changes = new Map<string, Reason | undefined>();
  for (const [date, own] of groupedBy(nights.sessions, (session) => session.wake_date)) {
    if (date > lastDate) continue;
    const before = olderNightSource(own, priorities);
    const day = days.get(date);
    const isSame = (day?.sleep.winner ?? day?.naps.winner)?.sourceId === before;
    const reason = day ? reasonOf(day.sleep, ({ sourceId }) => sourceId === before) : 'other_date';
    changes.set(date, isSame ? undefined : reason);
  }
  return changes;
}

function reasonOf<C extends Candidate>({ placed }: Selection<C>, isBefore: (candidate: C) => boolean): Reason {
  return placed.find(({ candidate }) => isBefore(candidate))?.reason ?? 'other_date';
}
