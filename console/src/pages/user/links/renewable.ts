import type { ConnectLink } from '@healthd/schemas';

/** The part of its time that is left when a link is offered to be renewed. */
const LAST_PART = 0.25;

/** Whether a link has expired, or soon will: in the last quarter of its time. */
export function isRenewable(
  { status, created_at, expires_at }: Pick<ConnectLink, 'status' | 'created_at' | 'expires_at'>,
  nowMs: number,
): boolean {
  if (status !== 'open') return status === 'expired';
  const endMs = Date.parse(expires_at);
  return endMs - nowMs <= (endMs - Date.parse(created_at)) * LAST_PART;
}

/** Whether to offer the renewal of a link where this provider is wanted; undefined: any of them. */
export function isRenewableFor(
  provider: string | undefined,
  link: Pick<ConnectLink, 'status' | 'created_at' | 'expires_at' | 'providers'>,
  nowMs: number,
): boolean {
  return isRenewable(link, nowMs) && (provider === undefined || remainingProviders(link).includes(provider));
}

/** Providers that were not connected with a link yet: those of the link that replaces it. */
export function remainingProviders({ providers }: Pick<ConnectLink, 'providers'>): string[] {
  const remaining = providers.filter(({ outcome }) => outcome === 'open' || outcome === 'failed');
  return remaining.map(({ provider }) => provider);
}
