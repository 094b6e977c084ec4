import { hash } from 'node:crypto'
import type { Id } from '@muripo/contract/ids'
import { idempotencyKeyPattern } from '@muripo/contract/payments'
import type { FastifyRequest } from 'fastify'
import { type Actor, callerActor } from '../../platform/audit/actor.ts'
import type { Queryable } from '../../platform/db/database.ts'
import { isLockTaken, violatedConstraint } from '../../platform/db/failures.ts'
import { AppError, invalidField, invariant } from '../../platform/errors.ts'
import { idFrom } from '../../platform/ids.ts'
import type { KeyOwner } from '../applications/index.ts'
import type { SessionCaller } from '../identity/index.ts'
import { CALL_LEASE_MS } from '../providers/index.ts'
import type { PaymentsCtx } from './context.ts'
import {
  findByKey,
  findResponse,
  type KeyedRequest,
  type KeyedTable,
  saveResponse,
  storesResponse,
} from './payment/store-idempotency.ts'

/** A request that writes, beside its input. */
export interface WriteRequest {
  /** The header. */
  readonly idempotencyKey?: string | undefined
  /** The body before the contract's schema parsed it. */
  readonly sent?: unknown
  /** Named in the audit log. */
  readonly actor?: Actor
}

/** The response to a write. Under an Idempotency-Key, the same request receives it again to the byte. */
export interface IdempotentResponse {
  readonly json: string
  readonly replayed: boolean
}

export function writeRequestOf(call: {
  readonly request: FastifyRequest
  readonly sent: unknown
  readonly caller: KeyOwner | SessionCaller
}): WriteRequest & { readonly actor: Actor } {
  const key = call.request.headers['idempotency-key']
  const idempotencyKey = Array.isArray(key) ? key.join() : key
  return { idempotencyKey, sent: call.sent, actor: callerActor(call.caller, call.request) }
}

export const withReplayHeader = <Status extends number>(
  status: Status,
  { json, replayed }: IdempotentResponse,
): { status: Status; json: string; headers: Record<string, string> } => ({
  status,
  json,
  headers: replayed ? { 'idempotency-replayed': 'true' } : {},
})

/**
 * @returns null for a request without a key
 * @throws AppError validation_failed
 */
export function keyedRequest(
  { applicationId }: Pick<KeyOwner, 'applicationId'>,
  header: string | undefined,
  sent: unknown,
): KeyedRequest | null {
  if (header === undefined) return null
  return {
    idempotency_checksum: idempotencyChecksum(applicationId, readKey(header)),
    request_checksum: checksum(JSON.stringify(inOrder(sent))),
  }
}

export const idempotencyChecksum = (applicationId: Id<'app'>, key: string): string =>
  checksum(`${applicationId} ${key}`)

/** The columns are of the type uuid: half of a SHA-256 has its length, and is found in an index as fast as an id. */
const checksum = (text: string): string => hash('sha256', text, 'hex').slice(0, 32)

/** The same result for the same names and values in any order. */
export function inOrder<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(inOrder) as Value
  const members = value as Readonly<Record<string, unknown>>
  const names = Object.keys(members).sort()
  return Object.fromEntries(names.map((name) => [name, inOrder(members[name])])) as Value
}

/** The draft standard writes the key as a quoted string; most clients omit the quotes. */
function readKey(header: string): string {
  const key = header.trim().replace(/^"(.*)"$/, '$1')
  if (!idempotencyKeyPattern.test(key)) {
    throw invalidField('Idempotency-Key', 'The Idempotency-Key must be 1 to 255 visible characters')
  }
  return key
}

interface Executed<Prefix extends string> {
  readonly id: Id<Prefix>
  /** The request joined an earlier one that had no key. */
  readonly isRepetition?: boolean
}

/** A write whose row stores the key of its request. */
export interface IdempotentWrite<Prefix extends string> {
  readonly table: KeyedTable
  /** The kind of the row's id. */
  readonly kind: { readonly prefix: Prefix }
  /** Refusals that depend on more than the request, which a repeated request does not meet again. */
  readonly refuse?: () => Promise<void>
  /** Commits the row, and calls the provider of a refund or a capture. */
  readonly execute: () => Promise<Executed<Prefix>>
  /** Renders the response: from the row's present state where the row stores it, otherwise from the request and the id alone. */
  readonly respond: (id: Id<Prefix>) => Promise<string>
  /** Fields that are not stored with the first response: personal ones and links, which a repetition renders from the row. */
  readonly unstored?: readonly string[]
}

/** An earlier request under the key has created the row. */
export class KeyKnown extends Error {}

/**
 * Executes a write once for each Idempotency-Key. The same request receives the first response again, and a request that writes no row
 * leaves the key free.
 * @param keyed null for a request without a key, which is executed each time
 * @throws AppError idempotency_mismatch, idempotency_in_flight, and the refusals of `refuse` and `execute`
 */
export async function executeIdempotent<Prefix extends string>(
  ctx: PaymentsCtx,
  caller: KeyOwner,
  keyed: KeyedRequest | null,
  { table, kind, refuse = async () => {}, execute, respond, unstored = [] }: IdempotentWrite<Prefix>,
): Promise<IdempotentResponse> {
  if (keyed === null) {
    await refuse()
    const { id, isRepetition = false } = await execute()
    return { json: await respond(id), replayed: isRepetition }
  }

  const findKnown = async (db: Queryable): Promise<Id<Prefix> | null> => {
    const known = await findByKey(db, table, caller, keyed)
    if (known?.matches === false) throw new AppError('idempotency_mismatch')
    return known && idFrom(kind, known.id)
  }
  const restore = async (id: Id<Prefix>, stored: string): Promise<string> =>
    unstored.length === 0
      ? stored
      : JSON.stringify({ ...JSON.parse(await respond(id)), ...JSON.parse(without(stored, unstored)) })
  /** Two processes that respond to one request both return the response that was recorded first. */
  const record = async (id: Id<Prefix>): Promise<IdempotentResponse> => {
    const json = await respond(id)
    const stored = unstored.length === 0 ? json : without(json, unstored)
    if (!storesResponse(table) || (await saveResponse(ctx.db.kysely, table, caller, id, stored)))
      return { json, replayed: false }
    const first = await findResponse(ctx.db.kysely, table, caller, id)
    return { json: first?.response ? await restore(id, first.response) : json, replayed: true }
  }
  const replay = async (id: Id<Prefix>): Promise<IdempotentResponse> => {
    if (!storesResponse(table)) return { json: await respond(id), replayed: true }
    const first = await findResponse(ctx.db.kysely, table, caller, id)
    invariant(first, 'rows with a response are never deleted')
    if (first.response !== null) return { json: await restore(id, first.response), replayed: true }
    // The process that has written the row may still respond.
    if (first.ageMs < CALL_LEASE_MS) throw requestInFlight()
    return { ...(await record(id)), replayed: true }
  }
  /** @returns null when the key is known */
  const executeOnce = async (): Promise<IdempotentResponse | null> => {
    try {
      const { id } = await execute()
      return await record(id)
    } catch (error) {
      // Another request with this key, or for this payment, has held its lock for longer than a session waits.
      if (isLockTaken(error)) throw requestInFlight()
      if (error instanceof KeyKnown || violatedConstraint(error) === `${table}_by_key`) return null
      // The first request under the key may have committed meanwhile, and left nothing to refund or to capture.
      if (isAboutPayment(error) && (await findKnown(ctx.db.kysely)) !== null) return null
      throw error
    }
  }

  /** @returns the row of the earlier request under the key, to which no refusal applies */
  const refuseUnknown = async (): Promise<Id<Prefix> | null> => {
    try {
      await refuse()
      return null
    } catch (refusal) {
      const earlier = await findKnown(ctx.db.kysely)
      if (earlier === null) throw refusal
      return earlier
    }
  }

  // The statement that creates a payment looks its key up itself.
  let known = storesResponse(table) ? await findKnown(ctx.db.kysely) : null
  known ??= await refuseUnknown()
  while (known === null) {
    const response = await executeOnce()
    if (response !== null) return response
    known = await findKnown(ctx.db.kysely)
  }
  return replay(known)
}

const without = (json: string, fields: readonly string[]): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(JSON.parse(json)).filter(([name]) => !fields.includes(name))),
  )

/** A refusal for the state of the payment, and not for the caller's right to write. */
const isAboutPayment = (error: unknown): boolean => error instanceof AppError && error.status === 409

const requestInFlight = (): AppError =>
  new AppError('idempotency_in_flight', { headers: { 'retry-after': '1' } })
