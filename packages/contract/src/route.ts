import type { z } from 'zod'
import type { ConsolePermission } from './console-permissions.ts'
import type { ErrorCode } from './errors.ts'
import type { Permission } from './permissions.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One call on the wire, declared once: it validates the request, types the client and generates the OpenAPI document. */
export interface RouteSpec {
  readonly method: Method
  /** The path below the prefix of its surface, with `:name` parameters. */
  readonly path: string
  /** Callers: `person` and `operator` are everybody with a session, for what is the caller's own. */
  readonly access: Permission | 'person' | ConsolePermission | 'operator' | 'anyone'
  /** Of a call that a member who is limited to some applications may make: its path names the application, or its handler keeps to these. */
  readonly perApplication?: true
  /** Of a call that a person confirms with the password or a code, at most ten minutes before, where the merchant requires a second factor. */
  readonly stepUp?: true
  readonly summary: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** Successful responses by status. */
  readonly reply: Readonly<Record<number, z.ZodType>>
  readonly errors: readonly ErrorCode[]
  /** A change that a suspended or closed merchant may still make, because it protects the account. */
  readonly protectsAccount?: true
  /** For a response that is a stream of server-sent events: the content of each event by its name. */
  readonly events?: Readonly<Record<string, z.ZodType>>
  /** For a response that is a generated file: its media type. */
  readonly file?: string
}

const needsSomething = ({ access }: RouteSpec): boolean =>
  access !== 'anyone' && access !== 'person' && access !== 'operator'

/** A route that needs a permission may also refuse a caller who lacks it, and a session of a person without a second factor. */
export function route<const Spec extends RouteSpec>(spec: Spec): Spec {
  const errors = new Set(spec.errors)
  if (needsSomething(spec)) {
    errors.add('not_permitted')
    if (errors.has('session_invalid')) errors.add('second_factor_required')
  }
  if (spec.stepUp) errors.add('step_up_required')
  return { ...spec, errors: [...errors] }
}

type Output<T> = T extends z.ZodType ? z.output<T> : undefined
type Input<T> = T extends z.ZodType ? z.input<T> : undefined

export type Params<R extends RouteSpec> = Output<R['params']>
export type Query<R extends RouteSpec> = Output<R['query']>
export type Body<R extends RouteSpec> = Output<R['body']>
export type QueryInput<R extends RouteSpec> = Input<R['query']>
export type BodyInput<R extends RouteSpec> = Input<R['body']>
export type Reply<R extends RouteSpec> = Output<R['reply'][keyof R['reply']]>
