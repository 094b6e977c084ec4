import { expect, test } from 'vitest'
import { initialsOf } from './initials.ts'

test.each([
  ['Chiedza Crafts', 'CC'],
  ['  Rudo  van der Chikomo ', 'RC'],
  ['kiosk', 'K'],
  ['(Mbare) & Sons "Ltd"', 'ML'],
  ['𝒜pple émile', '𝒜É'],
  ['42 Bakery', '4B'],
  ['🧺', ''],
  ['', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
