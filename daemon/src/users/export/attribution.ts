import type { ClientBase } from 'pg';
import type { ExportedUser } from './export-files.js';

/** An attribution text that a vendor requires with its data. */
export interface DemandedText {
  provider: string;
  text: string;
}

/** Archive file that contains these texts, for programs that read the archive. */
export const ATTRIBUTION = {
  path: 'attribution.ndjson',
  about: 'texts that vendors require with their data',
} as const;

/** Returns the attribution texts of all vendors whose data the user has, ordered by provider. */
export async function demandedTexts(
  client: Pick<ClientBase, 'query'>,
  { userKey }: ExportedUser,
  attribution: ReadonlyMap<string, string>,
): Promise<DemandedText[]> {
  if (attribution.size === 0) return [];
  const { rows } = await client.query<{ provider: string }>(
    `select provider from data_source where user_key = $1
     union select provider from health_score where user_key = $1 order by provider`,
    [userKey],
  );
  return rows.flatMap(({ provider }) => {
    const text = attribution.get(provider);
    return text === undefined ? [] : [{ provider, text }];
  });
}

export function attributionLines(texts: readonly DemandedText[]): string {
  return texts.map(({ provider, text }) => `${JSON.stringify({ provider, text })}\n`).join('');
}
