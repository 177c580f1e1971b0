import { getUser } from '@healthd/contract';
import { MS_PER_DAY } from '@healthd/model';
import type { SourceMetadata } from '@healthd/schemas';
import { z } from 'zod';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { deviceText } from '../output/data-shapes.js';
import type { ToolContext } from './tool.js';

/** Maximum records of one result. A longer result is truncated, with a note. */
export const MAX_RECORDS = 100;
/** Maximum number of days in the period of a tool. */
export const MAX_PERIOD_DAYS = 366;

const day = z.iso.date();

/** Parameters that name a user and a period of days. */
export const PERIOD_INPUT = {
  user_id: z.uuid().describe('Id of the user, from get_users'),
  start_date: day.describe('First day, YYYY-MM-DD, in the user’s local time'),
  end_date: day.describe('Last day, YYYY-MM-DD, inclusive'),
};

export interface PeriodInput {
  user_id: string;
  start_date: string;
  end_date: string;
}

/** Period with bounds for the REST API. The end is the midnight after the last day. */
export interface Period {
  start: string;
  end: string;
  days: number;
}

/** @throws CliError `bad_range` for an end before the start, or for a period of more than a year */
export function periodOf({ start_date, end_date }: PeriodInput): Period {
  const days = (Date.parse(end_date) - Date.parse(start_date)) / MS_PER_DAY + 1;
  if (days < 1) throw badRange(`end_date ${end_date} is before start_date ${start_date}.`);
  if (days > MAX_PERIOD_DAYS) throw badRange(`The period has ${days} days. Request at most ${MAX_PERIOD_DAYS}.`);
  return { start: start_date, end: new Date(Date.parse(end_date) + MS_PER_DAY).toISOString(), days };
}

/** Returns the first members of every result about a period. @throws ApiError 404 for an unknown user */
export async function periodHeader({ client, signal }: ToolContext, { user_id, start_date, end_date }: PeriodInput) {
  const user = await client.call(getUser, { params: { user_id }, signal });
  return {
    user: { id: user.id, first_name: user.first_name, last_name: user.last_name },
    period: { start: start_date, end: end_date },
  };
}

/** Returns the note for a truncated result. Empty for a complete result. */
export function truncation(isCut: boolean, howToGetMore: string): { truncated?: true; more?: string } {
  return isCut ? { truncated: true, more: howToGetMore } : {};
}

/** Returns the providers whose data the service withholds from assistants. Empty without such providers. */
export function withheldNote(providers: readonly string[] | undefined): { withheld?: readonly string[] } {
  return providers && providers.length > 0 ? { withheld: providers } : {};
}

/** Returns the attribution texts that vendors require. Empty without such texts. */
export function attributionNote(attribution: readonly { text: string }[] | undefined): { attribution?: string[] } {
  return attribution ? { attribution: attribution.map(({ text }) => text) } : {};
}

/** Returns the name of a source: the provider, followed by the device or, if unknown, by the writer of the data. */
export function sourceName(source: SourceMetadata): string {
  const detail = deviceText(source);
  return detail ? `${source.provider}: ${detail}` : source.provider;
}

/** Returns the sum of the known values. Null without known values. */
export function total(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((value) => value !== null && value !== undefined);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** Returns the average of the known values with one decimal. Null without known values. */
export function average(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((value) => value !== null && value !== undefined);
  return known.length === 0 ? null : Math.round(((total(known) as number) / known.length) * 10) / 10;
}

function badRange(message: string): CliError {
  return new CliError('bad_range', message, { exitCode: EXIT.usage });
}
