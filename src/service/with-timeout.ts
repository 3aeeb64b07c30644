/** What a call of another's code gives, or this error when that takes longer. */
export async function within<T>(ms: number, call: () => T | Promise<T>, tooLong: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLong()), ms);
  });
  try {
    return await Promise.race([call(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
