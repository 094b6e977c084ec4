import type { OperatorRole } from '@muripo/contract/console-permissions'
import type { OperatorId } from '@muripo/contract/ids'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { insertEnrolment } from '../store-credentials.ts'
import {
  markRemoved,
  type Operator,
  operatorByEmail,
  updateRole,
  upsertOperator,
} from '../store-operators.ts'

export interface Added {
  readonly operator: Operator
  /** The address of the one-time link, which registers a passkey. */
  readonly link: string
  readonly isNew: boolean
}

/**
 * Adds an operator, or makes another link for an operator with the same role. Null: the operator has another role.
 * @param deliver sends the link, in the same transaction
 */
export const addOperator = (
  ctx: Ctx,
  actor: Actor,
  person: { readonly email: string; readonly name: string; readonly role: OperatorRole },
  deliver: (tx: Tx, added: Added) => Promise<void> = async () => undefined,
): Promise<Added | null> =>
  ctx.db.tx(async (tx) => {
    const added = await upsertOperator(ctx, tx, person)
    const operator = added ?? (await operatorByEmail(tx, person.email))
    if (operator === null || operator.role !== person.role) return null
    const token = await insertEnrolment(ctx, tx, operator.id)
    const { id: subject, email, role } = operator
    await audit(ctx, tx, actor, {
      action: 'operator.added',
      subject,
      accountId: null,
      details: { email, role, link: added ? 'first' : 'another' },
    })
    const link = `${ctx.config.consoleUrl}/console/enrol#${token}`
    const result = { operator, link, isNew: added !== null }
    await deliver(tx, result)
    return result
  })

/** Closes the open proposals of an operator. */
type CloseProposals = (ctx: Ctx, tx: Tx, actor: Actor, id: OperatorId) => Promise<void>

/**
 * Changes the role of an operator. Each call reads the role, so that it takes effect at once.
 * @param closeProposals closes the open proposals of the operator, which another role may not have made
 * @returns false when nobody with the email is an operator, or the role is the same
 */
export const changeRole = (
  ctx: Ctx,
  actor: Actor,
  email: string,
  role: OperatorRole,
  closeProposals: CloseProposals,
): Promise<boolean> =>
  ctx.db.tx(async (tx) => {
    const operator = await operatorByEmail(tx, email)
    if (operator === null || !(await updateRole(tx, operator.id, role))) return false
    await closeProposals(ctx, tx, actor, operator.id)
    await audit(ctx, tx, actor, {
      action: 'operator.role_changed',
      subject: operator.id,
      accountId: null,
      details: { email: operator.email, from: operator.role, to: role },
    })
    return true
  })

/**
 * Removes an operator: sessions, links and passkeys end with the commit.
 * @param closeProposals closes the open proposals of the operator, in the same transaction
 * @returns null when nobody with the email is an operator
 */
export const removeOperator = (
  ctx: Ctx,
  actor: Actor,
  email: string,
  closeProposals: CloseProposals,
): Promise<Operator | null> =>
  ctx.db.tx(async (tx) => {
    const operator = await operatorByEmail(tx, email)
    if (operator === null || !(await markRemoved(tx, operator.id, ctx.clock.now()))) return null
    await closeProposals(ctx, tx, actor, operator.id)
    const { id: subject, role } = operator
    await audit(ctx, tx, actor, {
      action: 'operator.removed',
      subject,
      accountId: null,
      details: { email: operator.email, role },
    })
    return operator
  })
