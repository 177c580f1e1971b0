import type { DataSource, SourceKey } from './point-types.js';

/** A source with its rank in reconcile. The lowest rank wins. */
export interface RankedSource {
  key: string;
  rank: number;
  wire: DataSource;
}

/** Named sources, best first. */
const NAMED: readonly [SourceKey, DataSource][] = [
  [
    'watch',
    {
      recordingMethod: 'ACTIVELY_MEASURED',
      platform: 'FITBIT',
      device: { formFactor: 'WATCH', manufacturer: 'Example Corp', displayName: 'Watch Lyra' },
    },
  ],
  ['tracker', { recordingMethod: 'PASSIVELY_MEASURED', platform: 'FITBIT', device: { displayName: 'Tracker Nova' } }],
  ['scale', { recordingMethod: 'ACTIVELY_MEASURED', platform: 'FITBIT', device: { displayName: 'Scale Plume' } }],
  ['manual', { recordingMethod: 'MANUAL', platform: 'FITBIT' }],
  [
    'phone',
    {
      platform: 'HEALTH_CONNECT',
      application: { packageName: 'com.example.pedometer' },
      device: { manufacturer: 'acme', formFactor: 'PHONE' },
    },
  ],
  ['journal', { platform: 'HEALTH_CONNECT', application: { packageName: 'com.example.journal' } }],
];

const BY_KEY = new Map<string, RankedSource>(NAMED.map(([key, wire], rank) => [key, { key, rank, wire }]));

/**
 * @throws for an unknown name
 */
export function rankedSource(source: SourceKey | DataSource = 'tracker'): RankedSource {
  if (typeof source === 'string') {
    const named = BY_KEY.get(source);
    if (!named) throw new Error(`unknown source ${source}; known sources: ${[...BY_KEY.keys()].join(', ')}`);
    return named;
  }
  const key = JSON.stringify(source);
  let ranked = BY_KEY.get(key);
  if (!ranked) {
    ranked = { key, rank: BY_KEY.size, wire: source };
    BY_KEY.set(key, ranked);
  }
  return ranked;
}

const FAMILY = /^users\/[^/]+\/dataSourceFamilies\/(all-sources|google-wearables|google-sources|self-sources)$/;

/**
 * Returns a predicate for the sources of a family; undefined unless the name is the full resource name of a known
 * family.
 */
export function sourceFamily(name: string, clientId: string): ((source: DataSource) => boolean) | undefined {
  switch (FAMILY.exec(name)?.[1]) {
    case 'all-sources':
      return () => true;
    case 'google-wearables':
      return ({ platform, recordingMethod }) => platform === 'FITBIT' && recordingMethod !== 'MANUAL';
    case 'google-sources':
      return ({ platform }) => platform === 'FITBIT' || platform === 'HEALTH_CONNECT';
    case 'self-sources':
      return ({ application }) => application?.googleWebClientId === clientId;
    default:
      return undefined;
  }
}
