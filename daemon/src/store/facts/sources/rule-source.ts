/** Columns of `data_source` that identify a source of one user. */
interface StoredIdentity {
  provider: string;
  account: string | null;
  device_model: string | null;
  /** Writer as in the source's identity. */
  own_writer: string | null;
  device_id: string | null;
}

/** Columns of `data_source` that rank a source. */
export interface RankedSource extends StoredIdentity {
  from_cloud: boolean;
  device_type: string | null;
}

/** A source as the selection rule compares it. */
export interface RuleSource {
  provider: string;
  /** Vendor account that wrote the source's data; null for pushes, files and unknown accounts. */
  account: string | null;
  deviceType: string | null;
  hasDevice: boolean;
  /** True if a vendor's cloud wrote the source's data, as opposed to a phone or a file. */
  isCloud: boolean;
  /** Text that identifies the source in every database, unique within a user. It is the last criterion. */
  identity: string;
}

/** Returns a source as the selection rule compares it. */
export function ruleSource(row: RankedSource): RuleSource {
  const { provider, account, device_model: model, device_type: deviceType } = row;
  return {
    provider,
    account,
    deviceType,
    hasDevice: model !== null || (deviceType !== null && deviceType !== 'unknown'),
    isCloud: row.from_cloud,
    identity: identityText(row),
  };
}

/**
 * Returns a text that is equal for the same source in every database. It decides between sources if all other criteria
 * are equal.
 */
function identityText({ provider, account, device_model, own_writer, device_id }: StoredIdentity): string {
  return JSON.stringify([provider, account, device_model, own_writer, device_id].map((part) => part ?? ''));
}
