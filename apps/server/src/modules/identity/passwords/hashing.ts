import { constants } from 'node:os'
import { Piscina } from 'piscina'
import type { PasswordCost } from '../../../platform/config.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Database } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { passwordHashKinds } from '../persons/store-persons.ts'
import type { HashTask, VerifyTask } from './hashing-worker.ts'

/** Keyboards encode one character in several ways; NFKC maps them to one, as NIST SP 800-63B asks. Nothing else is changed. */
const normalised = (password: string): string => password.normalize('NFKC')

export function hashPassword(ctx: Ctx, password: string): Promise<string> {
  const { memoryKib: memoryCost, passes: timeCost, atOnce } = ctx.config.passwords
  const cost = { memoryCost, timeCost, parallelism: 1 }
  return hashOnThread({ password: normalised(password), secret: ctx.keys.passwordPepper, cost }, atOnce)
}

/**
 * Compares a password with a hash; null is the hash of an account that does not exist. A mismatch takes the same time for every account
 * and for none, so that the time does not reveal which accounts exist.
 */
export async function checkPassword(ctx: Ctx, storedHash: string | null, password: string): Promise<boolean> {
  const passwordHash = storedHash ?? decoyOf(kindOf(ctx.config.passwords))
  const decoys = await decoysBeside(ctx, passwordHash)
  const task = { password: normalised(password), secret: ctx.keys.passwordPepper, passwordHash, decoys }
  return verifyOnThread(task, ctx.config.passwords.atOnce)
}

/** A new hash of a correct password, when the configured cost differs from the cost of its present hash; else null. */
export const rehashIfOutdated = async (
  ctx: Ctx,
  passwordHash: string,
  password: string,
): Promise<string | null> =>
  passwordHash.startsWith(`${kindOf(ctx.config.passwords)}$`) ? null : hashPassword(ctx, password)

/** The part of a hash that holds algorithm and cost. */
const kindOf = ({ memoryKib, passes }: PasswordCost): string =>
  `$argon2id$v=19$m=${memoryKib},t=${passes},p=1`

const zeros = (bytes: number): string => Buffer.alloc(bytes).toString('base64').replace(/=+$/, '')

/** A hash that no password has. */
const decoyOf = (kind: string): string => `${kind}$${zeros(16)}$${zeros(32)}`

const cachedKinds = new WeakMap<Database, Promise<Set<string>>>()

/**
 * A decoy for each kind of hash among the accounts, except the kind of this hash. Each mismatch is followed by a check of these, so that
 * all mismatches take the same time while accounts have hashes of different cost.
 */
async function decoysBeside(ctx: Ctx, passwordHash: string): Promise<string[]> {
  const loading = cachedKinds.get(ctx.db) ?? passwordHashKinds(ctx.db.kysely).then((kinds) => new Set(kinds))
  cachedKinds.set(ctx.db, loading)
  loading.catch(() => cachedKinds.delete(ctx.db))
  const kinds = await loading
  const own = passwordHash.split('$', 4).join('$')
  kinds.add(own)
  return [...new Set([...kinds, kindOf(ctx.config.passwords)])].filter((kind) => kind !== own).map(decoyOf)
}

/** Each waiting task keeps a request open, and no session is needed to cause one. */
const WAITING_MAX = 50
/** A thread that finishes a task finds the next one in its own inbox and does not wait for the main thread. */
const TASKS_PER_THREAD = 2

/**
 * Runs a task on a hashing thread. The threads have a lower priority than the rest of the process: hashing takes the processor time that
 * is left over, and does not delay other requests.
 * @throws AppError service_unavailable when the queue is full
 */
export const hashOnThread = (task: HashTask, threads: number): Promise<string> => run('hash', task, threads)
export const verifyOnThread = (task: VerifyTask, threads: number): Promise<boolean> =>
  run('verify', task, threads)

const pools = new Map<number, Piscina>()

async function run<Result>(name: string, task: HashTask | VerifyTask, threads: number): Promise<Result> {
  const pool = pools.get(threads) ?? createPool(threads)
  pools.set(threads, pool)
  if (pool.queueSize >= pool.options.maxQueue)
    throw new AppError('service_unavailable', { headers: { 'retry-after': '1' } })
  return pool.run(task, { name })
}

const createPool = (threads: number): Piscina =>
  new Piscina({
    filename: new URL('./hashing-worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: Number.POSITIVE_INFINITY,
    concurrentTasksPerWorker: TASKS_PER_THREAD,
    maxQueue: WAITING_MAX - (TASKS_PER_THREAD - 1) * threads,
    // On Linux a thread has a priority of its own; elsewhere the increment would apply to the whole process.
    niceIncrement: process.platform === 'linux' ? constants.priority.PRIORITY_BELOW_NORMAL : 0,
  })
