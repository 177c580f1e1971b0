import type { ConnectLink } from '@healthd/schemas';

/** Remaining share of the lifetime at which the page offers a renewal. */
const LAST_PART = 0.25;

/** True if a link has expired or is in the last quarter of its lifetime. */
export function isRenewable(
  { status, created_at, expires_at }: Pick<ConnectLink, 'status' | 'created_at' | 'expires_at'>,
  nowMs: number,
): boolean {
  if (status !== 'open') return status === 'expired';
  const endMs = Date.parse(expires_at);
  return endMs - nowMs <= (endMs - Date.parse(created_at)) * LAST_PART;
}

/** True if the page offers the link's renewal for a provider; undefined means any provider. */
export function isRenewableFor(
  provider: string | undefined,
  link: Pick<ConnectLink, 'status' | 'created_at' | 'expires_at' | 'providers'>,
  nowMs: number,
): boolean {
  return isRenewable(link, nowMs) && (provider === undefined || remainingProviders(link).includes(provider));
}

/** Returns the providers that the link has not connected yet. The renewed link offers these providers. */
export function remainingProviders({ providers }: Pick<ConnectLink, 'providers'>): string[] {
  const remaining = providers.filter(({ outcome }) => outcome === 'open' || outcome === 'failed');
  return remaining.map(({ provider }) => provider);
}
