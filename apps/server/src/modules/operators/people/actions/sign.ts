import type { OperatorId, ProposalId } from '@muripo/contract/ids'
import type { MadePasskey, MakeOptions, PasskeyRequestOptions, ShownPasskey } from '@muripo/contract/passkeys'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
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

/** The operator whose passkey has signed a challenge of this purpose. */
async function signerOf(ctx: Ctx, signing: Signing, shown: ShownPasskey): Promise<OperatorId> {
  const challenge = await consumeChallenge(ctx.db.kysely, signing, shown.clientDataJSON)
  if (challenge === null) throw new AppError('passkey_expired')
  const passkey = await passkeyWith(ctx.db.kysely, shown.id)
  const use = passkey && (await verifyAssertion(siteOf(ctx), challenge, passkey.operatorId, passkey, shown))
  if (!use || !(await recordPasskeyUse(ctx.db.kysely, passkey.id, use.signCount)))
    throw new AppError('passkey_refused')
  return passkey.operatorId
}

/** Checks that the operator's own passkey has signed the approval of this proposal. */
export async function verifySignature(
  ctx: Ctx,
  { operator }: OperatorCaller,
  proposalId: ProposalId,
  shown: ShownPasskey,
): Promise<void> {
  const signing = { purpose: 'approve', operatorId: operator.id, proposalId } as const
  if ((await signerOf(ctx, signing, shown)) !== operator.id) throw new AppError('passkey_refused')
}

/** Opens a session for the operator of a passkey. */
export async function signIn(
  ctx: Ctx,
  shown: ShownPasskey,
  origin: Pick<Actor, 'address' | 'requestId'>,
): Promise<OperatorCaller & { readonly token: string }> {
  const operatorId = await signerOf(ctx, { purpose: 'sign_in' }, shown)
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
