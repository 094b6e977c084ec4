import { ALLOWED_ADDRESSES_MAX, type NamedKey } from '@muripo/contract/application-keys'
import { KeyId } from '@muripo/contract/ids'
import {
  KEYS_MAX,
  type KeyPermission,
  type KeyPreset,
  keyPermissions,
  keyPresets,
  permissionsOf,
} from '@muripo/contract/permissions'
import { reasonOf } from '@muripo/locales/errors'
import { callerActor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { AppError, invalidField } from '../../../platform/errors.ts'
import { uuidOf } from '../../../platform/ids.ts'
import type { KeyMode } from '../../../platform/settings.ts'
import { enforceThrottle, type SessionCaller, shareLockStatus, throttles } from '../../identity/index.ts'
import { lookupOf, modesOf, newKey } from '../key.ts'
import { notifyKeysChanged } from '../key-cache.ts'
import { normalisedNetwork } from '../key-grant.ts'
import { lockApplication, mirrorApplication } from '../store.ts'
import {
  findNamedKey,
  insertNamedKey,
  type KeyScope,
  listNamedKeys,
  revokeKeyById,
  type StoredKey,
  updateNamedKey,
} from '../store-named-keys.ts'
import { accountIdFor } from './issue-key.ts'

interface Caller {
  readonly caller: SessionCaller
  readonly request: { readonly ip: string; readonly id: string }
}

export interface KeyRequest {
  readonly name: string
  readonly preset?: KeyPreset | undefined
  readonly permissions?: readonly KeyPermission[] | undefined
  readonly mode?: KeyMode | undefined
  readonly expiresAt?: string | null | undefined
  readonly allowedAddresses?: readonly string[] | null | undefined
}

type NewKey = NamedKey & { readonly secret: string }

export const keyToWire = ({ accountId: _, ...key }: StoredKey): NamedKey => key

/** Whether the operator of the gateway lets the role make live keys. */
export const mayMakeLive = (
  { config }: Pick<Ctx, 'config'>,
  { role }: Pick<SessionCaller, 'role'>,
): boolean => config.liveKeyRoles.has(role)

/**
 * Refuses a key with more permissions than its maker has, and a live key of a role that makes none here. A test key moves no money, so that
 * a developer makes each of them.
 * @throws AppError not_permitted
 */
export function requireHeld(
  ctx: Pick<Ctx, 'config'>,
  { role }: Pick<SessionCaller, 'role'>,
  mode: KeyMode,
  permissions: readonly KeyPermission[] = keyPermissions,
): void {
  const missing = permissions.find((permission) => !permissionsOf[role].has(permission))
  if (mode === 'live' && missing !== undefined)
    throw new AppError('not_permitted', { detail: `Your role lacks the permission ${missing}` })
  if (mode === 'live' && !mayMakeLive(ctx, { role }))
    throw new AppError('not_permitted', { reason: reasonOf('liveKeysOfOtherRoles') })
}

/** @throws AppError not_permitted, not_found, merchant_not_active, validation_failed, key_limit_reached, rate_limited */
export async function createKey(
  ctx: Ctx,
  { caller, request }: Caller,
  scope: KeyScope,
  { name, preset, permissions = preset ? keyPresets[preset] : [], ...asked }: KeyRequest,
): Promise<NewKey> {
  const { mode = ctx.config.keyMode } = asked
  if (mode === 'live' && ctx.config.keyMode === 'test')
    throw invalidField('mode', 'This gateway is for tests: it has no live keys')
  requireHeld(ctx, caller, mode, permissions)
  const grant = {
    name,
    mode,
    permissions: [...new Set(permissions)],
    expiresAt: futureIn(ctx, asked.expiresAt ?? null),
    allowedAddresses: networksIn(asked.allowedAddresses ?? null),
  }
  await enforceThrottle(ctx, throttles.keyChanges, caller.merchantId)
  return ctx.db.tx((tx) => issueNamedKey(ctx, tx, { caller, request }, scope, grant))
}

interface Grant {
  readonly name: string
  readonly mode: KeyMode
  readonly permissions: readonly KeyPermission[]
  readonly expiresAt: Date | null
  readonly allowedAddresses: readonly string[] | null
}

async function issueNamedKey(
  ctx: Ctx,
  tx: Tx,
  { caller, request }: Caller,
  scope: KeyScope,
  grant: Grant,
): Promise<NewKey> {
  const { merchantId, applicationId } = scope
  // The lock order is merchant, then application, as in a change of the status.
  const status = await shareLockStatus(tx, merchantId)
  if (!(await lockApplication(tx, merchantId, applicationId))) throw new AppError('not_found')
  if (!modesOf(ctx, status).includes(grant.mode))
    throw new AppError('merchant_not_active', { detail: 'Live keys exist once your account is approved' })
  if ((await listNamedKeys(tx, scope)).length >= KEYS_MAX) throw new AppError('key_limit_reached')
  const accountId = await accountIdFor(ctx, tx, merchantId, grant.mode)
  if (accountId !== merchantId) await mirrorApplication(tx, merchantId, applicationId, accountId)
  const id = ctx.ids.next(KeyId)
  const secret = newKey(ctx.ids, grant.mode, accountId)
  const createdAt = ctx.clock.now()
  const lookup = lookupOf(ctx.keys, secret)
  await insertNamedKey(tx, {
    ...grant,
    accountId,
    applicationId,
    id,
    lookup,
    createdBy: caller.personId,
    createdAt,
  })
  const { name, mode, permissions, expiresAt, allowedAddresses } = grant
  await audit(ctx, tx, callerActor(caller, request), {
    action: 'application.key_created',
    subject: id,
    accountId: merchantId,
    details: { applicationId, name, mode, permissions, expiresAt, allowedAddresses },
  })
  return {
    id,
    name,
    mode,
    permissions: [...permissions],
    expiresAt: expiresAt?.toISOString() ?? null,
    allowedAddresses: allowedAddresses && [...allowedAddresses],
    createdAt: createdAt.toISOString(),
    lastUsedAt: null,
    lastUsedAddress: null,
    secret,
  }
}

interface KeyChangeRequest extends Pick<KeyRequest, 'allowedAddresses'> {
  readonly name?: string | undefined
  readonly expiresAt?: string | undefined
}

/**
 * Changes the name, the networks or the end of a key. Other networks need what a new key with this grant needs.
 * @throws AppError not_found, not_permitted, validation_failed, rate_limited
 */
export async function changeKey(
  ctx: Ctx,
  { caller, request }: Caller,
  scope: KeyScope,
  id: KeyId,
  change: KeyChangeRequest,
): Promise<NamedKey> {
  const expiresAt =
    change.expiresAt === undefined ? undefined : (futureIn(ctx, change.expiresAt) ?? undefined)
  const allowedAddresses =
    change.allowedAddresses === undefined ? undefined : networksIn(change.allowedAddresses)
  await enforceThrottle(ctx, throttles.keyChanges, caller.merchantId)
  return ctx.db.tx(async (tx) => {
    const key = await lockedKey(tx, scope, id)
    if (allowedAddresses !== undefined) requireHeld(ctx, caller, key.mode, key.permissions)
    if (expiresAt !== undefined && key.expiresAt !== null && expiresAt > new Date(key.expiresAt))
      throw invalidField('expiresAt', 'Must not be later than the end of the key')
    await updateNamedKey(tx, key, { name: change.name, expiresAt, allowedAddresses })
    await notifyKeysChanged(tx, scope.applicationId)
    await audit(ctx, tx, callerActor(caller, request), {
      action: 'application.key_changed',
      subject: id,
      accountId: scope.merchantId,
      details: { applicationId: scope.applicationId, ...change },
    })
    return keyToWire(await lockedKey(tx, scope, id))
  })
}

/** Replaces a key by one with the same grant. @throws AppError not_found, not_permitted, key_limit_reached, rate_limited */
export async function rotateKey(
  ctx: Ctx,
  by: Caller,
  scope: KeyScope,
  id: KeyId,
  overlapSeconds: number,
): Promise<NewKey> {
  await enforceThrottle(ctx, throttles.keyChanges, by.caller.merchantId)
  return ctx.db.tx(async (tx) => {
    const key = await lockedKey(tx, scope, id)
    requireHeld(ctx, by.caller, key.mode, key.permissions)
    const end = plusMs(ctx.clock.now(), overlapSeconds * 1000)
    const expiresAt = key.expiresAt === null ? null : new Date(key.expiresAt)
    if (overlapSeconds === 0) await revoke(ctx, tx, by, scope, key)
    else if (expiresAt === null || end < expiresAt) await updateNamedKey(tx, key, { expiresAt: end })
    await notifyKeysChanged(tx, scope.applicationId)
    return issueNamedKey(ctx, tx, by, scope, { ...key, expiresAt })
  })
}

/** @throws AppError not_found, rate_limited */
export async function revokeNamedKey(ctx: Ctx, by: Caller, scope: KeyScope, id: KeyId): Promise<void> {
  await enforceThrottle(ctx, throttles.keyChanges, by.caller.merchantId)
  await ctx.db.tx(async (tx) => {
    await revoke(ctx, tx, by, scope, await lockedKey(tx, scope, id))
    await notifyKeysChanged(tx, scope.applicationId)
  })
}

async function revoke(
  ctx: Ctx,
  tx: Tx,
  { caller, request }: Caller,
  { merchantId, applicationId }: KeyScope,
  { accountId, id }: StoredKey,
): Promise<void> {
  await revokeKeyById(tx, { accountId, applicationId, keyId: uuidOf(id) }, ctx.clock.now())
  await audit(ctx, tx, callerActor(caller, request), {
    action: 'application.key_revoked',
    subject: id,
    accountId: merchantId,
    details: { applicationId },
  })
}

/** A named key, whose application is locked. */
async function lockedKey(tx: Tx, scope: KeyScope, id: KeyId): Promise<StoredKey> {
  await lockApplication(tx, scope.merchantId, scope.applicationId)
  const key = await findNamedKey(tx, scope, id)
  if (key === null) throw new AppError('not_found')
  return key
}

function futureIn(ctx: Ctx, text: string | null): Date | null {
  if (text === null) return null
  const at = new Date(text)
  if (at <= ctx.clock.now()) throw invalidField('expiresAt', 'Must be in the future')
  return at
}

function networksIn(texts: readonly string[] | null): readonly string[] | null {
  if (texts === null || texts.length === 0) return null
  const networks = texts.map(normalisedNetwork)
  const wrong = networks.indexOf(null)
  if (wrong >= 0)
    throw invalidField(
      `allowedAddresses.${wrong}`,
      'Must be an IP address or a network such as 203.0.113.0/24',
    )
  return [...new Set(networks as string[])].slice(0, ALLOWED_ADDRESSES_MAX)
}
