/** Patterns of credentials and personal data, each with its placeholder. */
const HIDDEN: readonly (readonly [RegExp, string])[] = [
  [/\b(?:sk|rt|cs)-[\w-]{4,}/g, '[secret]'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[token]'],
  [/\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, '[e-mail]'],
  [/(\/\/)[^/@\s"]+@/g, '$1[user]@'],
  [/([?&](?:token|code|key|secret|state|password)=)[^&\s"]+/gi, '$1[secret]'],
];

/** Removes secrets and email addresses from a text. */
export function withoutSecrets(text: string): string {
  return HIDDEN.reduce((shown, [pattern, word]) => shown.replace(pattern, word), text);
}
