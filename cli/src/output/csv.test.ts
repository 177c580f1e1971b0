import { expect, test } from 'vitest';
import { csvLine } from './csv.js';

test('writes unknown values as empty', () => {
  expect(csvLine([null, undefined, '', 0, false, true])).toBe(',,,0,false,true\n');
});

test('writes lists and objects as JSON', () => {
  expect(csvLine([['a', 'b'], { c: 1 }])).toBe('"[""a"",""b""]","{""c"":1}"\n');
});

test('escapes special characters and formulas', () => {
  expect(csvLine(['a,b', 'say "x"', 'two\nlines', 'old\rbreak', 'plain'])).toBe(
    '"a,b","say ""x""","two\nlines","old\rbreak",plain\n',
  );
  expect(csvLine(['=1', '@x', '-1', '\tx', 'a=1'])).toBe("'=1,'@x,'-1,'\tx,a=1\n");
  expect(csvLine(['+02:00', '+02:00:00', 'x+02:00', '+2:00'])).toBe("+02:00,'+02:00:00,x+02:00,'+2:00\n");
});
