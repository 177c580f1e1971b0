// Single-statement SQL to issue refresh tokens, replace them, and detect reuse.

/**
 * Opens a session. Parameters: ID, family, hash, idle days, absolute days, owner, and the password's hash or the
 * issuer. Each statement locks the session's owner during the insert, so that a session cannot outlive a concurrent
 * deletion or password change.
 */
export const ISSUE = {
  developer: issueFrom(
    `'developer', o.id, null::uuid, null`,
    'developer o where o.id = $6 and o.password_hash = coalesce($7, o.password_hash) for share',
  ),
  user: issueFrom(`'sdk', null::uuid, o.id, $7`, 'health_user o where o.id = $6 for key share'),
  application: issueFrom(
    `'sdk', null::uuid, o.id, a.app_id`,
    'health_user o, application a where o.id = $6 and a.app_id = $7 for key share',
  ),
};

function issueFrom(columns: string, owner: string): string {
  return `
insert into refresh_token
  (id, family_id, token_hash, idle_expires_at, absolute_expires_at, kind, developer_id, user_id, app_id)
select $1, $2, $3, now() + make_interval(days => $4), now() + make_interval(days => $5), ${columns}
from ${owner}`;
}

/**
 * Replaces a token. Parameters: hash, ID and hash of the successor, idle days. A single statement, so that exactly one
 * of several concurrent calls replaces the token, and a crash leaves either the old or the new token. Rejects every
 * token of a family with one revoked token, because a successor that is created during the revocation is not marked as
 * revoked.
 */
export const ROTATE = `
with replaced as (
  update refresh_token set rotated_at = now()
  where token_hash = $1 and rotated_at is null and revoked_at is null
    and idle_expires_at > now() and absolute_expires_at > now()
    and not exists (
      select 1 from refresh_token f where f.family_id = refresh_token.family_id and f.revoked_at is not null)
    and (user_id is null or exists (select 1 from health_user u where u.id = user_id))
  returning family_id, kind, developer_id, user_id, app_id, absolute_expires_at
), successor as (
  insert into refresh_token
    (id, family_id, token_hash, kind, developer_id, user_id, app_id, idle_expires_at, absolute_expires_at)
  select $2, family_id, $3, kind, developer_id, user_id, app_id,
    least(now() + make_interval(days => $4), absolute_expires_at), absolute_expires_at
  from replaced
)
select family_id, kind, developer_id, user_id, app_id from replaced`;

/**
 * Finds the session of a replaced token whose successor may not have reached the client. Parameters: hash, hash of the
 * successor, grace period in seconds. Excludes sessions whose successor was already used.
 */
export const LOST_ANSWER = `
select old.family_id, old.kind, old.developer_id, old.user_id, old.app_id
from refresh_token old join refresh_token successor on successor.token_hash = $2
where old.token_hash = $1 and successor.rotated_at is null
  and not exists (select 1 from refresh_token f where f.family_id = old.family_id and f.revoked_at is not null)
  and old.rotated_at > now() - make_interval(secs => $3)`;

/** Ends the session of a token that was replaced before. */
export const REVOKE_FAMILY_OF_REUSED = `
update refresh_token set revoked_at = now()
where revoked_at is null and family_id = (
  select family_id from refresh_token where token_hash = $1 and rotated_at is not null)`;
