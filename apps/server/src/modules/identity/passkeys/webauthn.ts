import type { OperatorId, PersonId } from '@muripo/contract/ids'
import type { MadePasskey, MakeOptions, PasskeyRequestOptions, ShownPasskey } from '@muripo/contract/passkeys'
import type { Config } from '../../../platform/config.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { CHALLENGE_LIFE_MS } from './store-challenges.ts'
import type { NewPasskey, Passkey } from './store-passkeys.ts'

/** A passkey works only at the host of this address, where it was created. */
type Site = Pick<Config, 'publicUrl'>

interface Owner {
  readonly personId: PersonId | OperatorId
  readonly email: string
  readonly fullname: string
}

/** Loaded with the first passkey: these are hundreds of modules, and most processes verify few passkeys. */
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

/** EdDSA, ES256 and RS256, by their numbers in COSE. The default list of the library depends on its runtime. */
const ALGORITHMS = [-8, -7, -257]

const site = ({ publicUrl }: Site) => {
  const { hostname, origin } = new URL(publicUrl)
  return { id: hostname, origin }
}

const text = (bytes: Buffer): string => bytes.toString('base64url')

/** The handle under which an authenticator stores the account. It does not reveal the owner. */
const userHandle = (personId: Owner['personId']): Buffer =>
  Buffer.from(uuidOf(personId).replaceAll('-', ''), 'hex')

const described = (passkeys: readonly Passkey[]) =>
  passkeys.map(({ credentialId, transports }) => ({
    id: text(credentialId),
    type: 'public-key' as const,
    transports: [...transports],
  }))

export const creationOptions = (
  config: Site,
  challenge: Buffer,
  { personId, email, fullname }: Owner,
  existing: readonly Passkey[],
  /** required: the authenticator stores the owner, so that a sign-in needs no name. */
  residentKey: 'preferred' | 'required' = 'preferred',
): MakeOptions => ({
  challenge: text(challenge),
  rp: { id: site(config).id, name: 'Muripo' },
  user: { id: text(userHandle(personId)), name: email, displayName: fullname },
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
  timeout: CHALLENGE_LIFE_MS,
  attestation: 'none',
  excludeCredentials: described(existing),
  authenticatorSelection: { residentKey, userVerification: 'required' },
})

export const requestOptions = (
  config: Site,
  challenge: Buffer,
  passkeys: readonly Passkey[],
): PasskeyRequestOptions => ({
  challenge: text(challenge),
  timeout: CHALLENGE_LIFE_MS,
  rpId: site(config).id,
  allowCredentials: described(passkeys),
  userVerification: 'required',
})

/** The new passkey, if the browser made it for this challenge, on this site, and with the user's finger, face or PIN. */
export const verifyRegistration = (
  config: Site,
  challenge: Buffer,
  { id, transports, ...response }: MadePasskey,
): Promise<NewPasskey | null> =>
  orNull(async () => {
    if (await isFramed(response.clientDataJSON)) return null
    if (!(await isUnattested(response.attestationObject))) return null
    const { verifyRegistrationResponse } = await library()
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      expectedChallenge: text(challenge),
      expectedOrigin: site(config).origin,
      expectedRPID: site(config).id,
      supportedAlgorithmIDs: ALGORITHMS,
      requireUserVerification: true,
    })
    if (!verified || registrationInfo.credential.id !== id) return null
    const { credential, credentialBackedUp } = registrationInfo
    return {
      credentialId: Buffer.from(id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      signCount: BigInt(credential.counter),
      transports: [...new Set(transports)],
      synced: credentialBackedUp,
    }
  })

/**
 * The use of a passkey, if it signed this challenge, on this site, and with the user's finger, face or PIN. The caller compares the
 * counter, in the database and only after this check.
 */
export const verifyAssertion = (
  config: Site,
  challenge: Buffer,
  personId: Owner['personId'],
  passkey: Pick<Passkey, 'publicKey'>,
  { id, userHandle: handle, ...response }: ShownPasskey,
): Promise<{ signCount: bigint; synced: boolean } | null> =>
  orNull(async () => {
    if (await isFramed(response.clientDataJSON)) return null
    if (handle !== undefined && handle !== text(userHandle(personId))) return null
    const { verifyAuthenticationResponse } = await library()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      expectedChallenge: text(challenge),
      expectedOrigin: site(config).origin,
      expectedRPID: site(config).id,
      credential: { id, publicKey: Uint8Array.from(passkey.publicKey), counter: 0 },
      requireUserVerification: true,
    })
    const { newCounter, credentialBackedUp: synced } = authenticationInfo
    return verified ? { signCount: BigInt(newCounter), synced } : null
  })

/** The pages of the gateway are never shown in the frame of another site; the library accepts the frames of some browsers. */
const isFramed = async (clientDataJSON: string): Promise<boolean> =>
  (await helpers()).decodeClientDataJSON(clientDataJSON).crossOrigin === true

/**
 * The gateway requests no attestation and accepts none but that of the authenticator itself: a certificate may belong to anybody, is long,
 * and contains addresses that would be fetched.
 */
async function isUnattested(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await helpers()
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  const format = decoded.get('fmt')
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
}

/** The library throws for every response that it refuses. */
async function orNull<T>(check: () => Promise<T | null>): Promise<T | null> {
  try {
    return await check()
  } catch {
    return null
  }
}
