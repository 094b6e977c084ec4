import type { Readable } from 'node:stream'
import type { Body, Params, Query, RouteSpec } from '@muripo/contract/route'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Admit } from '../limits/admit.ts'

/** What a route's handler gets: only what the contract's schemas let through, and who calls. */
export interface Call<Spec extends RouteSpec, Caller> {
  readonly params: Params<Spec>
  readonly query: Query<Spec>
  readonly body: Body<Spec>
  readonly caller: Caller
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

type Statuses<Spec extends RouteSpec> = keyof Spec['reply'] & number
type BodyOf<Spec extends RouteSpec, Status extends Statuses<Spec>> = Spec['reply'][Status] extends {
  _zod: { input: infer In }
}
  ? In
  : undefined

/** A success answer: one of the statuses of the contract with its body, the very text that was answered before, or a stream. */
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

/** Keeps the status a literal, so that the body is checked against the contract's schema for just that status. */
export const answer = <const Status extends number, ReplyBody>(
  status: Status,
  body: ReplyBody,
): { status: Status; body: ReplyBody } => ({ status, body })

export interface Binding<Caller> {
  readonly spec: RouteSpec
  readonly admit: Admit | undefined
  readonly handle: (call: Call<RouteSpec, Caller>) => Promise<{
    status: number
    body?: unknown
    json?: string
    stream?: Readable
    headers?: Record<string, string>
  }>
}

export function bind<Spec extends RouteSpec, Caller>(
  spec: Spec,
  handle: (call: Call<Spec, Caller>) => Promise<Answer<Spec>>,
  admit?: Admit,
): Binding<Caller> {
  return { spec, admit, handle: handle as unknown as Binding<Caller>['handle'] }
}

/** Who is calling, or an AppError. It runs before the body is read. */
export type Authenticate<Caller> = (request: FastifyRequest) => Promise<Caller>

export const anyone: Authenticate<null> = async () => null

/** Lets somebody who is known do it now, or throws. */
export type Paced<Caller> = (caller: Caller, reply: FastifyReply) => void

export interface MountOptions<Caller> {
  readonly paced?: Paced<Caller>
  /** Refuses a query or a body that a route does not ask for, as every route refuses fields that it does not know. */
  readonly refuseUnasked?: boolean
}

const noQuery = z.strictObject({})
/** Fastify shows a body that did not come as null. */
const noBody = z.strictObject({}).nullish()

/** Puts routes under a prefix behind one kind of caller. What is not mounted does not exist. */
export function mount<Caller>(
  app: FastifyInstance,
  prefix: string,
  authenticate: Authenticate<Caller>,
  bindings: readonly Binding<Caller>[],
  { paced, refuseUnasked = false }: MountOptions<Caller> = {},
): void {
  const callers = new WeakMap<FastifyRequest, Caller>()
  for (const { spec, admit, handle } of bindings) {
    const query = spec.query ?? (refuseUnasked ? noQuery : undefined)
    const body = spec.body ?? (refuseUnasked && spec.method !== 'GET' ? noBody : undefined)
    const response = Object.fromEntries(Object.entries(spec.reply).filter(([status]) => status !== '204'))
    app.route({
      method: spec.method,
      url: prefix + spec.path,
      config: { spec },
      // A HEAD route is the GET without its body, and would open a stream that nobody reads.
      ...(spec.events || spec.file ? { exposeHeadRoute: false } : {}),
      schema: {
        summary: spec.summary,
        ...(spec.params ? { params: spec.params } : {}),
        ...(query ? { querystring: query } : {}),
        ...(body ? { body } : {}),
        response,
      },
      async onRequest(request, reply) {
        await admit?.(request, reply)
        const caller = await authenticate(request)
        paced?.(caller, reply)
        callers.set(request, caller)
      },
      async handler(request, reply) {
        const answer = await handle({
          params: request.params as never,
          query: request.query as never,
          body: request.body as never,
          caller: callers.get(request) as Caller,
          request,
          reply,
        })
        reply.status(answer.status).header('cache-control', 'no-store')
        if (answer.headers) reply.headers(answer.headers)
        if (answer.json !== undefined)
          return reply.header('content-type', 'application/json; charset=utf-8').send(answer.json)
        return reply.send(answer.stream ?? answer.body)
      },
    })
  }
}
