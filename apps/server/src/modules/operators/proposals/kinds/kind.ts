import type { AccountId } from '@muripo/contract/ids'
import type { Line } from '@muripo/contract/proposal-lines'
import type { ProposalInput } from '@muripo/contract/proposals'
import type { Actor } from '../../../../platform/audit/actor.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import { type PaymentsCtx, ReferenceTakenError } from '../../../payments/index.ts'
import { AccountRefused, type ProvidersCtx } from '../../../providers/index.ts'

/** The context of a decision: that of the account's payments, with the settings of accounts at providers. */
export type KindCtx = PaymentsCtx & Pick<ProvidersCtx, 'config'>

/** A decision as it is stored, with the lines that the second operator reads. */
interface Described<Payload> {
  readonly payload: Payload
  readonly subject: string
  /** Null for a subject of no merchant, or of several. */
  readonly accountId: AccountId | null
  readonly version: string
  readonly about: string
  readonly diff: Line[]
}

/** One kind of decision that one operator makes. Nothing else in the server calls the actions of these kinds. */
export interface ImmediateKind<Payload, Result> {
  /** The account in whose database the decision is executed; null for that of the coordinator. */
  readonly accountOf: (payload: Payload) => AccountId | null
  execute(ctx: KindCtx, actor: Actor, payload: Payload): Promise<Result>
  /** The reason why the action has executed nothing; null when it has. */
  whyNot(result: Result): string | null
}

/** One kind of decision that two operators make. */
export interface Kind<Payload, Result> extends ImmediateKind<Payload, Result> {
  /** @throws AppError proposal_refused, proposal_stale when the decision is not possible in the present state */
  describe(ctx: KindCtx, payload: Payload): Promise<Described<Payload>>
  /** The version of the subject in the transaction of an approval. */
  versionIn(tx: Tx, payload: Payload): Promise<string>
  /** Whether a transaction of the action has executed it, by the result of that transaction. */
  isDone(result: unknown): boolean
}

export const notPossible = 'This is not possible in the present state'

/** A line of a proposal, which names a change that the approval makes. */
export const line = (label: Line['label'], to: string, from: string | null = null): Line => ({
  label,
  from,
  to,
})

/** @param field the field of the form beside which the sentence is shown */
export const refused = (detail: string, field?: keyof ProposalInput): AppError =>
  new AppError('proposal_refused', { detail, ...(field && { fields: [{ field, message: detail }] }) })

export const missing = (detail: string): AppError => new AppError('not_found', { detail })

/** The reason of an action that reports its success as one word. */
export const unless =
  <Result>(done: Result) =>
  (result: Result): string | null =>
    result === done ? null : notPossible

/** The same, where each other word has its sentence. */
export const sentences =
  <Result extends string>(of: Readonly<Record<Exclude<Result, 'done'>, string>>) =>
  (result: Result): string | null =>
    result === 'done' ? null : of[result as Exclude<Result, 'done'>]

/** The refusals that actions throw. Each of them has changed nothing. */
const refusals: ReadonlySet<string> = new Set([
  'payment_not_refundable',
  'refund_mismatch',
  'refund_exceeds_remaining',
  'refund_conflict',
  'refund_declined',
  'proposal_refused',
])

/** The sentence of a refusal that an action has thrown; null for any other error. */
export function refusalIn(error: unknown): string | null {
  if (error instanceof ReferenceTakenError || error instanceof AccountRefused) return error.message
  return error instanceof AppError && refusals.has(error.code) ? error.message : null
}
