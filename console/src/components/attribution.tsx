import type { Attribution } from '@healthd/schemas';

/** Attribution texts that vendors require. Renders nothing without texts. */
export function AttributionLine({ of: attribution }: { of: Attribution | undefined }) {
  if (!attribution || attribution.length === 0) return null;
  const texts = new Set(attribution.map(({ text }) => text));
  return <p className="message muted">Attribution: {[...texts].join(' · ')}</p>;
}
