import { PASSKEYS_MAX } from '@muripo/contract/constants'
import { PasskeyId } from '@muripo/contract/ids'
import type { MadePasskey, MakeOptions } from '@muripo/contract/passkeys'
import { callerActor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError } from '../../../../platform/errors.ts'
import { browserName, occasion, type Visitor } from '../../devices/visitor.ts'
import { passkeyAddedMail } from '../../emails.ts'
import { requirePassword } from '../../passwords/password-attempts.ts'
import { lockAccount } from '../../persons/store-persons.ts'
import { recordRefusedAttempt } from '../../refused-attempts.ts'
import type { SessionCaller } from '../../sessions/session-auth.ts'
import { consumeChallenge, newChallenge } from '../store-challenges.ts'
import { insertPasskey, type Passkey, passkeysOf } from '../store-passkeys.ts'
import { creationOptions, verifyRegistration } from '../webauthn.ts'

/** Starts to add a passkey. The password permits one, within a few minutes and in this session only. */
export async function startPasskey(
  ctx: Ctx,
  { personId, sessionId }: SessionCaller,
  password: string,
  visitor: Visitor,
): Promise<MakeOptions> {
  const account = await requirePassword(ctx, personId, password, visitor)
  const existing = await passkeysOf(ctx.db.kysely, personId)
  if (existing.length >= PASSKEYS_MAX) throw new AppError('passkeys_full')
  const challenge = await ctx.db.tx((tx) =>
    newChallenge(ctx, { personId, purpose: 'add', id: sessionId }, tx),
  )
  return creationOptions(ctx.config, challenge, account, existing)
}

/** Adds the passkey that the browser made, for the session that gave the password a moment ago. */
export async function addPasskey(
  ctx: Ctx,
  caller: SessionCaller,
  made: MadePasskey,
  visitor: Visitor,
): Promise<Passkey> {
  const { merchantId, personId, sessionId } = caller
  const attempt = { personId, purpose: 'add', id: sessionId } as const
  const challenge = await consumeChallenge(ctx.db.kysely, attempt, ctx.clock.now())
  if (challenge === null) throw new AppError('passkey_expired')
  const checked = await verifyRegistration(ctx.config, challenge, made)
  if (checked === null) {
    await recordRefusedAttempt(ctx, visitor, {
      action: 'account.passkey_refused',
      personId,
      subject: sessionId,
    })
    throw new AppError('passkey_refused')
  }

  return ctx.db.tx(async (tx) => {
    // No other transaction adds a passkey under this lock.
    const account = await lockAccount(tx, personId)
    const existing = await passkeysOf(tx, personId)
    if (existing.length >= PASSKEYS_MAX) throw new AppError('passkeys_full')
    const createdAt = ctx.clock.now()
    const browser = browserName(visitor.userAgent)
    const passkey = await insertPasskey(tx, personId, {
      ...checked,
      id: ctx.ids.next(PasskeyId),
      name: freeName(browser, existing),
      createdAt,
    })
    if (passkey === null) throw new AppError('passkey_taken')
    await audit(ctx, tx, callerActor(caller, { ip: visitor.address, id: visitor.requestId }), {
      action: 'account.passkey_added',
      subject: passkey.id,
      accountId: merchantId,
      details: { browser, synced: passkey.synced },
    })
    const at = occasion(visitor, createdAt, account.timeZone, account.locale)
    await ctx.mailer.send(tx, passkeyAddedMail(account, passkey.name, at))
    return passkey
  })
}

/** "Chrome on Windows", then "Chrome on Windows 2". */
function freeName(browser: string, existing: readonly Passkey[]): string {
  const taken = new Set(existing.map(({ name }) => name))
  const base = browser.charAt(0).toUpperCase() + browser.slice(1)
  const names = [base, ...existing.map((_, index) => `${base} ${index + 2}`)]
  return names.find((name) => !taken.has(name)) ?? base
}
