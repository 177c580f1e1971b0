import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CliError } from '../failure.js';

/** Settings that belong to a project and may be checked in: never a secret. */
export interface ProjectFile {
  path: string;
  context?: string;
  url?: string;
}

const PROJECT_FILE_NAME = '.healthctl.json';

/** The nearest `.healthctl.json` of a folder or of one above it. @throws CliError `project_file_invalid` */
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
      hint: 'It may hold {"context": "…"} or {"url": "…"}.',
      cause: error,
    });
  }
}

function optionalText(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw new TypeError('not a text');
}
