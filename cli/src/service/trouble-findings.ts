import { listTrouble } from '@healthd/contract';
import type { DiagnosisCause, Trouble } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { countText } from '../ui/amounts.js';
import { type Finding, failureFinding, ok, warning } from './findings.js';

/** Checks all users for revoked consents and vendors whose webhooks have stopped. */
export async function troubleFindings(cli: Cli): Promise<Finding[]> {
  try {
    const client = await cli.client();
    return diagnoseTrouble(await client.call(listTrouble, { signal: cli.signal }));
  } catch (error) {
    return [failureFinding('consents', error)];
  }
}

/** Returns the findings on connection problems: one per provider, with the command that lists its users. */
export function diagnoseTrouble({ groups }: Pick<Trouble, 'groups'>): Finding[] {
  const findingsOf = (check: string, cause: DiagnosisCause, what: string, none: string): Finding[] => {
    const found = groups.filter((group) => group.cause === cause);
    if (found.length === 0) return [ok(check, none)];
    return found.map(({ provider, provider_name, connections }) =>
      warning(
        check,
        `${provider_name}: ${what} ${countText(connections, 'user')}`,
        `healthctl trouble users ${cause} --provider ${provider}`,
      ),
    );
  };
  return [
    ...findingsOf('consents', 'consent_ended', 'the consent has ended for', 'all are valid'),
    ...findingsOf('accounts', 'not_linked', 'no health profile in the account of', 'all have health profiles'),
    ...findingsOf('webhooks', 'webhook_silent', 'webhooks have stopped for', 'no vendor has stopped its webhooks'),
  ];
}
