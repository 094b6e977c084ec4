import type { Tokens } from '@muripo/contract/auth'
import { FileId, MerchantId, PasskeyId } from '@muripo/contract/ids'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../platform/ctx.ts'
import { coordinatorOf } from '../../platform/db/databases.ts'
import { anyone, mount } from '../../platform/http/route.ts'
import { createHttp } from '../../platform/http/server.ts'
import { runDueJobs } from '../../platform/jobs/jobs.ts'
import { insertMerchant, type NewMerchant, proveAccount } from './accounts/store-accounts.ts'
import { upsertDevice } from './devices/store-devices.ts'
import { type Device, newDevice, type Visitor } from './devices/visitor.ts'
import { documentUrl } from './documents/document-url.ts'
import { uploadRoutes } from './documents/routes.ts'
import { claimDocument, insertDocument } from './documents/store-documents.ts'
import type { MinimumThroughput } from './documents/upload-stream.ts'
import { identityJobs } from './jobs.ts'
import { insertPasskey, type Passkey } from './passkeys/store-passkeys.ts'
import { hashPassword } from './passwords/hashing.ts'
import { identityRoutes, publicIdentityRoutes, signOutRoutes } from './routes.ts'
import { sessionAuth, tokenHolderAuth } from './sessions/session-auth.ts'
import { openSession } from './sessions/sessions.ts'

export interface MadeMerchant {
  readonly merchantId: MerchantId
  readonly email: string
  readonly password: string
}

type Overrides = Partial<Omit<NewMerchant, 'passwordHash'>> & {
  readonly password?: string
  readonly isProven?: boolean
}

let count = 0

/** A merchant that has signed in before. */
export async function makeMerchant(ctx: Ctx, overrides: Overrides = {}): Promise<MadeMerchant> {
  count += 1
  const { password = 'correct horse battery', isProven = true, ...fields } = overrides
  const merchant: NewMerchant = {
    id: ctx.ids.next(MerchantId),
    accountType: 'business',
    fullname: 'Tendai Moyo',
    email: `merchant-${count}@example.com`,
    phone: '+263771234567',
    passwordHash: await hashOnce(ctx, password),
    documentType: 'tax_id',
    documentId: ctx.ids.next(FileId),
    createdAt: ctx.clock.now(),
    ...fields,
  }
  await coordinatorOf(ctx).db.tx(async (tx) => {
    await insertDocument(tx, { ...emptyDocument(ctx, merchant.documentId), uploadedAt: merchant.createdAt })
    await claimDocument(tx, merchant.documentId, merchant.createdAt)
    await insertMerchant(tx, merchant)
    if (isProven) await proveAccount(tx, merchant.id)
  })
  return { merchantId: merchant.id, email: merchant.email, password }
}

// Hashing is slow, so all merchants with the same password share one hash.
const hashes = new Map<string, Promise<string>>()
function hashOnce(ctx: Ctx, password: string): Promise<string> {
  // Test files of one worker share this module and may configure another cost.
  const { memoryKib, passes } = ctx.config.passwords
  const key = [ctx.keys.passwordPepper.toString('hex'), memoryKib, passes, password].join(':')
  const known = hashes.get(key) ?? hashPassword(ctx, password)
  hashes.set(key, known)
  return known
}

/** A browser that is signed in. */
export const makeSession = async (ctx: Ctx, merchantId: MerchantId): Promise<Tokens> =>
  (await openedSession(ctx, merchantId)).tokens

export const openedSession = (
  ctx: Ctx,
  merchantId: MerchantId,
  from: Pick<Visitor, 'userAgent' | 'address'> = unrecognisedVisitor,
) => coordinatorOf(ctx).db.tx((tx) => openSession(ctx, tx, merchantId, from))

/** A caller without a recognised device. */
export const unrecognisedVisitor: Visitor = {
  address: '203.0.113.1',
  requestId: 'request-1',
  userAgent: '',
  device: null,
  locale: 'en',
}

/** A browser from which the merchant has signed in. */
export async function makeDevice(ctx: Ctx, merchantId: MerchantId): Promise<Device> {
  const device = newDevice(ctx)
  await coordinatorOf(ctx).db.tx((tx) => upsertDevice(tx, merchantId, device.hash, ctx.clock.now()))
  return device
}

/** A passkey in the list of the account; no authenticator holds its key. */
export async function makePasskey(ctx: Ctx, merchantId: MerchantId): Promise<Passkey> {
  const passkey = await coordinatorOf(ctx).db.tx((tx) =>
    insertPasskey(tx, merchantId, {
      id: ctx.ids.next(PasskeyId),
      credentialId: ctx.ids.bytes(32),
      publicKey: ctx.ids.bytes(77),
      signCount: 0n,
      transports: ['internal'],
      synced: false,
      name: 'Chrome on Windows',
      createdAt: ctx.clock.now(),
    }),
  )
  if (passkey === null) throw new Error('the same 32 random bytes twice')
  return passkey
}

/** The address of an unclaimed document. */
export async function makeDocumentUrl(ctx: Ctx): Promise<string> {
  const id = ctx.ids.next(FileId)
  await coordinatorOf(ctx).db.tx((tx) => insertDocument(tx, emptyDocument(ctx, id)))
  return documentUrl(ctx, id)
}

const emptyDocument = (ctx: Ctx, id: FileId) => ({
  id,
  storageKey: id,
  keyId: ctx.keys.ring.activeId,
  sizeBytes: 1,
  sha256: Buffer.alloc(32),
  uploadedAt: ctx.clock.now(),
  sender: Buffer.alloc(32),
})

/** This module alone, as a server. */
export async function makeIdentityApp(ctx: Ctx, slowestUpload?: MinimumThroughput): Promise<FastifyInstance> {
  const app = createHttp(ctx.config, ctx.log)
  await uploadRoutes(app, ctx, slowestUpload)
  mount(app, '/v1', anyone, publicIdentityRoutes(ctx))
  mount(app, '/v1', tokenHolderAuth(ctx), signOutRoutes(ctx))
  mount(app, '/v1', sessionAuth(ctx), identityRoutes(ctx))
  return app
}

/** Runs the due jobs of this module and returns when none is left. */
export async function runIdentityJobs(ctx: Ctx): Promise<void> {
  await runDueJobs(ctx.db.kysely, identityJobs(ctx), ctx.log)
}
