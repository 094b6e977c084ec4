import { parseArgs } from 'node:util'
import { type Command, type Given, UsageError } from './command.ts'

export interface Order {
  readonly command: Command
  readonly given: Given
  /** Who says to give it; null when nobody was named. */
  readonly as: string | null
}

/**
 * What was typed, as a command and what it is given; null when it asks for help.
 * @throws UsageError when it is neither
 */
export function orderIn(argv: readonly string[], commands: readonly Command[]): Order | null {
  const asked = argv[0] === undefined || argv[0] === 'help' || argv.some((word) => /^(-h|--help)$/.test(word))
  if (asked) return null
  const [command] = commands
    .filter(({ words }) => startsWith(argv, words.split(' ')))
    .sort((one, other) => other.words.length - one.words.length)
  if (!command) throw new UsageError(`There is no command "${argv.slice(0, 2).join(' ')}".`)
  const { parameters = [], options = {}, optional = {} } = command
  const { values, positionals } = parsed(
    argv.slice(command.words.split(' ').length),
    Object.keys({ ...options, ...optional }),
  )
  if (positionals.length !== parameters.length) {
    throw new UsageError(`Usage: ${usageOf(command)}`)
  }
  const { as = null, ...rest } = values
  return { command, given: { values: positionals, options: rest }, as }
}

const startsWith = (argv: readonly string[], words: readonly string[]): boolean =>
  words.every((word, index) => argv[index] === word)

function parsed(args: readonly string[], options: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: Object.fromEntries(['as', ...options].map((name) => [name, { type: 'string' as const }])),
      allowPositionals: true,
    })
    return { values: values as Record<string, string | undefined>, positionals }
  } catch (error) {
    throw new UsageError((error as Error).message.split('. ')[0])
  }
}

export function usageOf({ words, parameters = [], options = {}, optional = {} }: Command): string {
  const written = (given: Readonly<Record<string, string>>) =>
    Object.entries(given).map(([name, value]) => `--${name} ${value}`)
  return [words, ...parameters, ...written(options), ...written(optional).map((each) => `[${each}]`)].join(
    ' ',
  )
}

const kindOf = ({ words }: Command): string | undefined => words.split(' ')[0]

export function helpText(commands: readonly Command[]): string {
  const lines = commands.flatMap((command, index) => {
    const before = commands[index - 1]
    const isNewKind = before !== undefined && kindOf(before) !== kindOf(command)
    return [...(isNewKind ? [''] : []), `  ${usageOf(command)}`, `      ${command.does}`]
  })
  return [
    'What an operator of this gateway can do. What changes anything, or shows a document, is written down with',
    'the name of who did it.',
    '',
    '  npm run admin -- COMMAND [--as NAME]',
    '',
    ...lines,
    '',
    'NAME is the account of this terminal unless it is given. The gateway is the one of MURIPO_DATA or',
    'DATABASE_URL, as for npm start. Exit codes: 0 done, 1 not done, 2 not understood.',
  ].join('\n')
}
