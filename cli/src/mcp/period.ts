import { getUser } from '@healthd/contract';
import { MS_PER_DAY } from '@healthd/model';
import type { SourceMetadata } from '@healthd/schemas';
import { z } from 'zod';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import type { ToolContext } from './tool.js';

/** Most records of one result; a longer period is cut and says so. */
export const MAX_RECORDS = 100;
/** Longest period of a tool that answers with one record a day: what one result holds. */
export const MAX_PERIOD_DAYS = 366;

const day = z.iso.date();

/** Parameters that name a user and a period of days. */
export const PERIOD_INPUT = {
  user_id: z.uuid().describe('Id of the user, as get_users lists it'),
  start_date: day.describe('First day, YYYY-MM-DD, on the wall clock of the person'),
  end_date: day.describe('Last day, YYYY-MM-DD, included'),
};

export interface PeriodInput {
  user_id: string;
  start_date: string;
  end_date: string;
}

/** Bounds as the REST API takes them: the end is the midnight after the last day. */
export interface Period {
  start: string;
  end: string;
  days: number;
}

/** @throws CliError `bad_range` for an end before the start, or for a period of more than a year */
export function periodOf({ start_date, end_date }: PeriodInput): Period {
  const days = (Date.parse(end_date) - Date.parse(start_date)) / MS_PER_DAY + 1;
  if (days < 1) throw badRange(`end_date ${end_date} is before start_date ${start_date}.`);
  if (days > MAX_PERIOD_DAYS) throw badRange(`The period has ${days} days. Ask for at most ${MAX_PERIOD_DAYS}.`);
  return { start: start_date, end: new Date(Date.parse(end_date) + MS_PER_DAY).toISOString(), days };
}

/** The members that every result about a period begins with. @throws ApiError 404 for an unknown user */
export async function periodHeader({ client, signal }: ToolContext, { user_id, start_date, end_date }: PeriodInput) {
  const user = await client.call(getUser, { params: { user_id }, signal });
  return {
    user: { id: user.id, first_name: user.first_name, last_name: user.last_name },
    period: { start: start_date, end: end_date },
  };
}

/** What a cut result says; nothing for a whole one. */
export function truncation(isCut: boolean, howToGetMore: string): { truncated?: true; more?: string } {
  return isCut ? { truncated: true, more: howToGetMore } : {};
}

/** What a result says of data that the service withholds from assistants; nothing if it withholds none. */
export function withheldNote(providers: readonly string[] | undefined): { withheld?: readonly string[] } {
  return providers && providers.length > 0 ? { withheld: providers } : {};
}

/** What a result says of texts that vendors demand beside their data. */
export function attributionNote(attribution: readonly { text: string }[] | undefined): { attribution?: string[] } {
  return attribution ? { attribution: attribution.map(({ text }) => text) } : {};
}

/** A source in the words of a result: the device where it is known, else the application, else the provider. */
export function sourceName(source: SourceMetadata): string {
  const detail = source.device_name ?? source.device ?? source.source;
  return detail ? `${source.provider}: ${detail}` : source.provider;
}

/** Sum of the values that are known; null when none is. */
export function total(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((value) => value !== null && value !== undefined);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** Average of the values that are known, to one decimal; null when none is. */
export function average(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((value) => value !== null && value !== undefined);
  return known.length === 0 ? null : Math.round(((total(known) as number) / known.length) * 10) / 10;
}

function badRange(message: string): CliError {
  return new CliError('bad_range', message, { exitCode: EXIT.usage });
}
