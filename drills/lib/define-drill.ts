import { parseArgs } from 'node:util'

/** The default of an option. A list has the allowed texts, and the first one is the default. */
type Default = number | string | boolean | readonly string[]
export type Defaults = Readonly<Record<string, Default>>
export type Options<Given extends Defaults> = {
  readonly [Name in keyof Given]: Given[Name] extends readonly (infer Choice)[]
    ? Choice
    : Given[Name] extends number
      ? number
      : Given[Name] extends boolean
        ? boolean
        : string
}

/**
 * The options of a command line, each of the type of its default.
 * @returns null for `--help`
 * @throws for an unknown option, for a number that is not above 0, and for a text that is not in its list
 */
export function readOptions<const Given extends Defaults>(
  args: readonly string[],
  defaults: Given,
): Options<Given> | null {
  const types = Object.entries(defaults).map(
    ([name, value]) => [name, { type: typeof value === 'boolean' ? 'boolean' : 'string' }] as const,
  )
  const { values } = parseArgs({
    args: [...args],
    options: { ...Object.fromEntries(types), help: { type: 'boolean' } },
  })
  if (values.help) return null
  const given: Readonly<Record<string, string | boolean | undefined>> = values
  return Object.fromEntries(
    Object.entries(defaults).map(([name, fallback]) => [name, checkedValue(name, given[name], fallback)]),
  ) as Options<Given>
}

function checkedValue(name: string, given: string | boolean | undefined, fallback: Default) {
  if (given === undefined) return typeof fallback === 'object' ? fallback[0] : fallback
  if (typeof fallback === 'number' && !(Number(given) > 0))
    throw new Error(`--${name} must be a number above 0`)
  if (typeof fallback === 'object' && !fallback.includes(String(given)))
    throw new Error(`--${name} must be one of ${fallback.filter(Boolean).join(', ')}`)
  return typeof fallback === 'number' ? Number(given) : given
}

export interface Drill {
  /** One line in the list of drills. */
  readonly describe: string
  run(args: readonly string[]): Promise<void>
}

export interface DrillWithOptions<Given extends Defaults> {
  readonly describe: string
  /** The help text. Without it, `--help` lists the options. */
  readonly usage?: string
  readonly options: Given
  run(options: Options<Given>): Promise<void>
}

/** A drill that prints its help text for `--help` and for a wrong option. */
export const defineDrill = <const Given extends Defaults>(drill: DrillWithOptions<Given>): Drill => ({
  describe: drill.describe,
  async run(args) {
    const usage = drill.usage ?? `${drill.describe}\n\noptions: ${listOf(drill.options)}`
    let options: Options<Given> | null
    try {
      options = readOptions(args, drill.options)
    } catch (error) {
      refuse(`${(error as Error).message}\n\n${usage}`)
    }
    if (options === null) console.log(usage)
    else await drill.run(options)
  },
})

const listOf = (defaults: Defaults): string =>
  Object.entries(defaults)
    .map(([name, value]) => {
      if (typeof value === 'boolean') return `[--${name}]`
      return `[--${name} ${typeof value === 'object' ? value.filter(Boolean).join('|') : value}]`
    })
    .join(' ')

/** Ends the process before the drill has started anything. */
export function refuse(reason: string): never {
  console.error(reason)
  process.exit(2)
}
