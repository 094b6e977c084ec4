import { IDLE_MINUTES, LIFE_HOURS } from '@muripo/contract/console-session'
import { type OperatorId, OperatorSessionId } from '@muripo/contract/ids'
import { type SqlBool, sql } from 'kysely'
import { hmac } from '../../../platform/crypto/keys.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { operators } from '../tables.ts'
import type { Operator } from './store-operators.ts'

const TOKEN_BYTES = 32
const TOUCH_EVERY_SECONDS = 30

/** The key has no other purpose, so that no token of a merchant is one of an operator. */
const hashToken = (ctx: Ctx, token: string): Buffer => hmac(ctx.keys.otpHash, `operator-session:${token}`)

export interface OperatorCaller {
  readonly operator: Operator
  readonly sessionId: OperatorSessionId
  readonly sessionEndsAt: Date
}

/** Opens a session. Returns its token. */
export async function insertSession(
  ctx: Ctx,
  tx: Tx,
  operatorId: OperatorId,
): Promise<{ readonly token: string; readonly sessionId: OperatorSessionId; readonly sessionEndsAt: Date }> {
  const token = ctx.ids.bytes(TOKEN_BYTES).toString('base64url')
  const sessionId = ctx.ids.next(OperatorSessionId)
  const { expires_at } = await tx
    .insertInto('operator_sessions')
    .values({
      id: uuidOf(sessionId),
      token_hash: hashToken(ctx, token),
      operator_id: uuidOf(operatorId),
      created_at: sql<Date>`muripo_now()`,
      last_used_at: sql<Date>`muripo_now()`,
      expires_at: sql<Date>`muripo_now() + ${LIFE_HOURS} * interval '1 hour'`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return { token, sessionId, sessionEndsAt: expires_at }
}

const live = sql<SqlBool>`s.ended_at is null and o.removed_at is null and s.expires_at > muripo_now()
  and s.last_used_at > muripo_now() - ${IDLE_MINUTES} * interval '1 minute'`

const liveSessions = (q: Queryable) =>
  q
    .selectFrom('operator_sessions as s')
    .innerJoin('operators as o', 'o.id', 's.operator_id')
    .select([
      's.id as session_id',
      's.expires_at',
      'o.id',
      'o.email',
      'o.name',
      'o.role',
      'o.removed_at',
      sql<boolean>`s.last_used_at < muripo_now() - ${TOUCH_EVERY_SECONDS} * interval '1 second'`.as('is_due'),
    ])
    .where(live)

/** The caller of a token; null when its session has ended or its operator was removed. A use prolongs the session. */
export async function findCaller(ctx: Ctx, token: string): Promise<OperatorCaller | null> {
  const row = await liveSessions(ctx.db.kysely)
    .where('s.token_hash', '=', hashToken(ctx, token))
    .executeTakeFirst()
  if (!row) return null
  if (row.is_due)
    await ctx.db.kysely
      .updateTable('operator_sessions')
      .set({ last_used_at: sql<Date>`muripo_now()` })
      .where('id', '=', row.session_id)
      .execute()
  return {
    operator: operators.read(row),
    sessionId: idFrom(OperatorSessionId, row.session_id),
    sessionEndsAt: row.expires_at,
  }
}

/** The operator of a session that has not ended. In a transaction the operator is not removed until it ends. */
export async function confirmCaller(
  q: Queryable,
  { sessionId }: OperatorCaller,
  isTransaction: boolean,
): Promise<Operator | null> {
  const query = liveSessions(q).where('s.id', '=', uuidOf(sessionId))
  const row = await (isTransaction ? query.forShare('o') : query).executeTakeFirst()
  return row ? operators.read(row) : null
}

export async function endSession(tx: Tx, sessionId: OperatorSessionId): Promise<void> {
  await tx
    .updateTable('operator_sessions')
    .set({ ended_at: sql<Date>`muripo_now()` })
    .where('id', '=', uuidOf(sessionId))
    .where('ended_at', 'is', null)
    .execute()
}
