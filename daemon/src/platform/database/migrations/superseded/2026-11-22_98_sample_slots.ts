import { slotOfUnknownId } from '@healthd/model';

/**
 * What tells samples of one series, source and instant apart, beyond their kind. All rows stored so far are marked as of an
 * unknown id, see `sample-slot.ts` of the model.
 *
 * One rewrite of the table and its indexes, which also makes the indexes dense again. Measured times stand in
 * `docs/storage.md`.
 */
export const sampleSlots = {
  name: '2026-11-22_98_sample_slots',
  sql: `
alter table sample alter column kind type integer
  using case kind when 0 then ${slotOfUnknownId(0)} when 1 then ${slotOfUnknownId(1)} else ${slotOfUnknownId(2)} end;
alter table sample rename column kind to slot;
analyze sample;
`,
};
