import { diagnoseUser } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { ProviderDiagnosis } from '@healthd/schemas';
import { type ReactNode, useState } from 'react';
import { CAUSE_NAMES } from '../../../causes.js';
import { Command } from '../../../components/command.js';
import { Commands } from '../../../components/commands.js';
import { Instant } from '../../../components/instant.js';
import { NextTry } from '../../../components/next-try.js';
import { quoted } from '../../../shell-command.js';
import { CAUSE_REASONS, remedyCommand } from './reasons.js';

/** Facts and commands of a diagnosis, collapsed below the sentence. */
export function Why({ userId, verdict }: { userId: string; verdict: ProviderDiagnosis }) {
  const [isOpen, setOpen] = useState(false);
  const remedy = remedyCommand(userId, verdict);
  return (
    <details className="why" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary aria-label={`Why: ${verdict.provider_name}`}>Why</summary>
      {isOpen && (
        <>
          <p>{CAUSE_REASONS[verdict.cause]}</p>
          <dl className="facts">
            <Fact name="Cause">{CAUSE_NAMES[verdict.cause]}</Fact>
            <Fact name="Since">
              <Instant at={verdict.since} />
            </Fact>
            <Fact name="Last data">
              <Instant at={verdict.last_data_at} />
            </Fact>
            <Fact name="Last synced">
              <Instant at={verdict.last_synced_at} />
            </Fact>
            {verdict.next_try_at && (
              <Fact name="Next attempt">
                <NextTry at={verdict.next_try_at} />
              </Fact>
            )}
            {verdict.details.length > 0 && <Fact name="Details">{verdict.details.join('; ')}</Fact>}
          </dl>
          <Commands
            healthctl={`healthctl why ${quoted(userId)} --provider ${quoted(verdict.provider)}`}
            route={diagnoseUser}
            input={{ params: { user_id: userId }, query: { provider: verdict.provider as ProviderId } }}
          />
          {remedy && <Command line={remedy} />}
        </>
      )}
    </details>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
