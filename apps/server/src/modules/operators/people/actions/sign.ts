import type { AccountId, OperatorId, ProposalId } from '@muripo/contract/ids'
import type { MadePasskey, MakeOptions, PasskeyRequestOptions, ShownPasskey } from '@muripo/contract/passkeys'
import { type Actor, visitorActor } from '../../../../platform/audit/actor.ts'
import { type AuditEntry, audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Queryable } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import {
  creationOptions,
  requestOptions,
  verifyAssertion,
  verifyRegistration,
} from '../../../identity/index.ts'
import {
  consumeChallenge,
  endEnrolment,
  insertPasskey,
  newChallenge,
  operatorOfLink,
  passkeyWith,
  recordPasskeyUse,
  type Signing,
} from '../store-credentials.ts'
import { lockPresent, type Operator } from '../store-operators.ts'
import { insertSession, type OperatorCaller } from '../store-sessions.ts'

/** Passkeys of operators belong to the address of the console. */
const siteOf = ({ config }: Pick<Ctx, 'config'>) => ({ publicUrl: config.consoleUrl })

const expired = (): AppError => new AppError('invitation_expired')

/** @throws AppError invitation_expired for a link that is unknown, used or expired */
export async function startEnrolment(ctx: Ctx, token: string): Promise<MakeOptions> {
  const operator = await operatorOfLink(ctx, ctx.db.kysely, token)
  if (operator === null) throw expired()
  const challenge = await newChallenge(ctx, ctx.db.kysely, { purpose: 'enrol', operatorId: operator.id })
  const owner = { personId: operator.id, email: operator.email, fullname: operator.name }
  return creationOptions(siteOf(ctx), challenge, owner, [], 'required')
}

/** Registers the passkey that the browser made, and uses the link up. */
export async function finishEnrolment(
  ctx: Ctx,
  { token, passkey }: { readonly token: string; readonly passkey: MadePasskey },
  origin: Pick<Actor, 'address' | 'requestId'>,
): Promise<Operator> {
  const operator = await operatorOfLink(ctx, ctx.db.kysely, token)
  if (operator === null) throw expired()
  const signing = { purpose: 'enrol', operatorId: operator.id } as const
  const challenge = await consumeChallenge(ctx.db.kysely, signing, passkey.clientDataJSON)
  if (challenge === null) throw new AppError('passkey_expired')
  const made = await verifyRegistration(siteOf(ctx), challenge, passkey)
  if (made === null) throw new AppError('passkey_refused')
  return ctx.db.tx(async (tx) => {
    if ((await lockPresent(tx, [operator.id])).length === 0) throw expired()
    if (!(await endEnrolment(ctx, tx, token))) throw expired()
    if (!(await insertPasskey(ctx, tx, operator.id, made))) throw new AppError('passkey_taken')
    await audit(
      ctx,
      tx,
      { kind: 'operator', name: operator.email, ...origin },
      {
        action: 'operator.enrolled',
        subject: operator.id,
        accountId: null,
        details: { synced: made.synced },
      },
    )
    return operator
  })
}

/** The options to sign with any passkey that the authenticator has for the console. */
export async function startSigning(
  ctx: Ctx,
  signing: Signing,
  q: Queryable = ctx.db.kysely,
): Promise<PasskeyRequestOptions> {
  return requestOptions(siteOf(ctx), await newChallenge(ctx, q, signing), [])
}

type Refusal = 'passkey_expired' | 'passkey_refused'

/** The operator whose passkey has signed a challenge of this purpose, or the reason why nobody has, with the owner of the passkey. */
async function signerOf(
  ctx: Ctx,
  signing: Signing,
  shown: ShownPasskey,
): Promise<{ readonly operatorId: OperatorId | null; readonly refusal: Refusal | null }> {
  const challenge = await consumeChallenge(ctx.db.kysely, signing, shown.clientDataJSON)
  const passkey = await passkeyWith(ctx.db.kysely, shown.id)
  const operatorId = passkey?.operatorId ?? null
  if (challenge === null) return { operatorId, refusal: 'passkey_expired' }
  const use = passkey && (await verifyAssertion(siteOf(ctx), challenge, passkey.operatorId, passkey, shown))
  const isGood = use && (await recordPasskeyUse(ctx.db.kysely, passkey.id, use.signCount))
  return { operatorId, refusal: isGood ? null : 'passkey_refused' }
}

/** Records a refused signature, and refuses it. */
async function refuse(
  ctx: Ctx,
  actor: Actor,
  entry: Pick<AuditEntry, 'action' | 'subject' | 'accountId'>,
  refusal: Refusal,
): Promise<never> {
  await ctx.db.tx((tx) => audit(ctx, tx, actor, { ...entry, details: { refusal } }))
  throw new AppError(refusal)
}

/** Checks that the operator's own passkey has signed the approval of this proposal. */
export async function verifySignature(
  ctx: Ctx,
  actor: Actor,
  { operator }: OperatorCaller,
  { id: proposalId, accountId }: { readonly id: ProposalId; readonly accountId: AccountId | null },
  shown: ShownPasskey,
): Promise<void> {
  const signing = { purpose: 'approve', operatorId: operator.id, proposalId } as const
  const { operatorId, refusal } = await signerOf(ctx, signing, shown)
  if (refusal === null && operatorId === operator.id) return
  const entry = { action: 'proposal.signature_refused', subject: proposalId, accountId } as const
  await refuse(ctx, actor, entry, refusal ?? 'passkey_refused')
}

/** Opens a session for the operator of a passkey. */
export async function signIn(
  ctx: Ctx,
  shown: ShownPasskey,
  origin: { readonly address: string; readonly requestId: string },
): Promise<OperatorCaller & { readonly token: string }> {
  const { operatorId, refusal } = await signerOf(ctx, { purpose: 'sign_in' }, shown)
  if (operatorId === null || refusal !== null) {
    const entry = {
      action: 'operator.sign_in_refused',
      subject: operatorId ?? 'unknown',
      accountId: null,
    } as const
    return refuse(ctx, visitorActor(origin), entry, refusal ?? 'passkey_refused')
  }
  return ctx.db.tx(async (tx) => {
    const [operator] = await lockPresent(tx, [operatorId])
    if (!operator) throw new AppError('passkey_refused')
    const session = await insertSession(ctx, tx, operator.id)
    const actor = {
      kind: 'operator',
      name: operator.email,
      credential: session.sessionId,
      ...origin,
    } as const
    await audit(ctx, tx, actor, { action: 'operator.signed_in', subject: operator.id, accountId: null })
    return { operator, ...session }
  })
}
