/** Waits until `work` ends, but at most `seconds`. */
export async function within(seconds: number, work: Promise<unknown> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, seconds * 1000);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
