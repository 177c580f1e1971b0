import { PROVIDERS, type Provider, type ProviderCoverage, TERM_NAMES, type TermName } from '@healthd/providers';

/** Returns the tables of the documents by the names in their markers. */
export function providerTables(): Readonly<Record<string, string>> {
  return {
    'provider-ways': waysTable(PROVIDERS),
    'provider-coverage': coverageTable(PROVIDERS),
    'provider-terms': termsOverview(PROVIDERS),
    ...Object.fromEntries(PROVIDERS.map((provider) => [`terms-${provider.id}`, termsTable(provider)])),
  };
}

/** Returns a document with current tables between its markers, `<!-- begin x -->` and `<!-- end x -->`. */
export function withTables(text: string): string {
  let filled = text;
  for (const [name, table] of Object.entries(providerTables())) {
    const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`];
    const [from, to] = [filled.indexOf(begin), filled.indexOf(end)];
    if (from < 0 || to < from) continue;
    filled = `${filled.slice(0, from + begin.length)}\n${table}\n${filled.slice(to)}`;
  }
  return filled;
}

function waysTable(providers: readonly Provider[]): string {
  const rows = providers.map(({ displayName, capabilities, cloud, coverage, id }) => {
    const { oauth, pull, webhook, push, file } = capabilities;
    const webhooks = cloud?.subscribers ? 'automatic' : 'manual';
    const name = oauth ? `[${displayName}](docs/providers/${id}.md)` : displayName;
    return [
      name,
      oauth ? (pull ? 'polled' : 'yes') : '',
      webhook ? webhooks : '',
      push ? 'yes' : '',
      file ? 'yes' : '',
      coverageText(coverage),
    ];
  });
  return table(['Provider', 'Cloud', 'Webhooks', 'Phone', 'Export file', 'Gives'], rows);
}

function coverageText({
  series,
  workoutFields,
  sleepFields,
  healthScores,
  menstrualCycleFields,
}: ProviderCoverage): string {
  const parts = [
    series.length > 0 && `${series.length} series`,
    sleepFields.length > 0 && (sleepFields.includes('sleep_stages') ? 'nights with stages' : 'nights'),
    workoutFields.length > 0 && 'workouts',
    menstrualCycleFields.length > 0 && 'cycles',
    healthScores.length > 0 && `scores: ${healthScores.join(', ')}`,
  ];
  return parts.filter(Boolean).join('; ');
}

function coverageTable(providers: readonly Provider[]): string {
  const rows = providers.map(({ displayName, coverage }) => [
    displayName,
    codes(coverage.series),
    codes(coverage.workoutFields),
    codes(coverage.sleepFields),
    codes(coverage.healthScores),
  ]);
  return table(['Provider', 'Series', 'Fields of workouts', 'Fields of nights', 'Scores'], rows);
}

/** Names of the terms in the API. */
const TERM_CODES: Readonly<Record<TermName, string>> = {
  assistants: 'assistants',
  combine: 'combine',
  cacheDays: 'cache_days',
  onDisconnect: 'on_disconnect',
  archive: 'archive',
  attribution: 'attribution',
  research: 'research',
};

function termsOverview(providers: readonly Provider[]): string {
  const rows = providers.map(({ displayName, terms }) => [
    displayName,
    ...TERM_NAMES.map((name) => (terms[name] === null ? '' : String(terms[name].value))),
  ]);
  return table(['Provider', ...TERM_NAMES.map((name) => `\`${TERM_CODES[name]}\``)], rows);
}

function termsTable({ terms }: Provider): string {
  const rows = TERM_NAMES.flatMap((name) => {
    const term = terms[name];
    return term === null ? [] : [[`\`${TERM_CODES[name]}\``, String(term.value), `${term.source} (${term.basis})`]];
  });
  return rows.length === 0 ? 'No terms are known.' : table(['Term', 'Value', 'Source'], rows);
}

const codes = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(' ');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`.replaceAll(/ {2,}/g, ' ');
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}
