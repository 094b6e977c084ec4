import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import { SessionId } from '@muripo/contract/ids'
import type { MadePasskey, MakeOptions, PasskeyRequestOptions, ShownPasskey } from '@muripo/contract/passkeys'
import { cose, isoCBOR } from '@simplewebauthn/server/helpers'
import { type MadeMerchant, unrecognisedVisitor } from '../src/modules/identity/factory.ts'
import { addPasskey, startPasskey } from '../src/modules/identity/passkeys/actions/add-passkey.ts'
import type { Passkey } from '../src/modules/identity/passkeys/store-passkeys.ts'
import type { Ctx } from '../src/platform/ctx.ts'

type Attest = (signed: Buffer, privateKey: KeyObject) => { format: string; statement: object }

/** Deviations of an attacker's browser or authenticator; an absent one is correct. */
export interface Oddness {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly crossOrigin?: boolean
  readonly userVerified?: boolean
  readonly userPresent?: boolean
  readonly signCount?: number
  /** Presents and signs with this credential, whatever was requested. */
  readonly credentialId?: string
  readonly userHandle?: string
  readonly signature?: Buffer
  readonly attestation?: Attest
}

interface Stored {
  readonly privateKey: KeyObject
  readonly rpId: string
  readonly userHandle: string
  signCount: number
}

const flagsOf = ({ userPresent = true, userVerified = true }: Oddness, synced: boolean, attested: boolean) =>
  (userPresent ? 0x01 : 0) | (userVerified ? 0x04 : 0) | (synced ? 0x18 : 0) | (attested ? 0x40 : 0)

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const uint = (bytes: number, value: number): Buffer => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

/**
 * A browser on a page with an authenticator: creates P-256 passkeys and signs with them as in WebAuthn. A synced authenticator has no
 * signature counter.
 */
export function createAuthenticator(page: { origin: string }, { synced = false } = {}) {
  const stored = new Map<string, Stored>()

  const clientData = (type: string, challenge: string, odd: Oddness): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: odd.type ?? type,
        challenge: odd.challenge ?? challenge,
        origin: odd.origin ?? page.origin,
        crossOrigin: odd.crossOrigin ?? false,
      }),
    )

  return {
    make(options: MakeOptions, odd: Oddness = {}): MadePasskey {
      const id = randomBytes(32)
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const name = odd.credentialId ?? id.toString('base64url')
      stored.set(name, { privateKey, rpId: options.rp.id, userHandle: options.user.id, signCount: 0 })
      const clientDataJSON = clientData('webauthn.create', options.challenge, odd)
      const rawId = Buffer.from(name, 'base64url')
      const authenticatorData = Buffer.concat([
        sha256(odd.rpId ?? options.rp.id),
        uint(1, flagsOf(odd, synced, true)),
        uint(4, odd.signCount ?? 0),
        Buffer.alloc(16),
        uint(2, rawId.length),
        rawId,
        coseKey(publicKey),
      ])
      const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)])
      const { format, statement } = odd.attestation?.(signed, privateKey) ?? { format: 'none', statement: {} }
      const attestation = new Map<string, unknown>([
        ['fmt', format],
        ['attStmt', new Map(Object.entries(statement))],
        ['authData', Uint8Array.from(authenticatorData)],
      ])
      return {
        id: name,
        clientDataJSON: clientDataJSON.toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
        transports: ['internal'],
      }
    },

    show(options: PasskeyRequestOptions, odd: Oddness = {}): ShownPasskey {
      const listed = options.allowCredentials.find((one) => stored.has(one.id))?.id
      const discovered = options.allowCredentials.length === 0 ? [...stored.keys()].at(-1) : undefined
      const id = odd.credentialId ?? listed ?? discovered ?? ''
      const passkey = stored.get(id)
      if (!passkey) throw new Error('no passkey on this device')
      if (!synced) passkey.signCount += 1
      const clientDataJSON = clientData('webauthn.get', options.challenge, odd)
      const authenticatorData = Buffer.concat([
        sha256(odd.rpId ?? options.rpId),
        uint(1, flagsOf(odd, synced, false)),
        uint(4, odd.signCount ?? passkey.signCount),
      ])
      const signature =
        odd.signature ??
        sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), passkey.privateKey)
      return {
        id,
        clientDataJSON: clientDataJSON.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: odd.userHandle ?? passkey.userHandle,
      }
    },
  }
}

/** An attestation signed with the new key itself. */
export const selfAttested: Attest = (signed, privateKey) => ({
  format: 'packed',
  statement: { alg: cose.COSEALG.ES256, sig: Uint8Array.from(sign('sha256', signed, privateKey)) },
})

/** An attestation with a self-made certificate, which the library alone would accept. */
export const certified: Attest = (signed) => ({
  format: 'packed',
  statement: {
    alg: cose.COSEALG.ES256,
    sig: Uint8Array.from(sign('sha256', signed, homeMadeKey)),
    x5c: [Uint8Array.from(Buffer.from(homeMadeCertificate, 'base64'))],
  },
})

const homeMadeCertificate =
  'MIIBtTCCAVugAwIBAgIBATAKBggqhkjOPQQDAjBaMQswCQYDVQQGEwJaVzEQMA4GA1UEChMHQW55Ym9keTEiMCAGA1UECxMZQXV0aGVudGljYXRvciBBdHRlc3RhdGlvbjEVMBMGA1UEAxMMTWFkZSBhdCBob21lMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjBaMQswCQYDVQQGEwJaVzEQMA4GA1UEChMHQW55Ym9keTEiMCAGA1UECxMZQXV0aGVudGljYXRvciBBdHRlc3RhdGlvbjEVMBMGA1UEAxMMTWFkZSBhdCBob21lMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEQ44x5Ibx1MIOI9G+4WLWLYkUdiK5xO0h+NHP5sMNqxDMU0vcr2IPdm0XX2SHYHddkVXUK98kDabMVqrf1Ou+F6MQMA4wDAYDVR0TAQH/BAIwADAKBggqhkjOPQQDAgNIADBFAiAST/NK/oVY/X1/Epm00rGyth73V2F05YSEc00pphD5QAIhAMnvsBYquKQgHD5ZqeDMjS4lhKrcEM991O6kpQ2oIAwH'
const homeMadeKey = createPrivateKey({
  key: Buffer.from(
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgrL4u91jK/GHrj/pjL/zCODdTt2JgxCYO4QnuZVuKOI2hRANCAARDjjHkhvHUwg4j0b7hYtYtiRR2IrnE7SH40c/mww2rEMxTS9yvYg92bRdfZIdgd12RVdQr3yQNpsxWqt/U674X',
    'base64',
  ),
  format: 'der',
  type: 'pkcs8',
})

export type Authenticator = ReturnType<typeof createAuthenticator>

/** Adds a passkey of the authenticator to the merchant's account. */
export async function addedPasskey(
  ctx: Ctx,
  { merchantId, personId, password }: MadeMerchant,
  authenticator: Authenticator,
): Promise<Passkey> {
  const session = {
    merchantId,
    personId,
    sessionId: ctx.ids.next(SessionId),
    role: 'owner',
    applications: null,
    tokenRefusedAt: ctx.clock.now(),
    secondFactorDueAt: null,
    passkeyDueAt: null,
  } as const
  const options = await startPasskey(ctx, session, password, unrecognisedVisitor)
  return addPasskey(ctx, session, authenticator.make(options), unrecognisedVisitor)
}

function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const key = new Map<number, number | Uint8Array>([
    [cose.COSEKEYS.kty, cose.COSEKTY.EC2],
    [cose.COSEKEYS.alg, cose.COSEALG.ES256],
    [cose.COSEKEYS.crv, cose.COSECRV.P256],
    [cose.COSEKEYS.x, Uint8Array.from(Buffer.from(x, 'base64url'))],
    [cose.COSEKEYS.y, Uint8Array.from(Buffer.from(y, 'base64url'))],
  ])
  return Buffer.from(isoCBOR.encode(key as never))
}
