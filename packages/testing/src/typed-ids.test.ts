import { expect, test } from 'vitest'
import { typedId, uuidOf } from './typed-ids.ts'

// Examples of the specification, github.com/jetify-com/typeid/blob/main/spec/valid.yml
test.each([
  ['00000000000000000000000000', '00000000-0000-0000-0000-000000000000'],
  ['7zzzzzzzzzzzzzzzzzzzzzzzzz', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ['0123456789abcdefghjkmnpqrs', '0110c853-1d09-52d8-d73e-1194e95b5f19'],
  ['01h455vb4pex5vsknk084sn02q', '01890a5d-ac96-774b-bcce-b302099a8057'],
])('%s is %s', (suffix, uuid) => {
  expect(uuidOf(`pay_${suffix}`)).toBe(uuid)
  expect(typedId('pay', uuid)).toBe(`pay_${suffix}`)
})

test.each([
  'pay_',
  'pay_01h455vb4pex5vsknk084sn02',
  'pay_8zzzzzzzzzzzzzzzzzzzzzzzzz',
  'pay_0123456789abcdefghijklmnop',
])('%s is refused', (id) => {
  expect(() => uuidOf(id)).toThrow('not a typed id')
})
