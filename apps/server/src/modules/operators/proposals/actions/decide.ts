import {
  decidersOf,
  isImmediate,
  type ProposalKind,
  type StoredKind,
} from '@muripo/contract/console-permissions'
import type { AccountId } from '@muripo/contract/ids'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import type { PaymentsCtx } from '../../../payments/index.ts'
import type { ProvidersCtx } from '../../../providers/index.ts'
import { isAnotherOf, lockPresent, type Operator } from '../../people/store-operators.ts'
import { executing } from '../executing.ts'
import { type FourEyes, fourEyesOf } from '../four-eyes.ts'
import { actionOf, kindOf } from '../kinds/index.ts'
import { type KindCtx, refused } from '../kinds/kind.ts'
import type { KindTypes } from '../payloads.ts'
import { expireProposals, insertProposal, type Proposal } from '../store-proposals.ts'

/** The contexts of decisions: that of the coordinator, and that of an account's payments. */
export interface DecisionCtx {
  readonly ctx: ProvidersCtx
  /** Null: of the coordinator. */
  readonly paymentsOf: (accountId: AccountId | null) => PaymentsCtx | Promise<PaymentsCtx>
}

export const kindCtxOf = async (
  { ctx, paymentsOf }: DecisionCtx,
  accountId: AccountId | null,
): Promise<KindCtx> => ({ ...(await paymentsOf(accountId)), config: ctx.config })

export interface Decider {
  readonly actor: Actor
  /** Null for a terminal without a named operator, which decides alone or not at all. */
  readonly operator: Operator | null
}

/** @throws AppError not_permitted with a sentence that names the roles */
export function requireDecider({ role }: Pick<Operator, 'role'>, kind: ProposalKind): void {
  const sentence = whyNotDecider({ role }, kind)
  if (sentence !== null) throw new AppError('not_permitted', { detail: sentence })
}

export const whyNotDecider = ({ role }: Pick<Operator, 'role'>, kind: ProposalKind): string | null =>
  decidersOf[kind].has(role)
    ? null
    : `The role ${role} does not decide this. The roles ${[...decidersOf[kind]].join(' and ')} do`

/**
 * Checks in the transaction of a decision that the operator still decides the kind, and does until it ends: a role that was read before
 * may be another one by now.
 * @throws AppError not_permitted
 */
export async function lockDecider(tx: Tx, { id }: Pick<Operator, 'id'>, kind: ProposalKind): Promise<void> {
  const [present] = await lockPresent(tx, [id])
  if (!present) throw new AppError('not_permitted', { detail: 'This operator was removed' })
  requireDecider(present, kind)
}

/** The sentence for a kind of decision that nobody could approve. */
const nobodyElse = (kind: ProposalKind): string => {
  const roles = [...decidersOf[kind]]
  return `No other operator decides this. Add one with the role ${roles.join(' or ')} on the command line: operators add EMAIL --role ${roles[0]}`
}

/**
 * Makes a decision: proposes it where two operators decide, and otherwise executes it. The only way to the actions of the kinds.
 * @throws AppError proposal_open, proposal_refused, proposal_stale, not_permitted
 */
export async function decide<Name extends ProposalKind>(
  deciding: DecisionCtx,
  decider: Decider,
  name: Name,
  input: { readonly payload: KindTypes[Name]['payload']; readonly reason: string },
  fourEyes?: FourEyes,
): Promise<{ readonly proposed: Proposal } | { readonly result: KindTypes[Name]['result'] }> {
  const { ctx } = deciding
  const { actor, operator } = decider
  const action = actionOf(name)
  const payments = await kindCtxOf(deciding, action.accountOf(input.payload))
  if (operator) requireDecider(operator, name)
  const state = fourEyes ?? (await fourEyesOf(ctx))
  if (state !== 'on' || isImmediate(name)) {
    const marks = state === 'on' ? { marks: { four_eyes: 'immediate' } } : {}
    const alone = executing(payments, {
      before: async (tx) => void (operator && (await lockDecider(tx, operator, name))),
      isDone: () => true,
      after: async () => undefined,
    })
    return { result: await action.execute(alone.ctx, { ...actor, ...marks }, input.payload) }
  }
  if (operator === null) throw new AppError('not_permitted', { detail: 'Two operators decide this' })
  const described = await kindOf(name).describe(payments, input.payload)
  const stored = {
    ...described,
    kind: name as StoredKind,
    reason: input.reason,
    proposedBy: operator.id,
  }
  const proposed = await ctx.db.tx(async (tx) => {
    await lockDecider(tx, operator, name)
    if (!(await isAnotherOf(tx, [...decidersOf[name]], operator.id))) throw refused(nobodyElse(name))
    await expireProposals(tx, stored)
    const proposal = await insertProposal(ctx, tx, stored)
    if (proposal === null) throw new AppError('proposal_open')
    const { id, accountId, subject, reason } = proposal
    await audit(ctx, tx, actor, {
      action: 'proposal.created',
      subject: id,
      accountId,
      details: { kind: name, about: subject, reason },
    })
    return proposal
  })
  return { proposed }
}
