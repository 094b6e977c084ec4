import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { permissionsOf, type Role, roles } from '@muripo/contract/permissions'
import { z } from 'zod'
import { OBJECT_STORE_FORM, readObjectStore } from './files/object-store.ts'
import { isProxy, type TrustedProxies } from './http/caller-address.ts'
import { readSmtpUrl } from './mail/smtp-url.ts'
import {
  address,
  type Deployment,
  type Environment,
  integer,
  oneOf,
  origin,
  readSettings,
} from './settings.ts'
import { tracingSettings } from './tracing/settings.ts'

/** The warning of a gateway in production without `contactEmail`. */
export const NO_CONTACT = 'CONTACT_EMAIL is not set: emails to merchants name no address for answers'

export type Config = Readonly<z.output<ReturnType<typeof platformSettings>>>

/** The cost of a password hash; a change reaches an account with its next sign-in. */
export type PasswordCost = Omit<Config['passwords'], 'atOnce'>

export const parseConfig = (env: Environment): Config => readSettings(env, platformSettings)

/** The settings of the platform. `gateway-config.ts` adds those of the providers. */
export const platformSettings = (deployment: Deployment) =>
  z.intersection(
    variables(deployment).transform((env) => ({ ...deployment, ...settingsOf(env) })),
    tracingSettings,
  )

/** The variables of the environment. */
function variables({ mode }: Deployment) {
  const isProduction = mode === 'production'
  const http = isProduction ? ['https:'] : ['https:', 'http:']

  /** Null in development, unless the variable is set. */
  const required = <T>(schema: z.ZodType<T, string>, hint: string): z.ZodType<T | null> =>
    isProduction ? z.string(`is missing: ${hint}`).pipe(schema) : schema.nullable().default(null)

  return z
    .object({
      PORT: integer(0, 65_535).default(3000),
      HOST: hostName.default('127.0.0.1'),
      PUBLIC_URL: required(origin(...http), 'the address under which payers reach this gateway'),
      CONSOLE_URL: origin(...http)
        .nullable()
        .default(null),
      FOUR_EYES: oneOf('on', 'off').default('on'),
      SETTLEMENT_CUT_OFF: timeOfDay.default('20:00'),
      LIVE_KEY_ROLES: liveKeyRoles.default(new Set(keyRoles)),
      MURIPO_TUNNEL: origin('https:')
        .refine(() => !isProduction, 'is for development: in production set PUBLIC_URL')
        .nullable()
        .default(null),
      METRICS_PORT: integer(0, 65_535).nullable().default(null),
      METRICS_HOST: hostName.default('127.0.0.1'),
      MURIPO_DATA: z.string().default('data'),
      BACKUP_DIR: z.string().nullable().default(null),
      BACKUP_PASSPHRASE: backupPassphrase.nullable().default(null),
      DATABASE_URL: address('postgres:', 'postgresql:').nullable().default(null),
      MIGRATE_DATABASE_URL: address('postgres:', 'postgresql:').nullable().default(null),
      SMTP_URL: required(smtpUrl, 'production needs a mail server, smtps://user:password@host'),
      MAIL_FROM: z
        .string()
        .refine((text) => isEmail(addressOf(text)), { error: notOneEmail })
        .default('Muripo <no-reply@muripo.example>'),
      CONTACT_EMAIL: z.string().refine(isEmail, { error: notOneEmail }).optional(),
      MURIPO_MASTER_KEY: required(masterKey, 'make one with `openssl rand -base64 32` and keep it safe'),
      MURIPO_EARLIER_MASTER_KEYS: masterKeyList.default([]),
      PASSWORD_MEMORY_MIB: integer(7, 1024).default(46),
      PASSWORD_PASSES: integer(1, 20).default(1),
      PASSWORD_HASHES: integer(1, 4).default(2),
      FILES_URL: z
        .string()
        .transform(readObjectStore)
        .refine((store) => store !== null, `must be ${OBJECT_STORE_FORM}`)
        .nullable()
        .default(null),
      MIN_FREE_DISK_MIB: integer(0, 1_000_000_000).default(1024),
      ROLE: oneOf('api', 'worker', 'all').default('all'),
      DRAIN_SECONDS: integer(0, 300).default(isProduction ? 10 : 0),
      LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default(
        isProduction ? 'info' : 'warn',
      ),
      RATE_LIMITS: integer(1, 1_000_000).default(isProduction ? 1 : 100),
      TRUSTED_PROXIES: trustedProxies.default(0),
      NODE_TLS_REJECT_UNAUTHORIZED: z
        .string()
        .refine(
          (value) => !isProduction || value !== '0',
          'must not be 0 in production: it turns off every check of a certificate',
        )
        .optional(),
    })
    .superRefine(({ ROLE, DATABASE_URL }, ctx) => {
      if (ROLE !== 'all' && DATABASE_URL === null)
        ctx.addIssue(`ROLE=${ROLE} demands DATABASE_URL: the embedded database serves one process only`)
    })
}

const settingsOf = (env: z.output<ReturnType<typeof variables>>) => ({
  role: env.ROLE,
  host: env.HOST,
  port: env.PORT,
  /** The port of `/metrics`; null: none. */
  metricsPort: env.METRICS_PORT,
  metricsHost: env.METRICS_HOST,
  /** The address at which people and providers reach this gateway, without a slash at the end. */
  publicUrl: env.MURIPO_TUNNEL ?? env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
  /** The address at which operators reach the console, which their passkeys are bound to. */
  consoleUrl: env.CONSOLE_URL ?? env.MURIPO_TUNNEL ?? env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
  /** on: two operators make the decisions that move money or trust, once there are two. */
  fourEyes: env.FOUR_EYES,
  /** The end of a business day in Zimbabwe, as 20:00. */
  settlementCutOff: env.SETTLEMENT_CUT_OFF,
  /** The roles of merchants' teams that make live keys. */
  liveKeyRoles: env.LIVE_KEY_ROLES,
  /** In development, the address of a tunnel that ends TLS. Null: calls come as they are. */
  tunnelUrl: env.MURIPO_TUNNEL,
  dataDir: resolve(env.MURIPO_DATA),
  /** The directory of backups, to which the embedded database archives its log and new uploads are copied. */
  backupDir: env.BACKUP_DIR === null ? null : resolve(env.BACKUP_DIR),
  /** Encrypts the copy of the master key in a backup. Null: a backup contains no master key of the environment. */
  backupPassphrase: env.BACKUP_PASSPHRASE,
  /** Null: the embedded PostgreSQL under dataDir. */
  databaseUrl: env.DATABASE_URL,
  /** The same database, as the role that owns its tables. Null: the role of databaseUrl. */
  migrateDatabaseUrl: env.MIGRATE_DATABASE_URL,
  /** Null in development only, where mails are stored for /dev/mailbox in any case. */
  smtpUrl: env.SMTP_URL,
  mailFrom: env.MAIL_FROM,
  /** The recipient of the contact form. */
  contactRecipient: env.CONTACT_EMAIL ?? addressOf(env.MAIL_FROM),
  /** The address that emails name for answers. Null without one: nobody may read the mailbox of the sender. */
  contactEmail: env.CONTACT_EMAIL ?? null,
  /** 32 bytes that encrypt every other secret; null in development, where one is generated and stored under dataDir. */
  masterKey: env.MURIPO_MASTER_KEY,
  /** Master keys that only decrypt, until `npm run admin -- master-keys rotate` has encrypted everything under `masterKey`. */
  earlierMasterKeys: env.MURIPO_EARLIER_MASTER_KEYS,
  passwords: {
    memoryKib: env.PASSWORD_MEMORY_MIB * 1024,
    passes: env.PASSWORD_PASSES,
    /** The number of passwords that are hashed at the same time. */
    atOnce: env.PASSWORD_HASHES,
  },
  /** Null: files are stored under dataDir. */
  objectStore: env.FILES_URL,
  /**
   * With less free space on the disk of dataDir no payment is created, and with less than twice this no file is accepted; 0: no limit.
   */
  minFreeDiskBytes: env.MIN_FREE_DISK_MIB * 1024 * 1024,
  /**
   * The time between a signal to stop and the stop, in which `/readyz` fails and proxies turn to other processes. No proxy sends calls to
   * a worker.
   */
  drainMs: env.ROLE === 'worker' ? 0 : env.DRAIN_SECONDS * 1000,
  logLevel: env.LOG_LEVEL,
  rateLimitFactor: env.RATE_LIMITS,
  /** The proxies in front of this process that are trusted to name the caller's address. */
  trustedProxies: env.TRUSTED_PROXIES,
})

export const backupPassphrase = z
  .string()
  .refine((text) => text.length >= 16, 'must have at least 16 characters')

const hostName = z
  .string()
  .transform((text) => text.replace(/^\[([\da-f:.]+)\]$/i, '$1'))
  .refine((text) => isIP(text) !== 0 || /^[^ /:[\]]+$/.test(text), {
    error: ({ input }) => `must be an address or a name, not "${input}"`,
  })

const smtpUrl = z.string().superRefine((value, ctx) => {
  const server = readSmtpUrl(value)
  if (typeof server === 'string') ctx.addIssue(server)
})

export const masterKey = z
  .string()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine(
    (key) => key.length === 32 && new Set(key).size > 8,
    'must be 32 random bytes in base64: make one with `openssl rand -base64 32`',
  )

/** Several, separated by commas. */
export const masterKeyList = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(masterKey))

const keyRoles = roles.filter((role) => permissionsOf[role].has('keys.write'))

/** Roles that make keys, separated by commas; the owner of an account is always among them. */
/** 00:00 would begin the day that it ends; the end of the day is 24:00. */
const timeOfDay = z
  .string()
  .refine((text) => /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/.test(text) && text !== '00:00', {
    error: ({ input }) => `must be a time from 00:01 to 24:00, not "${input}"`,
  })

const liveKeyRoles = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((named): named is Role[] => named.includes('owner') && named.every(isKeyRole), {
    error: ({ input }) =>
      `must be owner, or owner and others of ${keyRoles.slice(1).join(', ')}, separated by commas, not "${input}"`,
  })
  .transform((named): ReadonlySet<Role> => new Set(named))
const isKeyRole = (name: string): boolean => keyRoles.some((role) => role === name)

const trustedProxies = z
  .string()
  .transform(
    (text): TrustedProxies =>
      /^\d+$/.test(text) ? Number(text) : text.split(',').map((part) => part.trim()),
  )
  .refine((proxies) => (typeof proxies === 'number' ? proxies <= 10 : proxies.every(isProxy)), {
    error: ({ input }) =>
      `must be at most 10 hops, or addresses and networks separated by commas, not "${input}"`,
  })

/** "Muripo <hello@example.com>" is hello@example.com. */
const addressOf = (mailbox: string): string => /<([^>]*)>\s*$/.exec(mailbox)?.[1]?.trim() ?? mailbox
const isEmail = (text: string): boolean => /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(text)
const notOneEmail = ({ input }: { readonly input?: unknown }): string =>
  `must hold one email address, not "${input}"`
