import { z } from 'zod'
import { OtpParams, presentedPassword, Tokens } from './auth.ts'
import { PASSKEY_NAME_MAX_LENGTH, PASSKEY_TRANSPORTS } from './constants.ts'
import { PasskeyId } from './ids.ts'
import { route } from './route.ts'
import { bounded, optional, PathId, personName, Timestamp } from './text.ts'

/** Bytes in the encoding of WebAuthn's JSON. */
const bytes = (maxLength: number) =>
  bounded(maxLength)
    .min(1)
    .regex(/^[A-Za-z0-9_-]+$/, 'Must be base64url')

/** WebAuthn allows at most 1,023 bytes. */
const CredentialId = bytes(1364)

const Descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()),
})

/** The browser's options to present a passkey. */
export const PasskeyRequestOptions = z.object({
  challenge: z.string(),
  timeout: z.number(),
  rpId: z.string(),
  allowCredentials: z.array(Descriptor),
  userVerification: z.literal('required'),
})
export type PasskeyRequestOptions = z.infer<typeof PasskeyRequestOptions>

export const ShownPasskey = z.strictObject({
  id: CredentialId,
  clientDataJSON: bytes(4096),
  authenticatorData: bytes(4096),
  signature: bytes(2048),
  userHandle: optional(bytes(128)),
})
export type ShownPasskey = z.infer<typeof ShownPasskey>

/** The browser's options to create a passkey. */
export const MakeOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
  timeout: z.number(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.enum(['preferred', 'required']),
    userVerification: z.literal('required'),
  }),
})
export type MakeOptions = z.infer<typeof MakeOptions>

export const MadePasskey = z.strictObject({
  id: CredentialId,
  clientDataJSON: bytes(4096),
  attestationObject: bytes(16_384),
  transports: z.array(z.enum(PASSKEY_TRANSPORTS)).max(PASSKEY_TRANSPORTS.length),
})
export type MadePasskey = z.infer<typeof MadePasskey>

export const requestPasskey = route({
  method: 'POST',
  path: '/auth/passkey/ask/:otpId',
  access: 'anyone',
  summary: "Second step of signing in, with a passkey: the browser's options",
  params: OtpParams,
  reply: { 200: PasskeyRequestOptions },
  errors: ['validation_failed', 'otp_expired', 'not_found', 'rate_limited'],
})

export const verifyPasskey = route({
  method: 'POST',
  path: '/auth/passkey/verify/:otpId',
  access: 'anyone',
  summary: 'Second step of signing in: a passkey in place of the mailed code',
  params: OtpParams,
  body: z.strictObject({ passkey: ShownPasskey }),
  reply: { 200: Tokens },
  errors: ['validation_failed', 'passkey_refused', 'passkey_expired', 'otp_expired', 'rate_limited'],
})

const Passkey = z.object({
  _id: PasskeyId,
  name: z.string(),
  /** Whether its vendor copies the passkey to the owner's other devices. */
  synced: z.boolean(),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable(),
})
export type Passkey = z.infer<typeof Passkey>

const PasskeyParams = z.object({ passkeyId: PathId })
const PasswordAgain = z.strictObject({ password: presentedPassword('Password is required') })

export const listPasskeys = route({
  method: 'GET',
  path: '/account/passkeys',
  access: 'person',
  summary: 'The passkeys of the account, the oldest first',
  reply: { 200: z.object({ passkeys: z.array(Passkey) }) },
  errors: ['session_invalid'],
})

export const startPasskey = route({
  method: 'POST',
  path: '/account/passkeys/start',
  access: 'person',
  summary: "Add a passkey, first step: the password, for the browser's options",
  body: PasswordAgain,
  reply: { 200: MakeOptions },
  errors: ['validation_failed', 'passkeys_full', 'session_invalid', 'merchant_not_active', 'rate_limited'],
})

export const addPasskey = route({
  method: 'POST',
  path: '/account/passkeys',
  access: 'person',
  summary: 'Add a passkey, second step: the new credential',
  body: z.strictObject({ passkey: MadePasskey }),
  reply: { 201: Passkey },
  errors: [
    'validation_failed',
    'passkey_refused',
    'passkey_expired',
    'passkey_taken',
    'passkeys_full',
    'session_invalid',
    'merchant_not_active',
    'rate_limited',
  ],
})

export const renamePasskey = route({
  method: 'PATCH',
  path: '/account/passkeys/:passkeyId',
  access: 'person',
  summary: 'Rename a passkey',
  params: PasskeyParams,
  body: z.strictObject({ name: personName(PASSKEY_NAME_MAX_LENGTH, 'Name is required') }),
  reply: { 200: Passkey },
  errors: ['validation_failed', 'not_found', 'session_invalid', 'merchant_not_active', 'rate_limited'],
})

export const removePasskey = route({
  method: 'POST',
  path: '/account/passkeys/:passkeyId/remove',
  access: 'person',
  summary: 'Remove a passkey, with the password',
  params: PasskeyParams,
  body: PasswordAgain,
  reply: { 204: z.undefined() },
  errors: ['validation_failed', 'not_found', 'session_invalid', 'rate_limited'],
  protectsAccount: true,
})
