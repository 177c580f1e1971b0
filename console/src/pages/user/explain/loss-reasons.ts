import type { LossReason } from '@healthd/schemas';

const REASONS: Record<LossReason, string> = {
  no_lead_figure: 'Has no value for the deciding figure',
  too_little: 'Measured far less than another source',
  lower_class: 'Phones, scales and apps rank below wearables',
  other_provider_leads: 'Another provider leads',
  lower_provider_priority: 'Lower provider priority',
  lower_device_priority: 'Lower device type priority',
  smaller_value: 'Smaller value',
  identity_order: 'All else is equal',
  older_reading: 'Older reading',
  profile_value: 'Profile value, not a measurement',
  archived: 'Archived nights keep their source',
  terms: 'Withheld under vendor terms',
};

/** Returns the text for the reason why a source lost. The reason of the winner is null. */
export function lossText(reason: LossReason | null): string {
  return reason === null ? 'Selected' : REASONS[reason];
}
