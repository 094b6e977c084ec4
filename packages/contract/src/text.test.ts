import { describe, expect, test, vi } from 'vitest'
import { newPasswordField } from './fields.ts'
import { Email, fieldText, personName } from './text.ts'

const read = (text: string): string | null => Email.safeParse(text).data ?? null

describe('an email address', () => {
  test.each(['a@b.co', 'Tendai.Moyo+till@example.co.zw', 'chipo@exämple.com'])('takes %s', (text) => {
    expect(read(text)).toBe(text)
  })

  test.each([
    ['a NUL, which the database cannot hold', 'a\u0000@b.co'],
    ['a second address', 'x,victim@b.co'],
    ['a display name', 'x<victim@b.co>'],
    ['a group', 'x:victim@b.co'],
    ['half a character', 'a\ud800@b.co'],
    ['an invisible turn of direction', 'a\u202e@b.co'],
    ['a line break', 'a@b.co\nBcc:x@y.z'],
    ['no domain', 'a@b'],
    ['255 characters', `${'a'.repeat(249)}@b.co`.padEnd(255, 'm')],
  ])('refuses %s', (_what, text) => {
    expect(read(text)).toBeNull()
  })

  test('gives one spelling to two ways of writing the same letters', () => {
    expect(read('e\u0301ric@b.co')).toBe(read('\u00e9ric@b.co'))
  })
})

describe('a text of 65,000 characters', () => {
  test.each([
    ['dots after an at sign', `a@${'.'.repeat(65_000)}@`],
    ['combining marks in the wrong order', `a${'\u0301'.repeat(16_000)}${'\u0323'.repeat(16_000)}@b.co`],
    ['spaces', ' '.repeat(65_000)],
  ])('of %s is refused by its length alone, as an address, a name and a password', (_what, text) => {
    const normalize = vi.spyOn(String.prototype, 'normalize')
    const fields = [
      Email,
      personName(200, 'Full name is required'),
      fieldText(newPasswordField('Password is required')),
    ]
    const issues = fields.map((field) => field.safeParse(text).error?.issues.map(({ code }) => code))
    expect(issues).toEqual([['too_big'], ['too_big'], ['too_big']])
    expect(normalize).not.toHaveBeenCalled()
  })
})

describe('a name', () => {
  const name = (text: string) => personName(200, 'Full name is required').safeParse(text)

  test.each([
    'Chipo Ndlovu',
    "O'Neil-Łukasz",
    'Ñandú',
    '商店',
    'محمد',
    'क्षत्रिय',
    '7-Eleven',
    '🌍',
    '\u{1f469}\u200d\u{1f33e}',
    `q${'\u0323'.repeat(30)}`,
    '\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
  ])('is taken as it is: %s', (text) => {
    expect(name(text).data).toBe(text)
  })

  test('is kept in composed form, without spaces around it', () => {
    expect(name('  E\u0301ric ').data).toBe('\u00c9ric')
    expect(name('\u2066Chipo\u2069').data).toBe('Chipo')
  })

  test.each([
    ['a second line', 'Chipo\nBcc: all@example.com'],
    ['a line separator', 'Chipo\u2028Ndlovu'],
    ['a turn of direction', 'Chipo \u202emoc.live'],
    ['a NUL', 'Chi\u0000po'],
    ['half a character', 'Chi\ud800po'],
    ['nothing to be seen', '\u200b\u200d'],
    ['dots alone', '...'],
    ['201 characters', 'x'.repeat(201)],
    ['31 accents on one letter', `a${'\u0301'.repeat(31)}`],
  ])('with %s is refused', (_what, text) => {
    expect(name(text).success).toBe(false)
  })
})
