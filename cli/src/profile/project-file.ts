import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CliError } from '../failure.js';

/** Settings of a project. They may be checked in and contain no secrets. */
export interface ProjectFile {
  path: string;
  context?: string;
  url?: string;
}

const PROJECT_FILE_NAME = '.healthctl.json';

/** Finds the nearest `.healthctl.json` in a folder or its parents. @throws CliError `project_file_invalid` */
export async function findProjectFile(folder: string): Promise<ProjectFile | undefined> {
  const path = join(folder, PROJECT_FILE_NAME);
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text !== undefined) return parseProjectFile(path, text);
  const parent = dirname(folder);
  return parent === folder ? undefined : findProjectFile(parent);
}

function parseProjectFile(path: string, text: string): ProjectFile {
  try {
    const { context, url } = JSON.parse(text) as { context?: unknown; url?: unknown };
    return { path, context: optionalText(context), url: optionalText(url) };
  } catch (error) {
    throw new CliError('project_file_invalid', `${path} is not valid.`, {
      hint: 'Use {"context": "…"} or {"url": "…"}.',
      cause: error,
    });
  }
}

function optionalText(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw new TypeError('not a string');
}
