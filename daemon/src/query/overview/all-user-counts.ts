import { MS_PER_SECOND } from '@healthd/model';
import type pg from 'pg';
import { inTransaction } from '../../platform/database/index.js';
import { Failure } from '../../platform/failures.js';

const LONGEST_SECONDS = 30;
/** SQLSTATE query_canceled */
const CANCELED = '57014';

/**
 * Counts over all users. A process runs one count at a time. Callers of the same count share it. A caller waits at most
 * half a minute, including the queue.
 */
export class AllUserCounts {
  private readonly underWay = new Map<string, Promise<unknown>>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly pool: pg.Pool,
    private readonly longestSeconds = LONGEST_SECONDS,
  ) {}

  /** Returns the first row of a statement. @throws Failure `unavailable` */
  row<R extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<R | undefined> {
    return this.shared(JSON.stringify([text, values]), (_pool, deadline) => this.count<R>(text, values, deadline));
  }

  /**
   * Returns the result of `work`. Concurrent callers with the same key share it.
   * @param work must end by the deadline, in milliseconds of `performance.now()`
   * @throws Failure `unavailable`
   */
  shared<Result>(key: string, work: (pool: pg.Pool, deadline: number) => Promise<Result>): Promise<Result> {
    const known = this.underWay.get(key);
    if (known) return known as Promise<Result>;
    const deadline = performance.now() + this.longestSeconds * MS_PER_SECOND;
    const result = this.last
      .then(() => {
        if (performance.now() >= deadline) throw this.tooSlow();
        return work(this.pool, deadline);
      })
      .finally(() => this.underWay.delete(key));
    this.underWay.set(key, result);
    this.last = result.catch(() => undefined);
    return result;
  }

  private async count<R extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[],
    deadline: number,
  ): Promise<R | undefined> {
    const left = Math.max(1, Math.floor(deadline - performance.now()));
    try {
      return await inTransaction(this.pool, async (client) => {
        await client.query(`set local statement_timeout = ${left}`);
        return (await client.query<R>(text, [...values])).rows[0];
      });
    } catch (error) {
      throw (error as { code?: unknown }).code === CANCELED ? this.tooSlow(error) : error;
    }
  }

  private tooSlow(cause?: unknown): Failure {
    const message = `Counting all users took more than ${this.longestSeconds} s. Request less data, or try again later.`;
    return new Failure('unavailable', message, { cause });
  }
}
