import { ENROLMENT_HOURS } from '@muripo/contract/console-sign-in'
import { OperatorId, PasskeyId, type ProposalId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { hmac } from '../../../platform/crypto/keys.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { CHALLENGE_LIFE_MS } from '../../identity/index.ts'
import { operators } from '../tables.ts'
import type { Operator } from './store-operators.ts'

const SECRET_BYTES = 32

const hashLink = (ctx: Ctx, token: string): Buffer => hmac(ctx.keys.otpHash, `operator-enrolment:${token}`)

/** A new one-time link of an operator, in place of the earlier one. Returns its token. */
export async function insertEnrolment(ctx: Ctx, tx: Tx, operatorId: OperatorId): Promise<string> {
  const token = ctx.ids.bytes(SECRET_BYTES).toString('base64url')
  const operator = uuidOf(operatorId)
  await tx
    .updateTable('operator_enrolments')
    .set({ ended_at: sql<Date>`muripo_now()` })
    .where('operator_id', '=', operator)
    .where('ended_at', 'is', null)
    .execute()
  await tx
    .insertInto('operator_enrolments')
    .values({
      token_hash: hashLink(ctx, token),
      operator_id: operator,
      created_at: sql<Date>`muripo_now()`,
      expires_at: sql<Date>`muripo_now() + ${ENROLMENT_HOURS} * interval '1 hour'`,
    })
    .execute()
  return token
}

/** The operator of an open link. */
export async function operatorOfLink(ctx: Ctx, q: Queryable, token: string): Promise<Operator | null> {
  const row = await q
    .selectFrom('operator_enrolments as e')
    .innerJoin('operators as o', 'o.id', 'e.operator_id')
    .select(['o.id', 'o.email', 'o.name', 'o.role', 'o.removed_at'])
    .where('e.token_hash', '=', hashLink(ctx, token))
    .where('e.ended_at', 'is', null)
    .where('e.expires_at', '>', sql<Date>`muripo_now()`)
    .where('o.removed_at', 'is', null)
    .executeTakeFirst()
  return row ? operators.read(row) : null
}

/** Uses a link up. True for one caller only. */
export async function endEnrolment(ctx: Ctx, tx: Tx, token: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('operator_enrolments')
    .set({ ended_at: sql<Date>`muripo_now()` })
    .where('token_hash', '=', hashLink(ctx, token))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Date>`muripo_now()`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The purpose of a challenge. An approval is signed for one proposal. */
export type Signing =
  | { readonly purpose: 'sign_in' }
  | { readonly purpose: 'enrol'; readonly operatorId: OperatorId }
  | { readonly purpose: 'approve'; readonly operatorId: OperatorId; readonly proposalId: ProposalId }

const rowOf = (signing: Signing) => ({
  purpose: signing.purpose,
  operator_id: signing.purpose === 'sign_in' ? null : uuidOf(signing.operatorId),
  subject: signing.purpose === 'approve' ? uuidOf(signing.proposalId) : null,
})

export async function newChallenge(ctx: Ctx, q: Queryable, signing: Signing): Promise<Buffer> {
  const challenge = ctx.ids.bytes(SECRET_BYTES)
  await q
    .insertInto('operator_challenges')
    .values({
      challenge,
      ...rowOf(signing),
      expires_at: sql<Date>`muripo_now() + ${CHALLENGE_LIFE_MS} * interval '1 millisecond'`,
    })
    .execute()
  return challenge
}

/** The challenge that an authenticator's response names, once; null when it was not issued for this purpose, has expired or was used. */
export async function consumeChallenge(
  q: Queryable,
  signing: Signing,
  clientDataJSON: string,
): Promise<Buffer | null> {
  const challenge = challengeIn(clientDataJSON)
  if (challenge === null) return null
  const { purpose, operator_id, subject } = rowOf(signing)
  const row = await q
    .deleteFrom('operator_challenges')
    .where('challenge', '=', challenge)
    .where('purpose', '=', purpose)
    .where(
      sql<boolean>`operator_id is not distinct from ${operator_id}::uuid and subject is not distinct from ${subject}::uuid`,
    )
    .where('expires_at', '>', sql<Date>`muripo_now()`)
    .returning('challenge')
    .executeTakeFirst()
  return row?.challenge ?? null
}

function challengeIn(clientDataJSON: string): Buffer | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    const bytes = Buffer.from(String(challenge), 'base64url')
    return bytes.length === SECRET_BYTES ? bytes : null
  } catch {
    return null
  }
}

export interface StoredPasskey {
  readonly id: PasskeyId
  readonly operatorId: OperatorId
  readonly publicKey: Buffer
}

/** False when somebody has the credential already. */
export async function insertPasskey(
  ctx: Ctx,
  tx: Tx,
  operatorId: OperatorId,
  made: { readonly credentialId: Buffer; readonly publicKey: Buffer; readonly signCount: bigint },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('operator_passkeys')
    .values({
      id: uuidOf(ctx.ids.next(PasskeyId)),
      operator_id: uuidOf(operatorId),
      credential_id: made.credentialId,
      public_key: made.publicKey,
      sign_count: made.signCount,
      created_at: ctx.clock.now(),
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** The passkey with a credential id, of an operator who is not removed. */
export async function passkeyWith(q: Queryable, credentialId: string): Promise<StoredPasskey | null> {
  const row = await q
    .selectFrom('operator_passkeys as k')
    .innerJoin('operators as o', 'o.id', 'k.operator_id')
    .select(['k.id', 'k.operator_id', 'k.public_key'])
    .where('k.credential_id', '=', Buffer.from(credentialId, 'base64url'))
    .where('o.removed_at', 'is', null)
    .executeTakeFirst()
  return row
    ? {
        id: idFrom(PasskeyId, row.id),
        operatorId: idFrom(OperatorId, row.operator_id),
        publicKey: row.public_key,
      }
    : null
}

/** False when the counter of the authenticator has not increased: then it was copied. An authenticator that does not count sends 0. */
export async function recordPasskeyUse(q: Queryable, id: PasskeyId, signCount: bigint): Promise<boolean> {
  const { numUpdatedRows } = await q
    .updateTable('operator_passkeys')
    .set({ sign_count: signCount, last_used_at: sql<Date>`muripo_now()` })
    .where('id', '=', uuidOf(id))
    .where((eb) => (signCount === 0n ? eb('sign_count', '=', 0n) : eb('sign_count', '<', signCount)))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
