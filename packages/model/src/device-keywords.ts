import type { DeviceType } from './device-types.js';

/**
 * Words in a model's name that indicate the device type. Sensors are first, because some contain a word for a watch
 * (Polar Verity Sense). Plain nouns precede family names.
 */
const MODEL_WORDS: readonly (readonly [DeviceType, readonly string[]])[] = [
  ['other', ['edge', 'hrm', 'h9', 'h10', 'oh1', 'verity', 'tickr', 'wahoo', 'stryd', 'dexcom', 'libre', 'omron']],
  ['other', ['airpods?', 'earpods', 'beats', 'buds', 'headphones?', 'earbuds?']],
  ['watch', ['watch', 'smartwatch', 'scanwatch', 'ticwatch']],
  ['band', ['band', 'vivosmart', 'vivofit', 'charge', 'inspire', 'luxe', 'alta', 'flex', 'fit2', 'fit3']],
  ['band', ['whoop', 'helio strap']],
  ['ring', ['ring', 'oura', 'ringconn', 'ultrahuman']],
  ['phone', ['phone', 'smartphone', 'iphone', 'ipad', 'ipod', 'pixel']],
  ['scale', ['scales?', 'smartscale', 'bodyscale', 'index', 'body', 'aria', 'renpho']],
  ['scale', ['qardiobase', 'picooc', 'yunmai', 'eufy']],
  ['watch', ['forerunner', 'fenix', 'venu', 'vivoactive', 'vivomove', 'lily', 'epix', 'enduro', 'instinct']],
  ['watch', ['tactix', 'approach', 'marq', 'descent', 'quatix', 'swim 2', 'd2']],
  ['watch', ['vantage', 'grit x', 'pacer', 'ignite', 'unite', 'm430', 'suunto']],
  ['watch', ['versa', 'sense', 'ionic', 'blaze', 'pace', 'apex', 'vertix']],
  ['watch', ['amazfit gtr', 'amazfit gts', 'amazfit t-rex', 'amazfit bip']],
];

/**
 * Words in the name of a writing application or paired device. The list is shorter than for models, because an app that
 * is called Pacer or Sense may count steps on a phone. `Connect` alone is Garmin's app; Health Connect is a store, not
 * a device.
 */
const WRITER_WORDS: readonly (readonly [DeviceType, readonly string[]])[] = [
  ['other', ['airpods?', 'earpods']],
  ['watch', ['watch', 'smartwatch', 'autosleep', 'garmin connect']],
  ['band', ['band', 'xiaomi', 'whoop']],
  ['ring', ['ring', 'oura', 'ringconn', 'ultrahuman']],
  ['phone', ['phone', 'iphone', 'ipad', 'ipod']],
  ['scale', ['scales?', 'smartscale', 'bodyscale', 'renpho', 'fitdays', 'arboleaf']],
  ['scale', ['qardiobase', 'picooc', 'yunmai', 'eufylife', 'eufy life']],
];

/** Returns the device type that a word of the model text indicates. Undefined without such a word. */
export const keywordType = matcher(MODEL_WORDS);

const writerWordType = matcher(WRITER_WORDS);

/** Returns the device type that a word of the writer's name indicates. Undefined without such a word. */
export function writerType(sourceName: string): DeviceType | undefined {
  return plain(sourceName) === 'connect' ? 'watch' : writerWordType(sourceName);
}

function matcher(words: readonly (readonly [DeviceType, readonly string[]])[]) {
  // A number may follow without a space (fenix7), but a letter may not: `racer` does not match the word `race`.
  const patterns = words.map(
    ([type, list]) => [type, new RegExp(`(?<![a-z0-9])(?:${list.join('|')})(?![a-z])`)] as const,
  );
  return (text: string): DeviceType | undefined => {
    const searched = plain(text);
    return patterns.find(([, pattern]) => pattern.test(searched))?.[0];
  };
}

/** Returns the text in lower case without diacritics, so that `fēnix®` and `vívoactive` match their plain spelling. */
function plain(text: string): string {
  return text.replace(/[™®©]/g, ' ').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
