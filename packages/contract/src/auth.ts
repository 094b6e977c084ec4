import { z } from 'zod'
import { allDocumentTypes, documentTypes } from './document-types.ts'
import { accountTypes } from './enums.ts'
import { newPasswordField, otpField, presentedPasswordField, secondStepField } from './fields.ts'
import { MerchantId, OtpId } from './ids.ts'
import { route } from './route.ts'
import { bounded, choiceOf, Email, fieldText, PathId, personName, phoneText, webAddress } from './text.ts'

const newPassword = (required: string) => fieldText(newPasswordField(required))
export const presentedPassword = (required: string) => fieldText(presentedPasswordField(required))

export const uploadFile = route({
  method: 'POST',
  path: '/files/upload',
  access: 'anyone',
  summary: 'Upload an identification document (multipart, one part named file, header x-api-key)',
  reply: { 201: z.object({ url: z.url() }) },
  errors: [
    'rate_limited',
    'upload_key_invalid',
    'file_too_large',
    'upload_too_slow',
    'not_a_pdf',
    'pdf_encrypted',
    'pdf_active',
    'pdf_unreadable',
    'uploads_full',
    'storage_low',
    'malformed_request',
    'unsupported_media_type',
  ],
})

const NO_DOCUMENT = 'Please upload your identification document'

export const SignUp = z
  .strictObject({
    role: z.literal('merchant'),
    accountType: choiceOf(accountTypes, 'Please select an account type'),
    fullname: personName(200, 'Full name is required'),
    email: Email,
    password: newPassword('Password is required'),
    phonenumber: phoneText('Phone number is required'),
    identificationDocumentType: choiceOf(allDocumentTypes, 'Please select a document type'),
    identificationDocumentPdf: webAddress(2048, NO_DOCUMENT, NO_DOCUMENT),
  })
  .refine(
    (signUp) =>
      (documentTypes[signUp.accountType] as readonly string[]).includes(signUp.identificationDocumentType),
    { path: ['identificationDocumentType'], message: 'Please select a document type' },
  )

export const signUp = route({
  method: 'POST',
  path: '/auth/signup',
  access: 'anyone',
  summary: 'Open a merchant account',
  body: SignUp,
  reply: { 201: z.object({ message: z.string(), merchantId: MerchantId }) },
  errors: ['validation_failed', 'email_taken', 'document_invalid', 'rate_limited'],
})

export const signIn = route({
  method: 'POST',
  path: '/auth/signin',
  access: 'anyone',
  summary: 'First step of a sign-in: check the password and mail a one-time code',
  body: z.strictObject({ email: Email, password: presentedPassword('Password is required') }),
  reply: {
    200: z.object({
      otpId: OtpId,
      message: z.string(),
      /** Present when the account has a passkey, which may replace the code. */
      passkey: z.literal(true).optional(),
      /** Present when the account has an authenticator app: its code is asked for, and none is mailed. */
      totp: z.literal(true).optional(),
    }),
  },
  errors: ['validation_failed', 'credentials_invalid', 'rate_limited'],
})

export const Tokens = z.object({ authToken: z.string(), refreshToken: z.string() })
export type Tokens = z.infer<typeof Tokens>

const OtpCode = fieldText(otpField)

export const OtpParams = z.object({ otpId: PathId })

export const verifyOtp = route({
  method: 'POST',
  path: '/auth/verify-otp/:otpId',
  access: 'anyone',
  summary:
    'Second step of a sign-in: check the mailed code, or that of an authenticator app or a recovery code',
  params: OtpParams,
  body: z.strictObject({ purpose: z.literal('signin'), otp: fieldText(secondStepField) }),
  reply: { 200: Tokens },
  errors: ['validation_failed', 'otp_invalid', 'otp_expired', 'rate_limited'],
})

const CodeMailed = z.object({ message: z.string(), otpId: OtpId })

export const resendOtp = route({
  method: 'POST',
  path: '/auth/resend-otp/:otpId',
  access: 'anyone',
  summary: 'Mail another sign-in code: a new otpId replaces the old one',
  params: OtpParams,
  body: z.strictObject({ purpose: z.literal('signin') }),
  reply: { 200: CodeMailed },
  errors: ['validation_failed', 'otp_expired', 'rate_limited'],
})

export const forgotPassword = route({
  method: 'POST',
  path: '/auth/password/forgot',
  access: 'anyone',
  summary: 'Mail a code that sets a new password; the response does not reveal whether the account exists',
  body: z.strictObject({ email: Email }),
  reply: { 200: CodeMailed },
  errors: ['validation_failed', 'rate_limited'],
})

export const setNewPassword = route({
  method: 'POST',
  path: '/auth/password/setnew/:otpId',
  access: 'anyone',
  summary: 'Set a new password with the mailed code; every session of the account ends',
  params: OtpParams,
  body: z.strictObject({ otp: OtpCode, newPassword: newPassword('New password is required') }),
  reply: { 200: z.object({ message: z.string() }) },
  errors: ['validation_failed', 'otp_invalid', 'otp_expired', 'account_removed', 'rate_limited'],
})

export const resetPassword = route({
  method: 'POST',
  path: '/auth/password/reset',
  access: 'anyone',
  summary: 'Set a new password with the mailed link; every session of the account ends',
  body: z.strictObject({
    token: bounded(100).min(1),
    newPassword: newPassword('New password is required'),
  }),
  reply: { 200: z.object({ message: z.string() }) },
  errors: ['validation_failed', 'reset_link_expired', 'account_removed', 'rate_limited'],
})

export const refreshToken = route({
  method: 'POST',
  path: '/auth/refresh-token',
  access: 'anyone',
  summary: 'Exchange a refresh token, which is valid once, for new tokens',
  body: z.strictObject({ refreshToken: bounded(2048).min(1) }),
  reply: { 200: Tokens },
  errors: ['validation_failed', 'refresh_invalid', 'rate_limited'],
})

export const signOut = route({
  method: 'POST',
  path: '/auth/signout',
  access: 'anyone',
  summary: 'End this session on the server',
  reply: { 204: z.undefined() },
  errors: ['session_invalid', 'rate_limited'],
})
