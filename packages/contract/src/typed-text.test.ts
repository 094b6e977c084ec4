import { describe, expect, test } from 'vitest'
import { applicationFields, bankingFields } from './application-fields.ts'
import { lineField, nameField, otpField, textField } from './fields.ts'
import { CreatePayment } from './payments.ts'
import { Email, personName } from './text.ts'
import { cleanCode, cleanPhone, withoutMarks } from './typed-text.ts'

/** Every mark that a device or a program puts around a copied text. */
const marks = [
  '\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e',
  '\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u206a\u206f\ufeff',
].flatMap((each) => [...each])
const spaces = [...'\u00a0\u1680\u2000\u2003\u2007\u2009\u200a\u202f\u205f\u3000\t\n\v\f\r\u2028\u2029']

test.each([...marks, ...spaces])('%j around and inside of a phone number and a code is removed', (mark) => {
  expect(cleanPhone(`${mark}+263 77${mark} 123 4567${mark}`).replaceAll(' ', '')).toBe('+263771234567')
  expect(cleanCode(`${mark}123${mark}456${mark}`)).toBe('123456')
})

test.each(marks.filter((mark) => !'\u202d\u202e'.includes(mark)))(
  '%j around a text, a name, a search and an email address is removed',
  (mark) => {
    const around = (text: string) => `${mark} ${text}${mark}`
    expect(textField(99, 'x').clean(around('Two tickets'))).toBe('Two tickets')
    expect(nameField(99, 'x').clean(around('Tendai Moyo'))).toBe('Tendai Moyo')
    expect(withoutMarks(around('pay_01'))).toBe('pay_01')
    expect(Email.parse(around('tendai@shop.co.zw'))).toBe('tendai@shop.co.zw')
  },
)

test.each([
  '٠٧٧١٢٣٤٥٦٧',
  '۰۷۷۱۲۳۴۵۶۷',
  '०७७१२३४५६७',
  '০৭৭১২৩৪৫৬৭',
  '０７７１２３４５６７',
  '𝟎𝟕𝟕𝟏𝟐𝟑𝟒𝟓𝟔𝟕',
  '\u{116da}\u{116e1}\u{116e1}\u{116db}\u{116dc}\u{116dd}\u{116de}\u{116df}\u{116e0}\u{116e1}',
  "'0771234567",
  'tel:0771234567',
])('the digits of %s are read', (typed) => {
  expect(cleanPhone(typed)).toBe('0771234567')
})

test.each([
  ['＋263 77 123 4567', '+263 77 123 4567'],
  ['\u2795263771234567', '+263771234567'],
  ['077‐123‑45–67', '077-123-45-67'],
  ['077\u2212123\u30fc45\uff0d67', '077-123-45-67'],
  ['（077）123．4567', '(077)123.4567'],
])('the signs of %s become those of ASCII', (typed, plain) => {
  expect(cleanPhone(typed)).toBe(plain)
})

test.each([
  '123 456',
  '123-456',
  '123\u2013456',
  '123456\n',
  '\u200e123456',
  '１２３４５６',
  '١٢٣٤٥٦',
  '123\u00a0456',
])('the one-time code %j is 123456', (typed) => {
  expect(otpField.clean(typed)).toBe('123456')
  expect(otpField.error(otpField.clean(typed))).toBeNull()
})

test.each(['\r\n', '\r', '\n', '\u2028', '\u2029', '\u0085', '\v', '\f'])(
  '%j in a text is one line break',
  (end) => {
    expect(textField(99, 'x').clean(`one${end}two${end}`)).toBe('one\ntwo')
    expect(lineField(99, 'x').clean(`one${end}two${end}`)).toBe('one two')
  },
)

test('a tab is a space wide, and a program’s isolates around its parameters are removed', () => {
  expect(textField(99, 'x').clean('Tab\there \u2068Tariro\u2069')).toBe('Tab  here Tariro')
  expect(nameField(99, 'x').clean('Tariro\t Moyo')).toBe('Tariro Moyo')
})

describe('an email address', () => {
  test.each([
    ['tendai＠shop．co．zw', 'tendai@shop.co.zw'],
    ['mailto:tendai@shop.co.zw', 'tendai@shop.co.zw'],
    ['tendai@shop。co。zw', 'tendai@shop.co.zw'],
    ['tendai@shop.co.zw\u200b\n', 'tendai@shop.co.zw'],
  ])('%s is read', (typed, address) => {
    expect(Email.parse(typed)).toBe(address)
  })

  test.each([
    'tariro@example..com',
    'tariro@exam_ple.com',
    'tariro@.example.com',
    'tariro@example.com.',
    'tariro@-example.com',
    'tariro@example-.com',
    `tariro@${'a'.repeat(64)}.com`,
    `${'a'.repeat(65)}@example.com`,
    'tariro@192.168.1.1',
    'tariro@example',
    '.tariro@example.com',
    'tariro.@example.com',
    'ta..riro@example.com',
    'tariro@@example.com',
    'tariro@exam ple.com',
    '@example.com',
    'tariro@',
  ])('%s cannot be reached', (address) => {
    expect(Email.safeParse(address).success).toBe(false)
  })
})

describe('a name that other people read', () => {
  const fields = [applicationFields.applicationName, bankingFields.bankName, bankingFields.bankAccountName]

  test.each([
    '\u2800\u2800',
    '\u3164',
    'Shop\u3164',
    'Shop\u2800',
    'Shop\u115f',
    'Shop\u{e0041}',
    'Shop\u034f',
    'Shop\uffa0',
    'Shop\u17b4',
    'Eco\u202ehsaC',
    'Shop\u{1d159}',
    '\u200b\u200d',
  ])('%j is refused', (name) => {
    for (const { clean, error } of fields) expect(error(clean(name))).not.toBeNull()
  })

  test('marks of devices are not stored', () => {
    for (const { clean } of fields)
      expect(clean('\ufeffChiedza\u00ad\u200b Crafts\u200e')).toBe('Chiedza Crafts')
  })
})

describe('a text that payers read', () => {
  const fields = CreatePayment.shape

  test.each([
    '\u2800\u2800',
    '\u3164',
    '\u200d\u200c',
    '\ufe0f',
    '\u0301',
    'Order\u{e0041}\u{e0042}',
    'Order\u2800',
    'Order\u034f7',
    '\u{1f3f4}\u{e0041}\u{e007f}',
    'Eco\u202ehsaC',
  ])('%j is refused as a description, a reference and a name', (text) => {
    for (const field of [fields.description, fields.reference, personName(99, 'x')])
      expect(field.safeParse(text).success).toBe(false)
    expect(fields.customer.safeParse({ name: text }).success).toBe(false)
  })

  test.each([
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} shirt',
    '👩🏾‍🌾 ❤️',
    '葛\u{e0100}',
    'می‌خواهم',
    '-',
    '🍅',
    'One\nTwo',
  ])('%j is accepted', (text) => {
    expect(fields.description.parse(text)).toBe(text)
  })

  test('a customer’s name is one line', () => {
    expect(fields.customer.parse({ name: 'Rudo\r\n Dube' })).toEqual({ name: 'Rudo Dube' })
  })
})

test('null, an empty list of PHP and the fields of an earlier response are accepted in a request', () => {
  const order = { amount: 25, currency: 'USD', description: 'Two tickets' } as const
  const absent = { reference: null, method: null, capture: null, locale: null, success_url: null } as const
  const empty = { cancel_url: null, metadata: [], expires_in: null, customer: [] } as const
  expect(CreatePayment.parse({ ...order, ...absent, ...empty })).toMatchObject({ metadata: {}, customer: {} })
  const customer = { id: null, email: null, name: null, phone: null }
  expect(CreatePayment.safeParse({ ...order, metadata: null, customer }).success).toBe(true)
  expect(CreatePayment.safeParse({ ...order, customer: null }).success).toBe(true)
})
