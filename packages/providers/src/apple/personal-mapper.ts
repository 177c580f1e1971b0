import type { ExportElement } from '@healthd/apple-export';
import type { PersonalRecord } from '@healthd/model';

const GENDERS: Readonly<Record<string, PersonalRecord['gender']>> = {
  HKBiologicalSexFemale: 'female',
  HKBiologicalSexMale: 'male',
  HKBiologicalSexOther: 'other',
};

/** The `Me` element; undefined when the person left both facts open. */
export function mapPersonal({ attributes }: ExportElement): PersonalRecord | undefined {
  const birthDate = /^\d{4}-\d\d-\d\d$/.exec(attributes.get('HKCharacteristicTypeIdentifierDateOfBirth') ?? '')?.[0];
  const sex = attributes.get('HKCharacteristicTypeIdentifierBiologicalSex') ?? '';
  const gender = Object.hasOwn(GENDERS, sex) ? GENDERS[sex] : undefined;
  return birthDate === undefined && gender === undefined ? undefined : { kind: 'personal', birthDate, gender };
}
