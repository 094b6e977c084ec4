import { describe, expect, test } from 'vitest'
import { type Command, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { helpText, parseCommand, usageOf } from './parse-command.ts'
import { ageText, block, oneLine, sizeText } from './print.ts'

const rename: Command = {
  words: 'shop rename',
  parameters: ['SHOP', 'NAME'],
  options: { reason: 'TEXT' },
  optional: { colour: 'NAME' },
  flags: ['now'],
  does: 'gives a shop another name',
  run: async () => '',
}
const parsed = (...argv: string[]) => parseCommand(argv, [rename])

describe('a typed line', () => {
  test('is a command with its values, its options and its operator', () => {
    expect(parsed('shop', 'rename', 'a', 'b', '--reason', 'help', '--as=Rudo')).toEqual({
      command: rename,
      args: { values: ['a', 'b'], options: { reason: 'help' }, flags: new Set() },
      as: 'Rudo',
    })
    expect(parsed('shop', 'rename', 'a', 'b', '--now')?.args.flags).toEqual(new Set(['now']))
    expect(parsed('shop', 'rename', 'a', 'b')).toMatchObject({ as: null, args: { options: {} } })
  })

  test.each([[[]], [['help']], [['--help']], [['shop', 'rename', '-h']]])(
    'is a request for help: %j',
    (argv) => {
      expect(parseCommand(argv, [rename])).toBeNull()
    },
  )

  test.each([
    [['shop'], 'There is no command "shop".'],
    [['shop', 'sell', 'a'], 'There is no command "shop sell".'],
    [['shop', 'rename', 'a'], 'Usage: shop rename SHOP NAME --reason TEXT [--colour NAME] [--now]'],
    [['shop', 'rename', 'a', 'b', 'c'], 'Usage: shop rename SHOP NAME --reason TEXT [--colour NAME] [--now]'],
    [['shop', 'rename', 'a', 'b', '--size', 'big'], "Unknown option '--size'"],
    [['shop', 'rename', 'a', 'b', '--reason'], "Option '--reason <value>' argument missing"],
  ])('is refused: %j', (argv, message) => {
    expect(() => parseCommand(argv, [rename])).toThrow(new UsageError(message))
  })
})

test('the help names every command and its syntax, and no two have the same syntax', () => {
  const text = helpText(commands)
  for (const command of commands) expect(text).toContain(`  ${usageOf(command)}\n      ${command.does}\n`)
  const words = commands.map((command) => command.words)
  expect(new Set(words).size).toBe(words.length)
  // When one command is a prefix of another, the whole line is the longer one.
  for (const word of words) {
    const { parameters = [], options = {} } = commands.find((command) => command.words === word) ?? {}
    const given = Object.keys(options).flatMap((name) => [`--${name}`, 'x'])
    expect(parseCommand([...word.split(' '), ...parameters, ...given], commands)?.command.words).toBe(word)
  }
})

test.each([
  [0, 'less than a minute'],
  [60_000, '1 minute'],
  [59 * 60_000, '59 minutes'],
  [90 * 60_000, '1 hour'],
  [49 * 3_600_000, '2 days'],
])('after %i ms something is %s old', (ms, text) => {
  expect(ageText(new Date(0), new Date(ms))).toBe(text)
})

test('texts of other people stay on their line, with control characters visible', () => {
  expect(oneLine(' CBZ\n\u001b[2J Bank \u202eknaB\u0000 ')).toBe('CBZ [2J Bank knaB')
})

test('facts stand in two columns, and unknown facts are left out', () => {
  const facts = [
    ['Name', 'Rudo'],
    ['Reason', ''],
    ['Bank', 'CBZ'],
  ] as const
  expect(block('app_1', facts)).toBe('app_1\n  Name  Rudo\n  Bank  CBZ')
})

test.each([
  [1, '1 kB'],
  [123_456, '123 kB'],
  [1_000_000, '1 MB'],
  [10_485_759, '10.5 MB'],
])('%i bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text)
})
