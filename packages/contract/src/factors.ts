import { z } from 'zod'
import { presentedPassword } from './auth.ts'
import { secondStepField } from './fields.ts'
import { route } from './route.ts'
import { fieldText, optional, Timestamp } from './text.ts'

const NO_PASSWORD = 'Password is required'
const PasswordAgain = z.strictObject({ password: presentedPassword(NO_PASSWORD) })
const SecondStepCode = fieldText(secondStepField)

export const getFactors = route({
  method: 'GET',
  path: '/account/factors',
  access: 'person',
  summary: 'The second factors of the account',
  reply: {
    200: z.object({
      totp: z
        .object({ enabledAt: Timestamp })
        .nullable()
        .meta({ description: 'The authenticator app, whose code replaces the mailed one' }),
      recoveryCodesLeft: z.number().int(),
      passkeys: z.number().int(),
      requiredFrom: Timestamp.nullable().meta({
        description:
          'The time from which the merchant of the session requires an authenticator app or a passkey',
      }),
      passkeyRequiredFrom: Timestamp.nullable().meta({
        description: 'The time from which the merchant of the session requires a passkey',
      }),
    }),
  },
  errors: ['session_invalid'],
})

/** The drawing of a QR code: the path of its dark modules in a square of `size` modules. */
const Qr = z.object({ size: z.number().int(), path: z.string() })

export const startTotp = route({
  method: 'POST',
  path: '/account/totp/start',
  access: 'person',
  summary: 'Add an authenticator app, first step: the password, for the secret of the app',
  body: PasswordAgain,
  reply: {
    200: z.object({
      secret: z.string().meta({ description: 'Base32, for an app that scans no code' }),
      uri: z.string().meta({ description: 'The otpauth address of the QR code' }),
      qr: Qr.nullable().meta({ description: 'Null when the email is too long for a QR code' }),
    }),
  },
  errors: ['session_invalid', 'validation_failed', 'totp_enabled', 'rate_limited'],
  protectsAccount: true,
})

const RecoveryCodes = z.object({
  recoveryCodes: z
    .array(z.string())
    .meta({ description: 'Each replaces one code of the app. They are shown once' }),
})

export const enableTotp = route({
  method: 'POST',
  path: '/account/totp',
  access: 'person',
  summary: 'Add an authenticator app, second step: a code of the app',
  body: z.strictObject({ code: SecondStepCode }),
  reply: { 200: RecoveryCodes },
  errors: [
    'session_invalid',
    'validation_failed',
    'otp_invalid',
    'totp_enabled',
    'totp_expired',
    'rate_limited',
  ],
  protectsAccount: true,
})

export const removeTotp = route({
  method: 'POST',
  path: '/account/totp/remove',
  access: 'person',
  summary: 'Remove the authenticator app, with the password: sign-ins are confirmed by mail again',
  body: PasswordAgain,
  reply: { 204: z.undefined() },
  errors: ['session_invalid', 'validation_failed', 'not_found', 'rate_limited'],
  protectsAccount: true,
})

export const replaceRecoveryCodes = route({
  method: 'POST',
  path: '/account/recovery-codes',
  access: 'person',
  summary: 'Make new recovery codes, with the password; the earlier ones end',
  body: PasswordAgain,
  reply: { 200: RecoveryCodes },
  errors: ['session_invalid', 'validation_failed', 'not_found', 'rate_limited'],
  protectsAccount: true,
})

export const stepUp = route({
  method: 'POST',
  path: '/account/step-up',
  access: 'person',
  summary: 'Confirm the person of the session, with the password or with a code of the authenticator app',
  body: z
    .strictObject({ password: optional(presentedPassword(NO_PASSWORD)), code: optional(SecondStepCode) })
    .refine(({ password, code }) => (password === undefined) !== (code === undefined), {
      path: ['password'],
      error: 'Send the password or a code',
    }),
  reply: { 200: z.object({ confirmedUntil: Timestamp }) },
  errors: ['session_invalid', 'validation_failed', 'otp_invalid', 'rate_limited'],
  protectsAccount: true,
})
