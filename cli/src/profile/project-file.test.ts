import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findProjectFile } from './project-file.js';

let folder: string;
let deep: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'healthctl-project-'));
  deep = join(folder, 'src', 'deep');
  await mkdir(deep, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const put = async (text: string, ...below: string[]) => {
  const path = join(folder, ...below, '.healthctl.json');
  await writeFile(path, text);
  return path;
};

test('uses the project file of the nearest parent folder', async () => {
  const outer = await put('{"url":"https://health.example.org"}');
  expect(await findProjectFile(deep)).toEqual({ path: outer, url: 'https://health.example.org', context: undefined });
  const inner = await put('{"context":"staging"}', 'src');
  expect(await findProjectFile(deep)).toEqual({ path: inner, context: 'staging', url: undefined });
  expect(await findProjectFile(folder)).toMatchObject({ path: outer });
});

test('finds no project file if no parent folder has one', async () => {
  expect(await findProjectFile(deep)).toBeUndefined();
});

test.each(['{ not json', '', 'null', '{"context":7}', '{"url":["https://health.example.org"]}', '{"url":null}'])(
  'rejects a project file with the content %j',
  async (text) => {
    const path = await put(text);
    await expect(findProjectFile(deep)).rejects.toMatchObject({
      code: 'project_file_invalid',
      message: `${path} is not valid.`,
      hint: expect.stringContaining('"context"'),
      cause: expect.any(Error),
    });
  },
);
