import fc from 'fast-check'
import { TypeID } from 'typeid-js'
import { expect, test } from 'vitest'
import { suffixFrom, uuidIn } from './typeid.ts'

// The valid examples of the TypeID specification.
test.each([
  ['00000000-0000-0000-0000-000000000000', '00000000000000000000000000'],
  ['00000000-0000-0000-0000-000000000001', '00000000000000000000000001'],
  ['00000000-0000-0000-0000-00000000000a', '0000000000000000000000000a'],
  ['00000000-0000-0000-0000-000000000020', '00000000000000000000000010'],
  ['ffffffff-ffff-ffff-ffff-ffffffffffff', '7zzzzzzzzzzzzzzzzzzzzzzzzz'],
  ['0110c853-1d09-52d8-d73e-1194e95b5f19', '0123456789abcdefghjkmnpqrs'],
  ['01890a5d-ac96-774b-bcce-b302099a8057', '01h455vb4pex5vsknk084sn02q'],
])('%s is %s', (uuid, suffix) => {
  expect(suffixFrom(uuid)).toBe(suffix)
  expect(uuidIn(suffix)).toBe(uuid)
})

test('any UUID is encoded like by the library, and decoded back', () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      const suffix = suffixFrom(uuid)
      expect(suffix).toBe(TypeID.fromUUID('pay', uuid).getSuffix())
      expect(uuidIn(suffix)).toBe(uuid)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  '',
  '8zzzzzzzzzzzzzzzzzzzzzzzzz',
  '0123456789abcdefghjkmnpqri',
  '0123456789ABCDEFGHJKMNPQRS',
  `${'0'.repeat(25)}`,
])('"%s" is refused', (suffix) => expect(() => uuidIn(suffix)).toThrow('Not the suffix of a TypeID'))

test.each(['', 'no uuid', '01890a5d-ac96-774b-bcce-b302099a80'])('"%s" is no UUID', (uuid) =>
  expect(() => suffixFrom(uuid)).toThrow('Not a UUID'),
)
