import { expect, it } from 'vitest';
import { ProviderScan } from './provider-scan.js';

function scanned(text: string, chunk = 7) {
  const scan = new ProviderScan();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunk) scan.push(bytes.subarray(at, at + chunk));
  return scan.end();
}

it.each([
  ['{"provider":"apple"}', 'apple'],
  [' \n{ "provider" : "Samsung" , "data": {} } \n', 'Samsung'],
  ['\ufeff{"provider":"apple"}', 'apple'],
  ['{"data":{"provider":"garmin","x":["provider","oura"]},"provider":"google"}', 'google'],
  ['{"note":"\\"provider\\":\\"oura\\" {[","provider":"apple"}', 'apple'],
  ['{"note":"6\\" tall","provider":"apple"}', 'apple'],
  ['{"path":"C:\\\\","provider":"apple"}', 'apple'],
  ['{"data":{"note":"\\"}"},"provider":"apple"}', 'apple'],
  ['{"\\u0070rovider":"\\u0061pple"}', 'apple'],
  ['{"a":"provider","b":"x","provider":"apple"}', 'apple'],
  ['\t\r\n{\t"provider"\r\n:\t"apple"\r}\r\n\t', 'apple'],
  ['{"provider":"ap\\x"}', 'ap\\x'],
  ['{"list":[[1,2],{"provider":"oura"}],"n":1,"provider":"apple"}', 'apple'],
  ['{"data":{"a":{"b":[]}},"provider":"apple","provider":"oura"}', 'apple'],
  ['{"provider":"apple","data":[{"provider":"oura"}]}', 'apple'],
  ['{"provider":["apple"]}', undefined],
  ['{"data":{"provider":"apple"}}', undefined],
  ['{"provider":null}', undefined],
  ['{"provider":5,"x":"apple"}', undefined],
  ['{"provider":{"provider":"apple"}}', undefined],
  ['{}', undefined],
])('maps %s to the provider %s for any chunk size', (text, provider) => {
  for (const chunk of [1, 3, 7, 1000]) expect(scanned(text, chunk)).toEqual({ kind: 'object', provider });
});

it.each([
  '',
  '   ',
  '[]',
  '"provider"',
  'null',
  'not json',
  '{"a":1',
  '{"a":"b}',
  '{"a":{}',
  '{"a":[{}',
  '{}}',
  '{}x',
  '\\{}',
  '{} {}',
  '{"provider":"apple","data":[',
])('rejects %s, which is not one complete object', (text) => {
  for (const chunk of [1, 7, 1000]) expect(scanned(text, chunk)).toEqual({ kind: 'no_object' });
});

it('finds the provider without checking the rest of the body', () => {
  expect(scanned('{"provider":"apple","data":[}}}]] "}')).toEqual({ kind: 'object', provider: 'apple' });
});

it('truncates a provider name to 256 bytes', () => {
  expect(scanned(`{"provider":"${'a'.repeat(300)}"}`)).toEqual({ kind: 'object', provider: 'a'.repeat(256) });
});
