import { INTEGRATED_PROVIDER_IDS, isProviderId, type ProviderId } from '@healthd/model';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';

/** Returns the provider of a name. @throws CliError `unknown_provider` */
export function providerNamed(name: string): ProviderId {
  if (isProviderId(name)) return name;
  throw unknownProvider(name);
}

function unknownProvider(name: string): CliError {
  return new CliError('unknown_provider', `Unknown provider ${JSON.stringify(name)}.`, {
    hint: `Providers: ${INTEGRATED_PROVIDER_IDS.join(', ')}`,
    exitCode: EXIT.usage,
  });
}
