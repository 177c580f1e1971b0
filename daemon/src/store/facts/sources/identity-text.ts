/** Columns of `data_source` that identify a source of one user. */
export interface StoredIdentity {
  provider: string;
  account: string | null;
  device_model: string | null;
  /** As the identity of the source has it. */
  own_writer: string | null;
  device_id: string | null;
}

/** Returns a text that is equal for the same source in every database. It decides between sources if nothing else does. */
export function identityText({ provider, account, device_model, own_writer, device_id }: StoredIdentity): string {
  return JSON.stringify([provider, account, device_model, own_writer, device_id].map((part) => part ?? ''));
}
