import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { OBJECT_STORE_FORM, type ObjectStore, readObjectStore } from './files/object-store.ts'
import { isProxy, type TrustedProxies } from './http/trusted-proxies.ts'
import { readSmtpUrl } from './mail/smtp-url.ts'

export interface Config {
  readonly mode: 'development' | 'production'
  /** Which money its merchants' own books are of: real, or simulated. */
  readonly keyMode: KeyMode
  readonly host: string
  readonly port: number
  /** Where people and providers reach this gateway, without a slash at the end. */
  readonly publicUrl: string
  readonly dataDir: string
  /** Null: the embedded PostgreSQL under dataDir. */
  readonly databaseUrl: string | null
  /** The same database, as the role that owns its tables. Null: the role of databaseUrl. */
  readonly migrateDatabaseUrl: string | null
  /** Null in development alone, where mails are kept for /dev/mailbox anyway. */
  readonly smtpUrl: string | null
  readonly mailFrom: string
  /** Who reads what visitors write through the contact form. */
  readonly contactEmail: string
  /** 32 bytes from which every other secret is derived; null in development, where one is made and kept under dataDir. */
  readonly masterKey: Buffer | null
  readonly simulatorUrl: string | null
  readonly ecocash: EcocashAccount
  /** Where test keys of a live gateway pay; null: they cannot pay with EcoCash. */
  readonly ecocashTest: EcocashAccount | null
  readonly passwords: PasswordCost & {
    /** So many are hashed at the same time. */
    readonly atOnce: number
  }
  /** Null: files are kept under dataDir. */
  readonly objectStore: ObjectStore | null
  /** Below so much free space on the disk of dataDir no payment is created, and below twice that no file is taken; 0: no limit. */
  readonly minFreeDiskBytes: number
  readonly logLevel: string
  readonly rateLimitFactor: number
  /** Who in front of this process is trusted to name the caller's address. */
  readonly trustedProxies: TrustedProxies
}

export type KeyMode = 'test' | 'live'

export interface EcocashAccount {
  readonly baseUrl: string
  readonly username: string
  readonly password: string
  readonly merchantCode: string
  readonly merchantPin: string
  readonly merchantNumber: string
  /** The only numbers that are rung; null: any. */
  readonly testNumbers: readonly string[] | null
}

/** What hashing one password takes; a change reaches an account with its next sign-in. */
export interface PasswordCost {
  readonly memoryKib: number
  readonly passes: number
}

/** Every fault of the environment at once, each a line that says what to do. */
export class ConfigError extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(faults.join('; '))
    this.faults = faults
  }
}

/** Which numbers a test account of EcoCash rings, when ECOCASH_TEST_NUMBERS does not say otherwise. */
const ecocashTestNumbers = ['077 111 1111', '077 222 2222', '077 333 3333', '077 444 4444'] as const

/** What the simulator accepts; of no worth anywhere else. */
const simulatorCredentials = {
  username: 'muripo',
  password: 'simulator',
  merchantCode: '00001',
  merchantPin: '0000',
  merchantNumber: '771000000',
}

const ecocashVariables = {
  baseUrl: 'URL',
  username: 'USERNAME',
  password: 'PASSWORD',
  merchantCode: 'MERCHANT_CODE',
  merchantPin: 'MERCHANT_PIN',
  merchantNumber: 'MERCHANT_NUMBER',
} as const

export function parseConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = []
  const text = (name: string): string | null => env[name]?.trim() || null

  function integer(name: string, fallback: number, min: number, max: number): number {
    const value = text(name)
    if (value === null) return fallback
    const number = Number(value)
    if (Number.isInteger(number) && number >= min && number <= max) return number
    faults.push(`${name} must be a whole number from ${min} to ${max}, not "${value}"`)
    return fallback
  }

  function url(name: string, protocols: readonly string[]): string | null {
    const value = text(name)
    if (value === null) return null
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value.replace(/\/+$/, '')
    faults.push(`${name} must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`)
    return null
  }

  function proxies(name: string): TrustedProxies {
    const value = text(name)
    if (value === null || /^\d+$/.test(value)) return integer(name, 0, 0, 10)
    const list = value.split(',').map((part) => part.trim())
    const wrong = list.find((part) => !isProxy(part))
    if (wrong === undefined) return list
    faults.push(
      `${name} must be a number of hops or a list of addresses and networks, and "${wrong}" is none`,
    )
    return 0
  }

  function smtp(name: string): string | null {
    const value = text(name)
    const server = value === null ? null : readSmtpUrl(value)
    if (typeof server === 'string') faults.push(`${name} ${server}`)
    return value
  }

  function objectStore(name: string): ObjectStore | null {
    const value = text(name)
    const store = value === null ? null : readObjectStore(value)
    // The value is not repeated: it holds a secret.
    if (value !== null && store === null) faults.push(`${name} must be ${OBJECT_STORE_FORM}`)
    return store
  }

  const nodeEnv = text('NODE_ENV') ?? 'development'
  // Alone: what else is asked for depends on it.
  if (!['development', 'test', 'production'].includes(nodeEnv))
    throw new ConfigError([`NODE_ENV must be development, test or production, not "${nodeEnv}"`])
  const mode = nodeEnv === 'production' ? 'production' : 'development'

  function required<T>(name: string, value: T | null, hint: string): T | null {
    if (value === null && mode === 'production' && !faults.some((fault) => fault.startsWith(name))) {
      faults.push(`${name} is missing: ${hint}`)
    }
    return value
  }

  const keyMode = text('MODE') ?? (mode === 'production' ? 'live' : 'test')
  if (keyMode !== 'test' && keyMode !== 'live') faults.push(`MODE must be test or live, not "${keyMode}"`)

  /** Development has open mailboxes, weak cookies and high limits: what is reached from elsewhere runs in production. */
  function demandProduction(setting: string, isSet: boolean): void {
    if (isSet && mode !== 'production') faults.push(`${setting} demands NODE_ENV=production`)
  }
  demandProduction('MODE=live', keyMode === 'live')
  demandProduction('A PUBLIC_URL with https://', text('PUBLIC_URL')?.startsWith('https:') === true)
  demandProduction('TRUSTED_PROXIES', !['0', null].includes(text('TRUSTED_PROXIES')))
  if (mode === 'production' && text('NODE_TLS_REJECT_UNAUTHORIZED') === '0')
    faults.push(
      'NODE_TLS_REJECT_UNAUTHORIZED must not be 0 in production: it turns off every check of a certificate',
    )

  const testNumbers = text('ECOCASH_TEST_NUMBERS')
    ?.split(',')
    .map((number) => number.trim()) ?? [...ecocashTestNumbers]
  const notNumber = testNumbers.find((number) => !/^[+\d][\d\s-]{8,20}$/.test(number))
  if (notNumber !== undefined)
    faults.push(`ECOCASH_TEST_NUMBERS must be phone numbers separated by commas, and "${notNumber}" is none`)

  /** All of it or nothing. */
  function ecocashTest(): EcocashAccount | null {
    const names = Object.entries(ecocashVariables).map(([of, name]) => [of, `ECOCASH_TEST_${name}`] as const)
    const missing = names.filter(([, name]) => text(name) === null)
    if (missing.length === names.length) return null
    for (const [, name] of missing)
      faults.push(`${name} is missing: the other ECOCASH_TEST_ settings are there`)
    const given = (of: keyof typeof ecocashVariables) => text(`ECOCASH_TEST_${ecocashVariables[of]}`) ?? ''
    return {
      baseUrl: url('ECOCASH_TEST_URL', ['https:', 'http:']) ?? '',
      username: given('username'),
      password: given('password'),
      merchantCode: given('merchantCode'),
      merchantPin: given('merchantPin'),
      merchantNumber: given('merchantNumber'),
      testNumbers,
    }
  }

  const port = integer('PORT', 3000, 0, 65_535)
  const host = text('HOST') ?? '127.0.0.1'
  const simulatorPort = integer('SIMULATOR_PORT', 3001, 0, 65_535)
  const simulatorUrl = mode === 'development' ? `http://127.0.0.1:${simulatorPort}` : null
  const provider = (name: keyof typeof simulatorCredentials, variable: string): string =>
    required(variable, text(variable), 'production needs the provider credentials') ??
    simulatorCredentials[name]

  const mailFrom = text('MAIL_FROM') ?? 'Muripo <no-reply@muripo.example>'

  const config: Config = {
    mode,
    keyMode: keyMode === 'live' ? 'live' : 'test',
    host,
    port,
    publicUrl:
      required(
        'PUBLIC_URL',
        url('PUBLIC_URL', ['https:', 'http:']),
        'the address under which payers reach this gateway',
      ) ?? `http://localhost:${port}`,
    dataDir: resolve(text('MURIPO_DATA') ?? 'data'),
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    migrateDatabaseUrl: url('MIGRATE_DATABASE_URL', ['postgres:', 'postgresql:']),
    smtpUrl: required(
      'SMTP_URL',
      smtp('SMTP_URL'),
      'production needs a mail server, smtps://user:password@host',
    ),
    mailFrom,
    contactEmail: text('CONTACT_EMAIL') ?? addressOf(mailFrom),
    masterKey: required(
      'MURIPO_MASTER_KEY',
      parseKey(text('MURIPO_MASTER_KEY'), faults),
      'make one with `openssl rand -base64 32` and keep it safe',
    ),
    simulatorUrl,
    ecocash: {
      baseUrl:
        required(
          'ECOCASH_URL',
          url('ECOCASH_URL', ['https:', 'http:']),
          "production needs the provider's address",
        ) ?? `${simulatorUrl}/ecocash/payment/v1`,
      username: provider('username', 'ECOCASH_USERNAME'),
      password: provider('password', 'ECOCASH_PASSWORD'),
      merchantCode: provider('merchantCode', 'ECOCASH_MERCHANT_CODE'),
      merchantPin: provider('merchantPin', 'ECOCASH_MERCHANT_PIN'),
      merchantNumber: provider('merchantNumber', 'ECOCASH_MERCHANT_NUMBER'),
      // In development the simulator rings any number.
      testNumbers: mode === 'production' && keyMode === 'test' ? testNumbers : null,
    },
    ecocashTest: keyMode === 'live' ? ecocashTest() : null,
    passwords: {
      memoryKib: integer('PASSWORD_MEMORY_MIB', 46, 7, 1024) * 1024,
      passes: integer('PASSWORD_PASSES', 1, 1, 20),
      atOnce: integer('PASSWORD_HASHES', 2, 1, 4),
    },
    objectStore: objectStore('FILES_URL'),
    minFreeDiskBytes: integer('MIN_FREE_DISK_MIB', 1024, 0, 1_000_000_000) * 1024 * 1024,
    logLevel: text('LOG_LEVEL') ?? (mode === 'production' ? 'info' : 'warn'),
    rateLimitFactor: integer('RATE_LIMITS', mode === 'production' ? 1 : 100, 1, 1_000_000),
    trustedProxies: proxies('TRUSTED_PROXIES'),
  }

  if (!['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].includes(config.logLevel)) {
    faults.push('LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent')
  }
  if (!/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(config.contactEmail)) {
    const name = text('CONTACT_EMAIL') ? 'CONTACT_EMAIL' : 'MAIL_FROM'
    faults.push(`${name} must hold one email address, not "${config.contactEmail}"`)
  }
  if (mode === 'production' && config.publicUrl.startsWith('http:'))
    faults.push('PUBLIC_URL must start with https:// in production')
  // Each call carries the provider's password and the merchant's PIN.
  if (mode === 'production' && isInTheClear(config.ecocash.baseUrl))
    faults.push('ECOCASH_URL must start with https:// in production, unless it is on this machine')
  if (mode === 'production' && config.ecocashTest && isInTheClear(config.ecocashTest.baseUrl))
    faults.push('ECOCASH_TEST_URL must start with https:// in production, unless it is on this machine')
  if (host.includes(' ') || host.includes('/'))
    faults.push(`HOST must be an address or a name, not "${host}"`)
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(config)
}

/** "Muripo <hello@example.com>" is hello@example.com. */
const addressOf = (mailbox: string): string => /<([^>]*)>\s*$/.exec(mailbox)?.[1]?.trim() ?? mailbox

function parseKey(value: string | null, faults: string[]): Buffer | null {
  if (value === null) return null
  const key = Buffer.from(value, 'base64')
  if (key.length === 32 && new Set(key).size > 8) return key
  faults.push('MURIPO_MASTER_KEY must be 32 random bytes in base64: make one with `openssl rand -base64 32`')
  return null
}

/** Over a network, that is: a tunnel that begins on this machine is the operator's matter. */
const isInTheClear = (url: string): boolean =>
  url.startsWith('http:') && !isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''))

export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true
  return isIP(host) === 4 ? host.startsWith('127.') : host === '::1'
}
