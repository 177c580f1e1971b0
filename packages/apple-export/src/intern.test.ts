import { describe, expect, it } from 'vitest';
import { Interner } from './intern.js';

const intern = (interner: Interner, text: string) =>
  interner.intern(Buffer.from(`"${text}"`), 1, Buffer.byteLength(text) + 1);

describe('repeated strings', () => {
  it('decodes a repeated string once into one object', () => {
    const interner = new Interner();
    const first = intern(interner, 'Anna’s Watch &amp; Co');
    expect(first.text).toBe('Anna’s Watch & Co');
    expect(intern(interner, 'Anna’s Watch &amp; Co')).toBe(first);
    expect(intern(interner, 'Anna’s Watch &amp; Cp')).not.toBe(first);
  });

  it('decodes thousands of distinct or colliding strings to their own text', () => {
    const interner = new Interner();
    for (let n = 0; n < 20_000; n++) expect(intern(interner, `app ${n}`).text).toBe(`app ${n}`);
    // "Aa" and "BB" have the same hash, so all texts that consist of these pairs collide.
    for (let n = 0; n < 1024; n++) {
      const text = n.toString(2).padStart(10, '0').replaceAll('0', 'Aa').replaceAll('1', 'BB');
      expect(intern(interner, text).text).toBe(text);
    }
  });
});
