import type { ConnectLanguage } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { ConnectLink } from '@healthd/schemas';

/** Outcome of one provider of a link. */
interface LinkUse {
  provider: ProviderId;
  state: 'claimed' | 'connected' | 'partial' | 'failed';
  error: string | null;
  missing_data_types: string[];
  at: string;
}

/** A link with the outcomes of its providers. */
export interface LinkRow {
  id: string;
  user_id: string;
  user_key: number;
  providers: ProviderId[];
  language: ConnectLanguage | null;
  redirect_uri: string | null;
  opener_origin: string | null;
  created_at: Date;
  expires_at: Date;
  is_expired: boolean;
  revoked_at: Date | null;
  uses: LinkUse[];
}

export const LINK_COLUMNS = `
l.id, u.id as user_id, l.user_key, l.providers, l.language, l.redirect_uri, l.opener_origin, l.created_at, l.expires_at,
l.expires_at <= now() as is_expired, l.revoked_at,
coalesce((select json_agg(json_build_object('provider', x.provider, 'state', x.state, 'error', x.error,
    'missing_data_types', x.missing_data_types, 'at', x.at)) from connect_link_use x where x.link_id = l.id), '[]') as uses`;

/** True if a provider was connected with the link, which is possible only once. */
export function isUsed({ uses }: LinkRow, provider: ProviderId): boolean {
  return uses.some((use) => use.provider === provider && (use.state === 'connected' || use.state === 'partial'));
}

/** Returns the link's providers that were not connected with it. */
export function unusedProviders(link: LinkRow): ProviderId[] {
  return link.providers.filter((provider) => !isUsed(link, provider));
}

export function statusOf(link: LinkRow): ConnectLink['status'] {
  if (link.revoked_at) return 'revoked';
  if (unusedProviders(link).length === 0) return 'used';
  return link.is_expired ? 'expired' : 'open';
}

/** Converts a link to its API form, without its secret. */
export function linkResponse(link: LinkRow): ConnectLink {
  return {
    id: link.id,
    user_id: link.user_id,
    status: statusOf(link),
    providers: link.providers.map((provider) => {
      const use = link.uses.find((one) => one.provider === provider && one.state !== 'claimed');
      return {
        provider,
        outcome: use === undefined || use.state === 'claimed' ? 'open' : use.state,
        error: use?.error ?? null,
        missing_data_types: use?.missing_data_types ?? [],
        at: use ? new Date(use.at).toISOString() : null,
      };
    }),
    redirect_uri: link.redirect_uri,
    opener_origin: link.opener_origin,
    language: link.language,
    created_at: link.created_at.toISOString(),
    expires_at: link.expires_at.toISOString(),
  };
}
