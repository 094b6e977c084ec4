import { z } from 'zod'

export type Environment = Readonly<Record<string, string | undefined>>

/** The settings on which the others depend. */
export type Deployment = Readonly<z.output<typeof deployment>>

/** Real or simulated money. */
export type KeyMode = Deployment['keyMode']

/** All errors of the environment at once, each a sentence that names its variable. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('; '))
    this.problems = problems
  }
}

/** Reads the settings of a schema. Errors of the deployment are reported alone: the schema of the others depends on it. */
export function readSettings<T>(env: Environment, schemaFor: (deployment: Deployment) => z.ZodType<T>): T {
  const given = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  )
  return Object.freeze(parse(schemaFor(parse(deployment, given)), given))
}

function parse<T>(schema: z.ZodType<T>, given: Environment): T {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  // The parts of a path make up the name of the variable.
  throw new ConfigError(result.error.issues.map(({ path, message }) => `${path.join('')} ${message}`.trim()))
}

/** The variables of one account by their names without the prefix; undefined when none is set. */
export function variablesOf(env: Environment, prefix: string, names: readonly string[]) {
  const given = names.filter((name) => env[prefix + name] !== undefined)
  return given.length === 0 ? undefined : Object.fromEntries(given.map((name) => [name, env[prefix + name]]))
}

export const integer = (min: number, max: number) =>
  z
    .string()
    .refine((text) => Number.isInteger(Number(text)) && Number(text) >= min && Number(text) <= max, {
      error: ({ input }) => `must be a whole number from ${min} to ${max}, not "${input}"`,
    })
    .transform(Number)

/** An address without a slash at its end. The error does not repeat the value, which may contain a password. */
export const address = (...protocols: readonly string[]) =>
  z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
      error: `must be an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    })
    .transform((text) => text.replace(/\/+$/, ''))

/** The origin of a site. Pages, links and callbacks are below its root. */
export const origin = (...protocols: readonly string[]) =>
  address(...protocols).refine(
    (text) => URL.canParse(text) && new URL(text).href === `${new URL(text).origin}/`,
    'must be an origin such as https://pay.example.com: no path, question mark, # or user name follows the host',
  )

const disjunction = new Intl.ListFormat('en-GB', { type: 'disjunction' })
export const oneOf = <const T extends readonly string[]>(...values: T) =>
  z.enum(values, { error: ({ input }) => `must be ${disjunction.format(values)}, not "${input}"` })

const deployment = z
  .object({
    NODE_ENV: oneOf('development', 'test', 'production')
      .default('development')
      .transform((name): 'development' | 'production' => (name === 'test' ? 'development' : name)),
    MODE: oneOf('test', 'live').optional(),
    SIMULATOR_PORT: integer(0, 65_535).default(3001),
    PUBLIC_URL: z.string().default(''),
    TRUSTED_PROXIES: z.string().default('0'),
  })
  .superRefine(({ NODE_ENV, MODE, PUBLIC_URL, TRUSTED_PROXIES }, ctx) => {
    if (NODE_ENV === 'production') return
    // Development has open mailboxes, weak cookies and high limits: a gateway that others reach runs in production.
    const reachable = {
      'MODE=live': MODE === 'live',
      'A PUBLIC_URL with https:// (but for MURIPO_TUNNEL, the address of a tunnel in development)':
        PUBLIC_URL.startsWith('https:'),
      TRUSTED_PROXIES: TRUSTED_PROXIES !== '0',
    }
    for (const [setting, isSet] of Object.entries(reachable))
      if (isSet) ctx.addIssue(`${setting} demands NODE_ENV=production`)
  })
  .transform(({ NODE_ENV: mode, MODE, SIMULATOR_PORT }) => ({
    mode,
    keyMode: MODE ?? (mode === 'production' ? 'live' : 'test'),
    simulatorUrl: mode === 'production' ? null : `http://127.0.0.1:${SIMULATOR_PORT}`,
  }))
