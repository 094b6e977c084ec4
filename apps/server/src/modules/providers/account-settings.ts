import { z } from 'zod'
import { type Deployment, type Environment, variablesOf } from '../../platform/settings.ts'

/** The place where an account is used. */
export interface Place {
  readonly isProduction: boolean
  /** Its payments move no money: it is the account for test keys, or the gateway is in test mode. */
  readonly isForTests: boolean
}

/** The variables that are no secrets. */
const printed = z.registry<{ readonly isName: boolean }>()

function print<Schema extends z.ZodType>(schema: Schema, isName: boolean): Schema {
  // Several variables may share a schema.
  const own = schema.clone()
  printed.add(own, { isName })
  return own
}

/** A variable whose value may be printed. Every other one is a secret. */
export const shown = <Schema extends z.ZodType>(schema: Schema): Schema => print(schema, false)

/** The provider's name of the account. With another value it is another account. */
export const naming = <Schema extends z.ZodType>(schema: Schema): Schema => print(schema, true)

/** A variable without which there is no account. */
export const required = z.string('is missing: the account needs its address and all of its credentials')

/** Texts separated by commas, each one of a list. */
export const someOf = <const Values extends readonly string[]>(
  values: Values,
  preset: readonly Values[number][] = values,
) =>
  z
    .string()
    .default(preset.join(', '))
    .transform((text) => text.split(',').map((each) => each.trim()))
    .refine((texts) => texts.every((text) => values.includes(text)), {
      error: `must be some of ${values.join(', ')}, separated by commas`,
    })
    .transform((texts) => texts as Values[number][])

/** The settings of the accounts at one provider: the only declaration of their variables. */
export interface ProviderSettings<Key extends string = string, Config = unknown> {
  readonly key: Key
  /** The prefix of the variables of the account; TEST_ follows it in those of the account for test keys. */
  readonly prefix: string
  /** The variables of one account, by their names without the prefix, as in production. */
  readonly shape: Readonly<Record<string, z.ZodType>>
  readonly shown: readonly string[]
  /** The provider's names of the account. */
  readonly naming: readonly string[]
  /** Whether a variable, of both accounts, lists the only numbers that an account for tests may prompt. */
  readonly hasTestNumbers: boolean
  schema(deployment: Deployment): z.ZodType<AccountsOf<Key, Config>>
}

/** The account, and the one for payments with test keys of a live gateway; null: no account. */
export type AccountsOf<Key extends string, Config> = Readonly<Record<Key | `${Key}Test`, Config | null>>

/** The configuration of an account at a provider. */
export type ConfigOf<Settings> = Settings extends ProviderSettings<string, infer Config> ? Config : never

export function providerSettings<const Key extends string, Variables extends z.ZodObject, Config>({
  key,
  prefix,
  variables,
  simulated,
  isSimulatedWhole = false,
  isNeeded,
  testNumbers,
  configOf,
}: {
  readonly key: Key
  readonly prefix: string
  readonly variables: (place: Place) => Variables
  /** The account of the simulator, for development. Its credentials are valid nowhere else. */
  readonly simulated: (simulatorUrl: string) => Readonly<Partial<Record<keyof Variables['shape'], string>>>
  /** One variable of the environment then replaces all variables of the simulator's account, and not the same one only. */
  readonly isSimulatedWhole?: boolean
  /** Whether the deployment cannot start without the account. Absent: it always can. */
  readonly isNeeded?: (env: Environment) => boolean
  readonly testNumbers?: z.ZodType<readonly string[], string | undefined>
  /** @param numbers the only numbers that the account may prompt; null: any, because the simulator prompts nobody */
  readonly configOf: (env: z.output<Variables>, place: Place, numbers: readonly string[] | null) => Config
}): ProviderSettings<Key, Config> {
  const { shape } = variables({ isProduction: true, isForTests: false })
  const names = Object.keys(shape)
  const printedAs = (name: string) => printed.get(shape[name] as z.ZodType)

  /** Undefined: there is no account. */
  function ownIn(env: Environment, simulatorUrl: string | null) {
    const given = variablesOf(env, prefix, names)
    if (simulatorUrl === null) return given ?? (isNeeded?.(env) ? {} : undefined)
    if (given === undefined && isNeeded?.(env) === false) return undefined
    const account: Readonly<Record<string, unknown>> = simulated(simulatorUrl)
    const isReplaced = isSimulatedWhole && Object.keys(given ?? {}).some((name) => name in account)
    return isReplaced ? given : { ...account, ...given }
  }

  return {
    key,
    prefix,
    shape: shape as Readonly<Record<string, z.ZodType>>,
    shown: names.filter((name) => printedAs(name) !== undefined),
    naming: names.filter((name) => printedAs(name)?.isName),
    hasTestNumbers: testNumbers !== undefined,
    schema({ mode, keyMode, simulatorUrl }) {
      const isProduction = mode === 'production'
      const account = (isForTests: boolean) => {
        const place = { isProduction, isForTests }
        return variables(place)
          .transform(
            (env) => (numbers: unknown) =>
              configOf(
                env as z.output<Variables>,
                place,
                isProduction && isForTests ? (numbers as readonly string[]) : null,
              ),
          )
          .optional()
      }
      // The parts of a path make up the name of the variable in an error.
      const [test, list] = [`${prefix}TEST_`, `${prefix}TEST_NUMBERS`]
      return z
        .preprocess(
          (env: Environment) => ({
            [prefix]: ownIn(env, simulatorUrl),
            [test]: keyMode === 'live' ? variablesOf(env, test, names) : undefined,
            [list]: env[list],
          }),
          z
            .object({ [prefix]: account(keyMode === 'test'), [test]: account(true) })
            .extend({ [list]: testNumbers ?? z.unknown() }),
        )
        .transform((env) => {
          const configIn = (part: string): Config | null =>
            (env[part] as ((numbers: unknown) => Config) | undefined)?.(env[list]) ?? null
          return { [key]: configIn(prefix), [`${key}Test`]: configIn(test) } as AccountsOf<Key, Config>
        })
    },
  }
}
