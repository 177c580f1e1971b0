import type pg from 'pg';

/** Samples with one value, or all samples of one user. */
export type RejectedSamples = { value: number } | { userKey: number };

/** Makes the database reject these samples with a custom SQLSTATE. */
export async function rejectSamples(pool: pg.Pool, state: string, what: RejectedSamples): Promise<void> {
  const condition = 'value' in what ? `new.value = ${what.value}` : `new.user_key = ${what.userKey}`;
  await pool.query(`
    create function refuse_sample() returns trigger language plpgsql as $$ begin
      if ${condition} then raise exception 'refused by the test' using errcode = '${state}'; end if;
      return new;
    end $$;
    create trigger refuse_sample before insert or update on sample for each row execute function refuse_sample();`);
}

export const acceptSamples = (pool: pg.Pool) => pool.query('drop function refuse_sample cascade');

/** Makes the deliveries a week old and due now. */
export const letWeekPass = (pool: pg.Pool) =>
  pool.query(
    `update webhook_delivery set received_at = now() - interval '7 days', next_try_at = now() - make_interval(secs => 1)`,
  );
