/** Credentials by their form, and what names a person. Each keeps a word that says what was there. */
const HIDDEN: readonly (readonly [RegExp, string])[] = [
  [/\b(?:sk|rt|cs)-[\w-]{4,}/g, '[secret]'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[token]'],
  [/\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, '[e-mail]'],
  [/(\/\/)[^/@\s"]+@/g, '$1[user]@'],
  [/([?&](?:token|code|key|secret|state|password)=)[^&\s"]+/gi, '$1[secret]'],
];

/** A text with secrets and e-mail addresses taken out. */
export function withoutSecrets(text: string): string {
  return HIDDEN.reduce((shown, [pattern, word]) => shown.replace(pattern, word), text);
}
