import type { Tokens } from '@muripo/contract/auth'
import {
  type ApplicationId,
  FileId,
  InvitationId,
  MerchantId,
  PasskeyId,
  PersonId,
} from '@muripo/contract/ids'
import type { GrantedRole } from '@muripo/contract/team'
import type { FastifyInstance } from 'fastify'
import { plusMs } from '../../platform/clock.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { coordinatorOf } from '../../platform/db/databases.ts'
import { anyone, mount } from '../../platform/http/route.ts'
import { createHttp } from '../../platform/http/server.ts'
import { runDueJobs } from '../../platform/jobs/jobs.ts'
import { activityRoutes } from './activity/routes.ts'
import { upsertDevice } from './devices/store-devices.ts'
import { type Device, newDevice, type Visitor } from './devices/visitor.ts'
import { documentUrl } from './documents/document-url.ts'
import { uploadRoutes } from './documents/routes.ts'
import { claimDocument, insertDocument } from './documents/store-documents.ts'
import type { MinimumThroughput } from './documents/upload-stream.ts'
import { identityJobs } from './jobs.ts'
import { invitationRoutes, teamRoutes } from './memberships/routes.ts'
import { insertInvitation } from './memberships/store-invitations.ts'
import { insertMembership, insertOwnedMerchant, ownerOf } from './memberships/store-memberships.ts'
import type { NewMerchant } from './merchants/store-merchants.ts'
import { insertPasskey, type Passkey } from './passkeys/store-passkeys.ts'
import { hashPassword } from './passwords/hashing.ts'
import { insertPerson, proveAccount } from './persons/store-persons.ts'
import { identityRoutes, publicIdentityRoutes, signOutRoutes } from './routes.ts'
import { type SessionCaller, sessionAuth, tokenHolderAuth } from './sessions/session-auth.ts'
import { openSession } from './sessions/sessions.ts'
import { DAY_MS } from './throttles.ts'

export interface MadeMerchant {
  readonly merchantId: MerchantId
  /** The owner. */
  readonly personId: PersonId
  readonly email: string
  readonly password: string
}

type Overrides = Partial<NewMerchant> & {
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
    documentType: 'tax_id',
    documentId: ctx.ids.next(FileId),
    createdAt: ctx.clock.now(),
    ...fields,
  }
  const personId = ctx.ids.next(PersonId)
  const passwordHash = await hashOnce(ctx, password)
  await coordinatorOf(ctx).db.tx(async (tx) => {
    await insertDocument(tx, { ...emptyDocument(ctx, merchant.documentId), uploadedAt: merchant.createdAt })
    await claimDocument(tx, merchant.documentId, merchant.createdAt)
    const { fullname, email, createdAt } = merchant
    await insertOwnedMerchant(tx, merchant, {
      personId,
      fullname,
      email,
      passwordHash,
      locale: null,
      createdAt,
    })
    if (isProven) await proveAccount(tx, personId)
  })
  return { merchantId: merchant.id, personId, email: merchant.email, password }
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

/** A browser in which the owner is signed in. */
export const makeSession = async (ctx: Ctx, merchantId: MerchantId): Promise<Tokens> =>
  (await openedSession(ctx, merchantId)).tokens

export const openedSession = (
  ctx: Ctx,
  merchantId: MerchantId,
  from: Pick<Visitor, 'userAgent' | 'address'> = unrecognisedVisitor,
) =>
  coordinatorOf(ctx).db.tx(async (tx) =>
    openSession(ctx, tx, { merchantId, personId: await ownerOf(tx, merchantId) }, from),
  )

/** A caller without a recognised device. */
export const unrecognisedVisitor: Visitor = {
  address: '203.0.113.1',
  requestId: 'request-1',
  userAgent: '',
  device: null,
  locale: 'en',
}

export interface MadeMember {
  readonly personId: PersonId
  readonly email: string
  readonly password: string
  readonly tokens: Tokens
}

/** Another person in the team of a merchant, signed in. */
export async function makeMember(
  ctx: Ctx,
  merchantId: MerchantId,
  role: GrantedRole,
  applications: readonly ApplicationId[] | null = null,
): Promise<MadeMember> {
  count += 1
  const password = 'correct horse battery'
  const person = {
    personId: ctx.ids.next(PersonId),
    fullname: `Member ${count}`,
    email: `member-${count}@example.com`,
    passwordHash: await hashOnce(ctx, password),
    locale: null,
    createdAt: ctx.clock.now(),
  }
  const { personId, email, createdAt } = person
  const { tokens } = await coordinatorOf(ctx).db.tx(async (tx) => {
    await insertPerson(tx, person)
    await proveAccount(tx, personId)
    await insertMembership(tx, { merchantId, personId, role, applications, createdAt })
    return openSession(ctx, tx, { merchantId, personId }, unrecognisedVisitor)
  })
  return { personId, email, password, tokens }
}

/** An open invitation by the owner. */
export async function makeInvitation(ctx: Ctx, merchantId: MerchantId): Promise<InvitationId> {
  count += 1
  const id = ctx.ids.next(InvitationId)
  const createdAt = ctx.clock.now()
  await coordinatorOf(ctx).db.tx(async (tx) => {
    const invitedBy = await ownerOf(tx, merchantId)
    const invitation = {
      merchantId,
      id,
      tokenHash: ctx.ids.bytes(32),
      email: `invited-${count}@example.com`,
      role: 'viewer',
      applications: null,
      invitedBy,
      expiresAt: plusMs(createdAt, DAY_MS),
    } as const
    await insertInvitation(tx, invitation, createdAt)
  })
  return id
}

/** The owner as the caller of a route. */
export async function ownerCaller(ctx: Ctx, merchantId: MerchantId): Promise<SessionCaller> {
  const { sessionId } = await openedSession(ctx, merchantId)
  const personId = await ownerOf(coordinatorOf(ctx).db.kysely, merchantId)
  return {
    merchantId,
    personId,
    sessionId,
    role: 'owner',
    applications: null,
    tokenRefusedAt: ctx.clock.now(),
    secondFactorDueAt: null,
    passkeyDueAt: null,
  }
}

/** A browser from which the merchant has signed in. */
export async function makeDevice(ctx: Ctx, merchantId: MerchantId): Promise<Device> {
  const device = newDevice(ctx)
  await coordinatorOf(ctx).db.tx(async (tx) =>
    upsertDevice(tx, await ownerOf(tx, merchantId), device.hash, ctx.clock.now()),
  )
  return device
}

/** A passkey in the list of the account; no authenticator holds its key. */
export async function makePasskey(ctx: Ctx, merchantId: MerchantId): Promise<Passkey> {
  const passkey = await coordinatorOf(ctx).db.tx(async (tx) =>
    insertPasskey(tx, await ownerOf(tx, merchantId), {
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
  const namesOf = async () => new Map()
  mount(app, '/v1', anyone, [...publicIdentityRoutes(ctx), ...invitationRoutes(ctx, namesOf)])
  mount(app, '/v1', tokenHolderAuth(ctx), signOutRoutes(ctx))
  mount(app, '/v1', sessionAuth(ctx), [
    ...identityRoutes(ctx),
    ...teamRoutes(ctx, namesOf, async () => ({ keys: [], endpoints: [] })),
    ...activityRoutes(ctx),
  ])
  return app
}

/** Runs the due jobs of this module and returns when none is left. */
export async function runIdentityJobs(ctx: Ctx): Promise<void> {
  await runDueJobs(ctx.db.kysely, identityJobs(ctx), ctx.log)
}
