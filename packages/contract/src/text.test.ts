import { describe, expect, test } from 'vitest'
import { Email } from './text.ts'

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
