import { dayNumber, fromDayNumber } from '@healthd/model';
import type pg from 'pg';
import { type RankedSource, type RuleSource, ruleSource } from '../../facts/sources/rule-source.js';

/**
 * Distance in local days over which a sample can affect a day's total. Intervals span up to a day, competing intervals
 * span another day, and their offsets may differ by 26 hours.
 */
export const MERGE_REACH_DAYS = 4;

/** A source of one provider account that competes on one day. */
export interface MergeSource {
  sourceId: number;
  source: RuleSource;
  /** The source's own total of the series on that day. */
  lead: number;
}

export interface MergeQuery {
  provider: string;
  /** Null for pushes, files and unknown accounts. */
  account: string | null;
  typeIds: readonly number[];
  /** Inclusive days since 1970-01-01. */
  firstDay: number;
  lastDay: number;
  /** Orders sources of the account; lower wins. */
  compare: (a: MergeSource, b: MergeSource) => number;
  /** If set, only this source counts, and each sample counts on the day on which it starts. */
  onlySourceId?: number;
}

/** One source's data of one series on one day. */
export interface DayFacts extends MergeSource {
  typeId: number;
  day: number;
  /** Number of daily totals. If it is above zero, `lead` is the sum of the totals. */
  totalCount: number;
}

/** Loads the account's sources on the days of the query and on the days that affect them. */
export async function readFacts(client: pg.ClientBase, userKey: number, query: MergeQuery): Promise<DayFacts[]> {
  const { rows } = await client.query<Omit<DayFacts, 'day' | 'source'> & RankedSource & { date: string }>({
    name: 'records-merge-facts',
    text: `select d.type_id as "typeId", d.local_date as date, d.source_id as "sourceId",
                  d.total_count as "totalCount",
                  coalesce(case when d.total_count > 0 then d.total_sum else d.sample_sum end, 0) as lead,
                  s.provider, s.account, s.from_cloud, s.device_type, s.device_model, s.writer as own_writer, s.device_id
             from day_value d join data_source s on s.user_key = $1 and s.source_id = d.source_id
            where d.user_key = $1 and d.type_id = any ($2::int2[]) and d.local_date between $3::date and $4::date
              and s.provider = $5 and s.account is not distinct from $7 and d.sample_count + d.total_count > 0
              and ($6::int4 is null or d.source_id = $6)`,
    values: [
      userKey,
      query.typeIds,
      fromDayNumber(query.firstDay - MERGE_REACH_DAYS),
      fromDayNumber(query.lastDay + MERGE_REACH_DAYS),
      query.provider,
      query.onlySourceId ?? null,
      query.account,
    ],
  });
  return rows.map((row) => ({ ...row, source: ruleSource(row), day: dayNumber(row.date) as number }));
}

/** The account's sources of one series, by day. */
export class SourceDays {
  readonly sourceIds: number[];
  private readonly days = new Map<number, Map<number, DayFacts>>();
  private readonly sources = new Map<number, MergeSource>();

  constructor(facts: readonly DayFacts[]) {
    for (const fact of facts) {
      const day = this.days.get(fact.day);
      if (day) day.set(fact.sourceId, fact);
      else this.days.set(fact.day, new Map([[fact.sourceId, fact]]));
      this.sources.set(fact.sourceId, fact);
    }
    this.sourceIds = [...this.sources.keys()];
  }

  has(day: number): boolean {
    return this.days.has(day);
  }

  of(day: number): DayFacts[] {
    return [...(this.days.get(day)?.values() ?? [])];
  }

  /**
   * Returns the source's rank on a day. A source whose only data of a day is the end of an interval competes with its
   * data of the day before.
   */
  rank(day: number, sourceId: number): MergeSource {
    return this.days.get(day)?.get(sourceId) ?? this.days.get(day - 1)?.get(sourceId) ?? this.source(sourceId);
  }

  /** Returns a source of the account with its data. */
  source(sourceId: number): MergeSource {
    return this.sources.get(sourceId) as MergeSource;
  }
}
