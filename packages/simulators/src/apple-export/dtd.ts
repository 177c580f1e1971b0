const RECORD_ATTRIBUTES = ['type', 'unit', 'value', 'sourceName', 'sourceVersion', 'device', 'creationDate'];
const INTERVAL = ['startDate', 'endDate'];

/** A document type declaration structured like the vendor's. */
export const DOCUMENT_TYPE = `<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 14 (simulated) -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord|Audiogram|VisionPrescription)*)>
${attributes('HealthData', ['locale'])}
<!ELEMENT ExportDate EMPTY>
${attributes('ExportDate', ['value'])}
<!ELEMENT Me EMPTY>
${attributes('Me', [
  'HKCharacteristicTypeIdentifierDateOfBirth',
  'HKCharacteristicTypeIdentifierBiologicalSex',
  'HKCharacteristicTypeIdentifierBloodType',
  'HKCharacteristicTypeIdentifierFitzpatrickSkinType',
  'HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse',
])}
<!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
${attributes('Record', [...RECORD_ATTRIBUTES, ...INTERVAL])}
<!-- A correlation's records stand at the top level as well. -->
<!ELEMENT Correlation ((MetadataEntry|Record)*)>
${attributes('Correlation', ['type', 'sourceName', 'sourceVersion', 'device', 'creationDate', ...INTERVAL])}
<!ELEMENT Workout ((MetadataEntry|WorkoutEvent|WorkoutRoute|WorkoutStatistics)*)>
${attributes('Workout', ['workoutActivityType', 'duration', 'durationUnit', 'sourceName', 'sourceVersion', 'device', 'creationDate', ...INTERVAL])}
<!ELEMENT WorkoutEvent (MetadataEntry?)>
${attributes('WorkoutEvent', ['type', 'date', 'duration', 'durationUnit'])}
<!ELEMENT WorkoutStatistics EMPTY>
${attributes('WorkoutStatistics', ['type', ...INTERVAL, 'average', 'minimum', 'maximum', 'sum', 'unit'])}
<!ELEMENT ActivitySummary EMPTY>
${attributes('ActivitySummary', ['dateComponents', 'activeEnergyBurned', 'activeEnergyBurnedGoal', 'activeEnergyBurnedUnit', 'appleExerciseTime', 'appleStandHours'])}
<!ELEMENT MetadataEntry EMPTY>
${attributes('MetadataEntry', ['key', 'value'])}
<!ELEMENT HeartRateVariabilityMetadataList (InstantaneousBeatsPerMinute*)>
<!ELEMENT InstantaneousBeatsPerMinute EMPTY>
${attributes('InstantaneousBeatsPerMinute', ['bpm', 'time'])}
]>`;

function attributes(element: string, names: readonly string[]): string {
  return `<!ATTLIST ${element}\n${names.map((name) => `  ${name} CDATA #IMPLIED`).join('\n')}\n>`;
}
