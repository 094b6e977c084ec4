import { z } from 'zod'
import { applicationFields, bankingFields } from './application-fields.ts'
import { brandError, brandTexts, colourField, LOGO_MAX_BYTES } from './brand.ts'
import { applicationStatuses, bankAccountTypes, categories } from './enums.ts'
import { reasonParams } from './fields.ts'
import { ApplicationId } from './ids.ts'
import { route } from './route.ts'
import { choiceOf, fieldText, PathId, Timestamp } from './text.ts'

/** An application key: `mk_`, its mode, 32 base62 characters and a checksum of 6. */
export const applicationKeyPattern = /^mk_(test|live)_[0-9A-Za-z]{38}$/

export const Application = z.object({
  _id: ApplicationId,
  applicationName: z.string(),
  description: z.string(),
  category: z.string(),
  status: z.enum(applicationStatuses),
  /** On a live gateway null until the operator approves the account, because only then a live key exists. */
  applicationKey: z.string().nullable(),
  /** On a live gateway a key for test payments, which are separate from live payments. Null on a test gateway. */
  testKey: z.string().nullable(),
  bankName: z.string().nullable(),
  bankAccountNumber: z.string().nullable(),
  bankAccountName: z.string().nullable(),
  bankAccountType: z.string().nullable(),
  nameApproved: z.boolean(),
  /** The reason why the operator has stopped this application, which is then inactive; null otherwise. */
  stopReason: z.string().nullable(),
  /** The reason why an operator rejected these banking details; null otherwise. */
  bankRejection: z.string().nullable(),
  /** The colour of the header of the payer's page; null for ours. */
  brandColour: z.string().nullable(),
  /** The path of the logo on the payer's page; null without one. */
  logoPath: z.string().nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Application = z.infer<typeof Application>

/** The checks and their order are those of the create form. */
export const CreateApplication = z.strictObject({
  applicationName: fieldText(applicationFields.applicationName),
  description: fieldText(applicationFields.description),
  category: fieldText(applicationFields.category).pipe(z.enum(categories)),
})

/** All banking details of an application: a change replaces them together. */
export const BankingDetails = z.strictObject({
  bankName: fieldText(bankingFields.bankName),
  bankAccountNumber: fieldText(bankingFields.bankAccountNumber),
  bankAccountName: fieldText(bankingFields.bankAccountName),
  bankAccountType: fieldText(bankingFields.bankAccountType).pipe(z.enum(bankAccountTypes)),
})
export type BankingDetails = z.output<typeof BankingDetails>

export const listApplications = route({
  method: 'GET',
  path: '/applications/all',
  access: 'applications.read',
  perApplication: true,
  summary: 'All applications of the merchant, newest first',
  reply: { 200: z.object({ applications: z.array(Application) }) },
  errors: ['session_invalid'],
})

export const createApplication = route({
  method: 'POST',
  path: '/applications/create',
  access: 'applications.write',
  stepUp: true,
  summary: 'Create an application and its key',
  body: CreateApplication,
  reply: { 201: Application },
  errors: ['session_invalid', 'merchant_not_active', 'validation_failed', 'application_limit_reached'],
})

const logoNotPicture = brandError('logoNotPicture')

/** The colour and logo of the payer's page. A logo that is left out stays, and null removes it. */
export const Brand = z.strictObject({
  colour: fieldText(colourField),
  /** The file, in base64. */
  logo: z
    .string()
    .max(Math.ceil(LOGO_MAX_BYTES / 3) * 4, { error: brandTexts.logoTooLarge, abort: true })
    .refine((file) => /^[A-Za-z0-9+/]+={0,2}$/.test(file), {
      error: logoNotPicture.message,
      params: reasonParams(logoNotPicture),
    })
    .nullable()
    .optional(),
})
export type Brand = z.output<typeof Brand>

const ApplicationParams = z.object({ applicationId: PathId })

export const getApplication = route({
  method: 'GET',
  path: '/applications/:applicationId',
  access: 'applications.read',
  perApplication: true,
  summary: 'One application',
  params: ApplicationParams,
  reply: { 200: Application },
  errors: ['session_invalid', 'not_found'],
})

export const regenerateKey = route({
  method: 'PATCH',
  path: '/applications/:applicationId/regenerate-key',
  access: 'keys.write',
  stepUp: true,
  perApplication: true,
  summary: 'Replace the application key; the old one is refused from that moment on',
  params: ApplicationParams,
  query: z.strictObject({ mode: z.enum(['test', 'live']).optional() }),
  reply: { 200: z.object({ newApplicationKey: z.string() }) },
  errors: ['session_invalid', 'merchant_not_active', 'not_found', 'validation_failed'],
})

export const setApplicationStatus = route({
  method: 'PATCH',
  path: '/applications/:applicationId/status',
  access: 'applications.write',
  perApplication: true,
  summary: 'Deactivate an application, whose keys are then refused at once, or activate it again',
  params: ApplicationParams,
  body: z.strictObject({
    status: choiceOf(applicationStatuses, 'The status must be active or inactive'),
  }),
  reply: { 200: Application },
  errors: ['session_invalid', 'merchant_not_active', 'application_stopped', 'not_found', 'validation_failed'],
})

export const updateBanking = route({
  method: 'PUT',
  path: '/applications/:applicationId/banking',
  access: 'banking.write',
  stepUp: true,
  perApplication: true,
  summary: 'Replace the banking details, which then wait for approval; equal details change nothing',
  params: ApplicationParams,
  body: BankingDetails,
  reply: { 200: Application },
  errors: ['session_invalid', 'merchant_not_active', 'not_found', 'validation_failed'],
})

export const updateBrand = route({
  method: 'PUT',
  path: '/applications/:applicationId/brand',
  access: 'applications.write',
  perApplication: true,
  summary: "Set the colour and the logo of the payer's page",
  params: ApplicationParams,
  body: Brand,
  reply: { 200: Application },
  errors: ['session_invalid', 'merchant_not_active', 'not_found', 'validation_failed'],
})
