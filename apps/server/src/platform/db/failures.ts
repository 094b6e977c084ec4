/** SQLSTATEs and socket errors after which the same call may succeed a moment later. */
const passing = new Set([
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

export function sqlState(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : null
}

export function isDatabaseAway(error: unknown): boolean {
  const code = sqlState(error)
  if (code !== null && passing.has(code)) return true
  return (
    error instanceof Error &&
    /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect/.test(
      error.message,
    )
  )
}

/** A lock was held by somebody else for longer than a session waits. */
export const isLockTaken = (error: unknown): boolean => sqlState(error) === '55P03'

/** A deadlock, or a transaction that others have overtaken: the database has undone it, and the same may go well once they are through. */
export const isUndoneForOthers = (error: unknown): boolean =>
  ['40P01', '40001'].includes(sqlState(error) ?? '')

const QUERY_CANCELED = '57014'

/** It is there and has too much to do just now: nobody's fault, and the same call may succeed a moment later. */
export const isDatabaseBusy = (error: unknown): boolean =>
  isLockTaken(error) || isUndoneForOthers(error) || sqlState(error) === QUERY_CANCELED

/** The name of the constraint that refused, when one did. */
export function violatedConstraint(error: unknown): string | null {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string }
  return code?.startsWith('23') && constraint ? constraint : null
}
