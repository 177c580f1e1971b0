import type { Attribution } from '@healthd/schemas';

/** Texts that vendors demand beside their data; nothing if none demands one. */
export function AttributionLine({ of: attribution }: { of: Attribution | undefined }) {
  if (!attribution || attribution.length === 0) return null;
  const texts = new Set(attribution.map(({ text }) => text));
  return <p className="message muted">Attribution: {[...texts].join(' · ')}</p>;
}
