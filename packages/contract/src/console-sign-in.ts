import { z } from 'zod'
import { Me } from './console.ts'
import { MadePasskey, MakeOptions, PasskeyRequestOptions, ShownPasskey } from './passkeys.ts'
import { route } from './route.ts'
import { bounded } from './text.ts'

/** The one-time link of `operators add` is good for this time. */
export const ENROLMENT_HOURS = 24

/** 32 random bytes as base64url. */
const EnrolmentToken = bounded(64)

export const startEnrolment = route({
  method: 'POST',
  path: '/enrol/start',
  access: 'anyone',
  summary: "First step with a one-time link: the browser's options to create a passkey",
  body: z.strictObject({ token: EnrolmentToken }),
  reply: { 200: MakeOptions },
  errors: ['validation_failed', 'invitation_expired', 'rate_limited'],
})

export const finishEnrolment = route({
  method: 'POST',
  path: '/enrol',
  access: 'anyone',
  summary: 'Second step: the new passkey, which uses the link up',
  body: z.strictObject({ token: EnrolmentToken, passkey: MadePasskey }),
  reply: { 201: z.object({ email: z.string(), name: z.string() }) },
  errors: [
    'validation_failed',
    'invitation_expired',
    'passkey_refused',
    'passkey_expired',
    'passkey_taken',
    'rate_limited',
  ],
})

export const startConsoleSignIn = route({
  method: 'POST',
  path: '/sign-in/start',
  access: 'anyone',
  summary: "The browser's options to sign in with any passkey of this console",
  reply: { 200: PasskeyRequestOptions },
  errors: ['rate_limited'],
})

export const consoleSignIn = route({
  method: 'POST',
  path: '/sign-in',
  access: 'anyone',
  summary:
    'Open a session, in a cookie of the console: 15 minutes without a call end it, and 8 hours in any case',
  body: z.strictObject({ passkey: ShownPasskey }),
  reply: { 200: Me },
  errors: ['validation_failed', 'passkey_refused', 'passkey_expired', 'rate_limited'],
})

export const consoleSignOut = route({
  method: 'POST',
  path: '/sign-out',
  access: 'operator',
  summary: 'End the session',
  reply: { 204: z.undefined() },
  errors: [],
})
