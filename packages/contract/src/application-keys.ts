import { z } from 'zod'
import { KeyId } from './ids.ts'
import { type KeyPreset, keyPermissions, keyPresets } from './permissions.ts'
import { route } from './route.ts'
import { bounded, choiceOf, Instant, optional, PathId, personName, Timestamp, whenMissing } from './text.ts'

export const ALLOWED_ADDRESSES_MAX = 20
const NAME_MAX = 60

/** The time for which the replaced key of a rotation still works, in seconds. */
export const overlapSeconds = [0, 3600, 86_400, 604_800] as const

const NO_PERMISSION = 'Please choose what the key may do'

const KeyName = personName(NAME_MAX, 'Name is required')
const AllowedAddresses = z
  .array(bounded(64))
  .max(ALLOWED_ADDRESSES_MAX)
  .nullable()
  .meta({ description: 'IP addresses and networks, such as 203.0.113.0/24; null or absent for any' })

export const NamedKey = z.object({
  id: KeyId,
  name: z.string(),
  mode: z.enum(['test', 'live']),
  permissions: z.array(z.enum(keyPermissions)),
  expiresAt: Timestamp.nullable(),
  allowedAddresses: z.array(z.string()).nullable(),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable().meta({ description: 'To the minute; null for a key that was never used' }),
  lastUsedAddress: z.string().nullable(),
})
export type NamedKey = z.infer<typeof NamedKey>

const NewKey = NamedKey.extend({
  secret: z.string().meta({ description: 'The key. It is shown in this response only' }),
})

const ApplicationParams = z.object({ applicationId: PathId })
const KeyParams = z.object({ applicationId: PathId, keyId: PathId })

export const listKeys = route({
  method: 'GET',
  path: '/applications/:applicationId/keys',
  access: 'keys.read',
  perApplication: true,
  summary: 'The named keys of an application that work, the newest first',
  params: ApplicationParams,
  reply: { 200: z.object({ keys: z.array(NamedKey) }) },
  errors: ['session_invalid', 'not_found'],
})

export const createKey = route({
  method: 'POST',
  path: '/applications/:applicationId/keys',
  access: 'keys.write',
  stepUp: true,
  perApplication: true,
  summary: 'Make a named key with some permissions',
  params: ApplicationParams,
  body: z
    .strictObject({
      name: KeyName,
      preset: optional(choiceOf(Object.keys(keyPresets) as [KeyPreset, ...KeyPreset[]], NO_PERMISSION)),
      permissions: optional(z.array(choiceOf(keyPermissions, NO_PERMISSION)).min(1, NO_PERMISSION).max(20)),
      mode: optional(choiceOf(['test', 'live'], 'Must be test or live')),
      expiresAt: optional(Instant.nullable()),
      allowedAddresses: optional(AllowedAddresses),
    })
    .refine(({ preset, permissions }) => (preset === undefined) !== (permissions === undefined), {
      path: ['permissions'],
      error: NO_PERMISSION,
    }),
  reply: { 201: NewKey },
  errors: [
    'session_invalid',
    'merchant_not_active',
    'validation_failed',
    'not_found',
    'key_limit_reached',
    'rate_limited',
  ],
})

export const changeKey = route({
  method: 'PATCH',
  path: '/applications/:applicationId/keys/:keyId',
  access: 'keys.write',
  stepUp: true,
  perApplication: true,
  summary: 'Rename a named key, end it earlier, or change the networks from which it may be used',
  params: KeyParams,
  body: z.strictObject({
    name: optional(KeyName),
    expiresAt: optional(Instant),
    allowedAddresses: AllowedAddresses.optional(),
  }),
  reply: { 200: NamedKey },
  errors: ['session_invalid', 'merchant_not_active', 'validation_failed', 'not_found', 'rate_limited'],
})

export const rotateKey = route({
  method: 'POST',
  path: '/applications/:applicationId/keys/:keyId/rotate',
  access: 'keys.write',
  stepUp: true,
  perApplication: true,
  summary: 'Replace a named key; the replaced key works for the overlap',
  params: KeyParams,
  body: z.strictObject({
    overlapSeconds: z
      .number({ error: whenMissing('This field is required') })
      .refine(
        (seconds) => overlapSeconds.some((each) => each === seconds),
        'Must be 0, 3600, 86400 or 604800',
      ),
  }),
  reply: { 201: NewKey },
  errors: [
    'session_invalid',
    'merchant_not_active',
    'validation_failed',
    'not_found',
    'key_limit_reached',
    'rate_limited',
  ],
})

export const revokeNamedKey = route({
  method: 'DELETE',
  path: '/applications/:applicationId/keys/:keyId',
  access: 'keys.write',
  perApplication: true,
  summary: 'Revoke a named key',
  params: KeyParams,
  reply: { 204: z.undefined() },
  errors: ['session_invalid', 'merchant_not_active', 'not_found', 'rate_limited'],
  protectsAccount: true,
})

export const reportLeakedKey = route({
  method: 'POST',
  path: '/keys/leaked',
  access: 'anyone',
  summary: 'Report a key that anybody can read: it is revoked. The answer is the same for every key',
  body: z.strictObject({ key: bounded(100) }),
  reply: { 202: z.object({ message: z.string() }) },
  errors: ['validation_failed', 'rate_limited'],
})
