import type { Connection } from '../../connections/index.js';
import type { PullServices } from './pull-services.js';

/** Number of usual pauses after which a connection counts as silent. */
const PAUSES = 3;
/** Time range from which the usual pause is determined. */
const REMEMBERED_DAYS = 30;

/** True if a vendor that reports changes has been silent about this account for much longer than usual. */
export async function isWebhookStale(
  { pool, settings, now }: Pick<PullServices, 'pool' | 'settings' | 'now'>,
  { provider, providerUserId, lastNotifiedAt, consentedAt, createdAt }: Connection,
): Promise<boolean> {
  const lastReportAt = lastNotifiedAt ?? consentedAt ?? createdAt;
  const silentSeconds = (now().getTime() - lastReportAt.getTime()) / 1_000;
  if (silentSeconds < settings.webhookSilenceSeconds) return false;
  const { rows } = await pool.query<{ pause: number | null }>(
    `select percentile_cont(0.5) within group (order by extract(epoch from pause))::float8 as pause from (
       select at - lag(at) over (order by at) as pause from (
         select distinct date_trunc('minute', received_at) as at from provider_notification
          where provider = $1 and provider_user_id = $2 and received_at > $3::timestamptz - make_interval(days => $4)
       ) notified
     ) pauses`,
    [provider, providerUserId ?? '', now(), REMEMBERED_DAYS],
  );
  return silentSeconds >= PAUSES * (rows[0]?.pause ?? 0);
}
