let common: Promise<ReadonlySet<string>> | undefined;

/** True if the password is one of the 49,000 most common passwords of zxcvbn, regardless of case. */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= load();
  return (await common).has(password.normalize('NFKC').toLowerCase());
}

/** Loaded on first use, because most processes never set a password. */
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
