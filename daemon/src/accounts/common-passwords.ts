let common: Promise<ReadonlySet<string>> | undefined;

/** Whether it is one of the 49,000 passwords that people choose most often, in any case: the list of zxcvbn. */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= load();
  return (await common).has(password.normalize('NFKC').toLowerCase());
}

/** Loaded when the first password is set: most processes never set one. */
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
