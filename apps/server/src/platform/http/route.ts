import type { Readable } from 'node:stream'
import type {} from '@fastify/swagger'
import type { AccountId } from '@muripo/contract/ids'
import type { Body, Params, Query, RouteSpec } from '@muripo/contract/route'
import { emptyListAsObject } from '@muripo/contract/text'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Database, runNamed, type Tx } from '../db/database.ts'
import type { PerDatabase } from '../db/databases.ts'
import { invalidField, invariant } from '../errors.ts'
import type { Admit } from '../limits/admit.ts'
import { noteAuthenticated } from '../request-scope.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    spec?: RouteSpec
    confirmedBy?: 'action' | 'statement'
  }
}

/** The input of a route's handler: the values that the contract's schemas accepted, and the caller. */
export interface Call<Spec extends RouteSpec, Caller> {
  readonly params: Params<Spec>
  readonly query: Query<Spec>
  readonly body: Body<Spec>
  /** The body before the contract's schema parsed it, for a route with an Idempotency-Key. */
  readonly sent: unknown
  readonly caller: Caller
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /**
   * The same context, whose transactions confirm the caller after their last statement, when every lock is held: a key that was revoked
   * or a session that ended meanwhile rolls the transaction back. Every call that writes takes its transactions from here.
   */
  confirmed<C extends { readonly db: Database }>(ctx: C): C
  /** Confirms the caller in a transaction that `confirmed` cannot serve: one that ends the caller's session, or that precedes a provider call. */
  confirm(tx: Tx): Promise<void>
}

type Statuses<Spec extends RouteSpec> = keyof Spec['reply'] & number
type BodyOf<Spec extends RouteSpec, Status extends Statuses<Spec>> = Spec['reply'][Status] extends {
  _zod: { input: infer In }
}
  ? In
  : undefined

/** A successful response: a status of the contract with its body, the text of an earlier response, or a stream. */
export type Answer<Spec extends RouteSpec> =
  | {
      [Status in Statuses<Spec>]: {
        status: Status
        body: BodyOf<Spec, Status>
        headers?: Record<string, string>
      }
    }[Statuses<Spec>]
  | { status: Statuses<Spec>; json: string; headers?: Record<string, string> }
  | { status: Statuses<Spec>; stream: Readable; headers?: Record<string, string> }

/** Keeps the status a literal type, so that the body is checked against the contract's schema for this status. */
export const answer = <const Status extends number, ReplyBody>(
  status: Status,
  body: ReplyBody,
): { status: Status; body: ReplyBody } => ({ status, body })

export interface Binding<Caller> {
  readonly spec: RouteSpec
  readonly admit: Admit | undefined
  /**
   * Absent: the handler confirms the caller in its transactions, through `confirmed` or `confirm`. `action`: the action confirms the
   * caller in its own transaction. `statement`: the statement that writes checks the key itself, so nothing is read beforehand either.
   */
  readonly confirmedBy?: 'action' | 'statement'
  readonly handle: (call: Call<RouteSpec, Caller>) => Promise<Handled>
}

/** An answer of any route. */
interface Handled {
  readonly status: number
  readonly body?: unknown
  readonly json?: string
  readonly stream?: Readable
  readonly headers?: Record<string, string>
}

export function bind<Spec extends RouteSpec, Caller>(
  spec: Spec,
  handle: (call: Call<Spec, Caller>) => Promise<Answer<Spec>>,
  admit?: Admit,
): Binding<Caller> {
  return { spec, admit, handle: handle as unknown as Binding<Caller>['handle'] }
}

/** The routes over each database. A call is handled by those of its caller's account. */
export function bindPerDatabase<C, Caller>(
  ctxs: PerDatabase<C>,
  accountOf: (caller: Caller) => AccountId,
  bindings: (ctx: C) => readonly Binding<Caller>[],
): Binding<Caller>[] {
  const routes = ctxs.map(bindings)
  return routes.each[0].map((binding, index) => ({
    ...binding,
    handle: (call) => (routes.of(accountOf(call.caller))[index] as Binding<Caller>).handle(call),
  }))
}

/** For calls whose caller is confirmed below the handler; a test contains their list. */
export const confirmedBy = <Caller>(
  by: NonNullable<Binding<Caller>['confirmedBy']>,
  binding: Binding<Caller>,
): Binding<Caller> => ({ ...binding, confirmedBy: by })

/** Confirms that a caller's key or session has not ended since it was authenticated, and may still make this call, or throws an AppError. */
export type Confirm<Caller> = (caller: Caller, spec: RouteSpec, tx?: Tx) => Promise<void>

export interface Authenticate<Caller> {
  /** Returns the caller, or throws an AppError. It runs before the body is read. */
  (request: FastifyRequest): Promise<Caller>
  /** Absent when callers have no key or session that could end. */
  readonly confirm?: Confirm<Caller>
}

/** The credential of an `Authorization: Bearer …` header, or null. */
export function bearerOf(request: FastifyRequest): string | null {
  const match = /^Bearer +([^\s]{1,4096})$/i.exec(request.headers.authorization ?? '')
  return match?.[1] ?? null
}

export const anyone: Authenticate<null> = async () => null

/** Whether a call is read-only. */
export const isRead = ({ method }: Pick<FastifyRequest, 'method'>): boolean =>
  method === 'GET' || method === 'HEAD'

/** The contract's entry of the call. */
export const specOf = (request: FastifyRequest): RouteSpec | undefined =>
  (request.routeOptions.config as { spec?: RouteSpec }).spec

/** Throws when the caller has used up its limit. */
export type CallerLimit<Caller> = (caller: Caller, reply: FastifyReply) => void

export interface MountOptions<Caller> {
  readonly callerLimit?: CallerLimit<Caller>
  /** Refuses an undeclared query or body, as every route refuses undeclared fields. */
  readonly rejectUndeclaredInput?: boolean
}

const noQuery = z.strictObject({})
/** Fastify represents a missing body as null. */
const noBody = emptyListAsObject(z.strictObject({}).nullish())

/** A key in a header of another name would be ignored, and the request repeated as a second payment. */
function refuseMisnamedKey({ headers }: FastifyRequest): void {
  if (headers['idempotency-key'] !== undefined) return
  const name = Object.keys(headers).find((each) => /^(x-)?idempot[a-z]*[-_]?(key|token|id)?$/.test(each))
  if (name !== undefined) throw invalidField(name, 'Must be sent as the header Idempotency-Key')
}

/** Mounts routes under a prefix, with one kind of caller. A route that is not mounted does not exist. */
export function mount<Caller>(
  app: FastifyInstance,
  prefix: string,
  authenticate: Authenticate<Caller>,
  bindings: readonly Binding<Caller>[],
  options: MountOptions<Caller> = {},
): void {
  for (const binding of bindings) {
    const { spec, admit } = binding
    if (authenticate === (anyone as unknown) && admit === undefined)
      throw new Error(`${spec.method} ${spec.path} needs no session, and has no limit`)
    mountRoute(app, prefix, authenticate, binding, options)
  }
}

const callerOf = Symbol('caller')
const bodyOf = Symbol('body')

/** The properties that hooks set on a request for its handler. Entries of weak maps would make every garbage collection longer. */
interface Carrier<Caller> {
  [callerOf]?: Caller
  /** The body as it was sent, before its validation. */
  [bodyOf]?: unknown
}

const carrierOf = <Caller>(request: FastifyRequest): Carrier<Caller> => request as Carrier<Caller>

function mountRoute<Caller>(
  app: FastifyInstance,
  prefix: string,
  authenticate: Authenticate<Caller>,
  { spec, admit, handle, confirmedBy }: Binding<Caller>,
  { callerLimit, rejectUndeclaredInput = false }: MountOptions<Caller>,
): void {
  const writes = spec.method !== 'GET'
  const confirm = writes && confirmedBy !== 'statement' ? authenticate.confirm : undefined
  const isKeyed = spec.errors.includes('idempotency_mismatch')
  app.route({
    method: spec.method,
    url: prefix + spec.path,
    config: { spec, ...(confirmedBy ? { confirmedBy } : {}) },
    // A HEAD route is the GET without its body, and would open a stream that no client reads.
    ...(spec.events || spec.file ? { exposeHeadRoute: false } : {}),
    schema: schemaOf(spec, rejectUndeclaredInput),
    async onRequest(request, reply) {
      await admit?.(request, reply)
      const caller = await authenticate(request)
      callerLimit?.(caller, reply)
      carrierOf<Caller>(request)[callerOf] = caller
      if (caller !== null) noteAuthenticated(request)
    },
    // The key or session may have ended while the body arrived. Such a caller uses up no limit and learns nothing about the object.
    ...(isKeyed || confirm
      ? {
          preValidation(request, _reply, done) {
            if (isKeyed) {
              refuseMisnamedKey(request)
              carrierOf<Caller>(request)[bodyOf] = request.body
            }
            if (confirm)
              confirm(carrierOf<Caller>(request)[callerOf] as Caller, spec).then(() => done(), done)
            else done()
          },
        }
      : {}),
    async handler(request, reply) {
      const carrier = carrierOf<Caller>(request)
      const caller = carrier[callerOf] as Caller
      const confirmation = confirmationOf(caller, spec, authenticate.confirm)
      const answered = await handle({
        params: request.params as never,
        query: request.query as never,
        body: request.body as never,
        sent: carrier[bodyOf],
        caller,
        request,
        reply,
        confirmed: confirmation.confirmed,
        confirm: confirmation.confirm,
      })
      invariant(
        !confirm || confirmedBy || confirmation.isDone(),
        `${spec.method} ${spec.path} confirms its caller in the transaction that writes`,
      )
      return respond(reply, answered)
    },
  })
}

/** The schemas by which Fastify validates a call and serialises its response. */
function schemaOf(spec: RouteSpec, rejectUndeclaredInput: boolean) {
  const query = spec.query ?? (rejectUndeclaredInput ? noQuery : undefined)
  const body = spec.body ?? (rejectUndeclaredInput && spec.method !== 'GET' ? noBody : undefined)
  return {
    summary: spec.summary,
    ...(spec.params ? { params: spec.params } : {}),
    ...(query ? { querystring: query } : {}),
    ...(body ? { body } : {}),
    response: Object.fromEntries(Object.entries(spec.reply).filter(([status]) => status !== '204')),
  }
}

function respond(reply: FastifyReply, { status, headers, body, json, stream }: Handled): FastifyReply {
  reply.status(status).header('cache-control', 'no-store')
  if (headers) reply.headers(headers)
  if (json !== undefined) return reply.header('content-type', 'application/json; charset=utf-8').send(json)
  return reply.send(stream ?? body)
}

function confirmationOf<Caller>(caller: Caller, spec: RouteSpec, confirmCaller: Confirm<Caller> | undefined) {
  let done = false
  const confirm = async (tx: Tx): Promise<void> => {
    await confirmCaller?.(caller, spec, tx)
    done = true
  }
  const confirming =
    <T>(work: (tx: Tx) => Promise<T>) =>
    async (tx: Tx): Promise<T> => {
      const result = await work(tx)
      await confirm(tx)
      return result
    }
  const confirmed = <C extends { readonly db: Database }>(ctx: C): C => ({
    ...ctx,
    db: {
      ...ctx.db,
      tx: (work) => ctx.db.tx(confirming(work)),
      commitStatement: (statement) => ctx.db.tx(confirming((tx) => runNamed(tx, statement))),
    } satisfies Database,
  })
  return { confirm, confirmed, isDone: () => done }
}
