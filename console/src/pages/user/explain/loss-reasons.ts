import type { GroupExplanation } from '@healthd/schemas';

type LossReason = NonNullable<GroupExplanation['candidates'][number]['lost_by']>;

const REASONS: Record<LossReason, string> = {
  no_lead_figure: 'Lacks the figure that decides',
  too_little: 'Measured far less than another source',
  lower_class: 'Phones, scales and apps come after wearables',
  other_provider_leads: 'Another provider leads',
  lower_provider_priority: 'Lower priority of the provider',
  lower_device_priority: 'Lower priority of the kind of device',
  smaller_value: 'Smaller value',
  identity_order: 'All else is equal',
  older_reading: 'Older reading',
  profile_value: 'Comes from a profile and was not measured',
  archived: 'Archived nights keep their source',
};

/** Why a source did not win, in words; null is the winner. */
export function lossText(reason: LossReason | null): string {
  return reason === null ? 'Selected' : REASONS[reason];
}
