import { parseArgs } from 'node:util'
import { withoutMarks } from '@muripo/contract/typed-text'
import { type Command, type CommandArguments, UsageError } from './command.ts'

export interface ParsedCommand {
  readonly command: Command
  readonly args: CommandArguments
  /** The name of `--as`. */
  readonly as: string | null
}

/**
 * The command of a line and its arguments; null when the line asks for help.
 * @throws UsageError for any other line
 */
export function parseCommand(argv: readonly string[], commands: readonly Command[]): ParsedCommand | null {
  const wantsHelp =
    argv[0] === undefined || argv[0] === 'help' || argv.some((word) => /^(-h|--help)$/.test(word))
  if (wantsHelp) return null
  const [command] = commands
    .filter(({ words }) => startsWith(argv, words.split(' ')))
    .sort((one, other) => other.words.length - one.words.length)
  if (!command) throw new UsageError(`There is no command "${argv.slice(0, 2).join(' ')}".`)
  const { parameters = [], options = {}, optional = {}, flags = [] } = command
  const { values, given, positionals } = parseWords(
    argv.slice(command.words.split(' ').length),
    Object.keys({ ...options, ...optional }),
    flags,
  )
  if (positionals.length !== parameters.length) {
    throw new UsageError(`Usage: ${usageOf(command)}`)
  }
  const { as = null, ...rest } = values
  return { command, args: { values: positionals, options: rest, flags: given }, as }
}

const startsWith = (argv: readonly string[], words: readonly string[]): boolean =>
  words.every((word, index) => argv[index] === word)

function parseWords(args: readonly string[], options: readonly string[], flags: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      // Ids and addresses are pasted from mails and chats.
      args: args.map(withoutMarks),
      options: {
        ...Object.fromEntries(['as', ...options].map((name) => [name, { type: 'string' as const }])),
        ...Object.fromEntries(flags.map((name) => [name, { type: 'boolean' as const }])),
      },
      allowPositionals: true,
    })
    const all = Object.entries(values)
    return {
      values: Object.fromEntries(all.filter(([, value]) => typeof value === 'string')) as Record<
        string,
        string | undefined
      >,
      given: new Set(all.filter(([, value]) => value === true).map(([name]) => name)),
      positionals,
    }
  } catch (error) {
    throw new UsageError((error as Error).message.split('. ')[0])
  }
}

export function usageOf({
  words,
  parameters = [],
  options = {},
  optional = {},
  flags = [],
}: Command): string {
  const written = (named: Readonly<Record<string, string>>) =>
    Object.entries(named).map(([name, value]) => `--${name} ${value}`)
  const left = [...written(optional), ...flags.map((name) => `--${name}`)]
  return [words, ...parameters, ...written(options), ...left.map((each) => `[${each}]`)].join(' ')
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
