/** SQLSTATEs and socket errors after which the same call may succeed a moment later. */
const passing = new Set([
  // The server stops, starts, or has ended the session.
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '25P03',
  '53300',
  // The transaction reached its time limit, which ended its session too.
  '25P04',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  // The protocol state of the connection is inconsistent; the session is dropped.
  '08P01',
  // The server became a standby, or its operator made it read-only.
  '25006',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** SQLSTATEs of statements that may or may not have been committed. */
const unresolved = new Set(['40003', '08007'])

/** SQLSTATEs after which a session is not used for another caller, although the server keeps it open. */
const fatalToSession = new Set(['25006', '08P01'])

/** SQLSTATEs of a server that lacks disk, memory or locks. The statement has no effect. */
const exhausted = new Set(['53000', '53100', '53200', '53400', '58030'])

export function sqlState(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : null
}

const hasMessage = (error: unknown, pattern: RegExp): boolean =>
  error instanceof Error && pattern.test(error.message)

/** The queue of waiting work is full: the work was refused before anything of it was written. */
export class QueueFull extends Error {
  constructor() {
    super('too much work waits for the database')
  }
}

/** The work never reached the database: it was refused, or no session became free in time. */
export const isOverloaded = (error: unknown): boolean =>
  error instanceof QueueFull || hasMessage(error, /^timeout exceeded when trying to connect$/)

export function isDatabaseAway(error: unknown): boolean {
  if (passing.has(sqlState(error) ?? '') || isOutcomeUnknown(error)) return true
  return hasMessage(
    error,
    /Connection terminated|connection error and is not queryable|closed and is not queryable|timeout exceeded when trying to connect/,
  )
}

/**
 * The database did not confirm a commit and did not refuse it: the effect may exist, may appear, or may vanish with a failover.
 * A caller reads the effect back by its id on another session; it never repeats the call blindly, and never reports a failure.
 */
export class OutcomeUnknownError extends Error {
  readonly code = '40003'

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`The outcome of a database commit is unknown: ${reason}`, { cause })
  }
}

export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof OutcomeUnknownError || unresolved.has(sqlState(error) ?? '')

/** The connection ended after a statement was sent. */
export const isConnectionLost = (error: unknown): boolean =>
  ['57P01', '57P02', '57P05', '08003', '08006', '08P01', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(
    sqlState(error) ?? '',
  ) || hasMessage(error, /Connection terminated|Query read timeout/)

export const isFatalToSession = (error: unknown): boolean => fatalToSession.has(sqlState(error) ?? '')

/** A row that others have kept changing for as long as a session waits for a lock. */
export class LockTakenError extends Error {
  readonly code = '55P03'

  constructor() {
    super('other changes came before this one')
  }
}

/** Another session held a lock for longer than a session waits. */
export const isLockTaken = (error: unknown): boolean => sqlState(error) === '55P03'

/** A deadlock, or a serialization failure: the database has rolled the transaction back, and a retry may succeed. */
export const isSerializationFailure = (error: unknown): boolean =>
  ['40P01', '40001'].includes(sqlState(error) ?? '')

/**
 * Invalid data, a violated constraint, a lock not got in time, or a deadlock: a statement for many rows was undone, and its other rows may
 * succeed by themselves.
 */
export const isErrorOfOneRow = (error: unknown): boolean =>
  /^(22...|23...|55P03|40P01|40001)$/.test(sqlState(error) ?? '')

const QUERY_CANCELED = '57014'

/** The statement reached the time limit of its session. */
export const isStatementTimeout = (error: unknown): boolean => sqlState(error) === QUERY_CANCELED

/** The database is reachable and overloaded: a retry may succeed a moment later. */
export const isDatabaseBusy = (error: unknown): boolean =>
  error instanceof QueueFull ||
  isLockTaken(error) ||
  isSerializationFailure(error) ||
  isStatementTimeout(error) ||
  exhausted.has(sqlState(error) ?? '')

/** The id that Citus appends to the names of a shard's constraints. */
const shardId = /_\d{6,}$/
const constraintOfShard = / constraint "(?<name>\w+_\d{6,})"$/

/** The name of the violated constraint, if any. */
export function violatedConstraint(error: unknown): string | null {
  const { code, constraint, message } = (error ?? {}) as {
    code?: string
    constraint?: string
    message?: string
  }
  if (!code?.startsWith('23')) return null
  // An error of another node of Citus has the name in its message only.
  const named = constraint ?? constraintOfShard.exec(message ?? '')?.groups?.name
  return named?.replace(shardId, '') ?? null
}
