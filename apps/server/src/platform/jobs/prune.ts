const BATCH = 500

/**
 * Deletes expired rows in bounded statements until none is left, or the process stops: a limit of batches for each round would fall behind the
 * creation of rows under load.
 * @param deleteBatch deletes at most that many rows and returns their number
 * @returns the number of deleted rows
 */
export async function prune(
  deleteBatch: (most: number) => Promise<number>,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0
  while (!signal.aborted) {
    const count = await deleteBatch(BATCH)
    deleted += count
    if (count < BATCH) break
  }
  return deleted
}
