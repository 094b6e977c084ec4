import { parseArgs } from 'node:util'

type Value = number | string | boolean
type Defaults = Readonly<Record<string, Value>>
type Options<Given extends Defaults> = {
  readonly [Name in keyof Given]: Given[Name] extends number
    ? number
    : Given[Name] extends boolean
      ? boolean
      : string
}

/**
 * The options of a command line, each of the type of its default.
 * @throws for an unknown option, and for a number that is not above 0
 */
export function readOptions<const Given extends Defaults>(
  args: readonly string[],
  defaults: Given,
): Options<Given> {
  const options = Object.entries(defaults).map(([name, value]) =>
    typeof value === 'boolean'
      ? ([name, { type: 'boolean', default: value }] as const)
      : ([name, { type: 'string', default: String(value) }] as const),
  )
  const { values } = parseArgs({ args: [...args], options: Object.fromEntries(options) })
  const given = values as Readonly<Record<string, string | boolean>>
  const read = (name: string, fallback: Value): Value => {
    const value = given[name] ?? fallback
    if (typeof fallback !== 'number') return value
    if (!(Number(value) > 0)) throw new Error(`--${name} must be a number above 0`)
    return Number(value)
  }
  return Object.fromEntries(
    Object.entries(defaults).map(([name, fallback]) => [name, read(name, fallback)]),
  ) as Options<Given>
}

/** The options of a command with a help text, which `--help` or a wrong option prints before the process ends. */
export function readOptionsOrExit<const Given extends Defaults>(
  usage: string,
  defaults: Given,
): Options<Given> {
  try {
    const { help, ...options } = readOptions(process.argv.slice(2), { ...defaults, help: false })
    if (!help) return options as unknown as Options<Given>
  } catch (error) {
    console.error((error as Error).message)
    return exitWith(usage, 1)
  }
  return exitWith(usage, 0)
}

export function exitWith(usage: string, code: number): never {
  console.log(usage)
  process.exit(code)
}
