import { z } from 'zod'
import { accountFieldError, changePasswordFields, samePasswordError } from './auth-fields.ts'
import { accountTypes, locales } from './enums.ts'
import { reasonParams } from './fields.ts'
import { ApplicationId, MerchantId, SessionId } from './ids.ts'
import { merchantStatuses } from './merchant-statuses.ts'
import { permissions, roles } from './permissions.ts'
import { route } from './route.ts'
import { bounded, choiceOf, fieldText, optional, PathId, Timestamp } from './text.ts'

export const Account = z.object({
  fullname: z.string(),
  email: z.string(),
  phone: z.string(),
  accountType: z.enum(accountTypes),
  timeZone: z.string().meta({ description: 'IANA name, as in Africa/Harare' }),
  locale: z
    .enum(locales)
    .nullable()
    .meta({ description: 'The language of the dashboard and of emails; null for that of the browser' }),
  createdAt: Timestamp,
  status: z.enum(merchantStatuses),
  statusReason: z
    .string()
    .nullable()
    .meta({ description: 'Why the operator suspended or closed the account; null while it is active' }),
  gatewayMode: z
    .enum(['test', 'live'])
    .meta({ description: 'In a gateway for tests nobody has to be approved' }),
  merchant: z
    .object({ id: MerchantId, name: z.string() })
    .meta({ description: 'The merchant of the session' }),
  merchantCount: z.int().meta({ description: 'The number of merchants of which the person is a member' }),
  role: z.enum(roles),
  permissions: z.array(z.enum(permissions)),
  applications: z
    .array(ApplicationId)
    .nullable()
    .meta({ description: 'The applications to which the role is limited; null when it is not limited' }),
})
export type Account = z.infer<typeof Account>

export const getAccount = route({
  method: 'GET',
  path: '/account',
  access: 'person',
  summary: 'The account of the session',
  reply: { 200: Account },
  errors: ['session_invalid'],
})

/** The name in the IANA database; a fixed offset from UTC would be wrong for half of the year in many places. */
function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z].{0,63}$/.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

const NO_TIME_ZONE = 'Please select a time zone from the list'
const NO_LANGUAGE = 'Please select a language from the list'

export const changeAccount = route({
  method: 'PATCH',
  path: '/account',
  access: 'person',
  summary: 'Set the time zone in which the dashboard counts days and shows times, or the language',
  body: z
    .strictObject({
      timeZone: optional(
        bounded(64, { tooLong: NO_TIME_ZONE, missing: NO_TIME_ZONE }).refine(isTimeZone, NO_TIME_ZONE),
      ),
      locale: choiceOf(locales, NO_LANGUAGE).nullable().optional(),
    })
    .refine(({ timeZone, locale }) => timeZone !== undefined || locale !== undefined, {
      path: ['timeZone'],
      error: NO_TIME_ZONE,
    }),
  reply: { 200: Account },
  errors: ['session_invalid', 'merchant_not_active', 'validation_failed', 'rate_limited'],
})

const passwordUnchanged = accountFieldError('passwordUnchanged')

const ChangePassword = z
  .strictObject({
    currentPassword: fieldText(changePasswordFields.currentPassword),
    newPassword: fieldText(changePasswordFields.newPassword),
  })
  .refine((passwords) => samePasswordError(passwords) === null, {
    path: ['newPassword'],
    error: passwordUnchanged.message,
    params: reasonParams(passwordUnchanged),
  })

export const changePassword = route({
  method: 'POST',
  path: '/account/password',
  access: 'person',
  summary: 'Change the password; every other session of the account ends',
  body: ChangePassword,
  reply: { 200: z.object({ message: z.string() }) },
  errors: ['session_invalid', 'validation_failed', 'rate_limited'],
  protectsAccount: true,
})

export const AccountSession = z.object({
  _id: SessionId,
  browser: z.string().nullable(),
  network: z
    .string()
    .nullable()
    .meta({ description: 'The address it was opened from, without its last part' }),
  signedInAt: Timestamp,
  lastUsedAt: Timestamp,
  current: z.boolean().meta({ description: 'Whether it is the one that asks' }),
})
export type AccountSession = z.infer<typeof AccountSession>

export const listSessions = route({
  method: 'GET',
  path: '/account/sessions',
  access: 'person',
  summary: 'The sessions of the account, this session first, then by last use',
  reply: { 200: z.object({ sessions: z.array(AccountSession) }) },
  errors: ['session_invalid'],
})

export const endSession = route({
  method: 'DELETE',
  path: '/account/sessions/:sessionId',
  access: 'person',
  summary: 'End one session',
  params: z.object({ sessionId: PathId }),
  reply: { 204: z.undefined() },
  errors: ['session_invalid', 'not_found'],
  protectsAccount: true,
})

export const endAllSessions = route({
  method: 'DELETE',
  path: '/account/sessions',
  access: 'person',
  summary: 'Sign out everywhere: every session of the account ends, this one too',
  reply: { 204: z.undefined() },
  errors: ['session_invalid'],
  protectsAccount: true,
})
