import fc from 'fast-check'

export const oddTexts: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom('\u0000', '\ud800', '\udfff', '%', '\\', "'", '"', '🌍', '\r\n', '\u202e', 'a'),
    maxLength: 8,
  }),
  fc.constantFrom('', ' ', 'null', '-0', '1e-7', '0000-00-00', '9999-12-31', 'Infinity', '../../etc/passwd'),
  fc.constantFrom(
    "' or 1=1 --",
    '{{7*7}}',
    '__proto__',
    'constructor',
    '<script>',
    '\u{10ffff}',
    'a'.repeat(10_000),
  ),
)

const oddValues: fc.Arbitrary<unknown> = fc.oneof(
  oddTexts,
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom<unknown>(null, true, [], {}, [[]], [{}], -1, 0, 1e308, 5e-324, Number.MAX_SAFE_INTEGER + 2),
  fc.jsonValue(),
  fc.integer({ min: 2, max: 2000 }).map(nested),
)

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let n = 0; n < depth; n += 1) value = n % 2 === 0 ? [value] : { a: value }
  return value
}

/** The same input with some values, at any depth, changed, emptied, or extended by an unknown field. */
export const mutated = (right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      right,
      fc.array(fc.tuple(fc.nat(), fc.constantFrom('odd', 'gone', 'more'), oddValues, oddTexts), {
        maxLength: 3,
      }),
    )
    .map(([value, blows]) =>
      blows.reduce<unknown>((hurt, [at, how, odd, name]) => strike(hurt, at, how, odd, name), value),
    )

function strike(
  value: unknown,
  at: number,
  how: 'odd' | 'gone' | 'more',
  odd: unknown,
  name: string,
): unknown {
  if (typeof value !== 'object' || value === null) return odd
  const keys = Object.keys(value)
  if (how === 'more') return Array.isArray(value) ? [...value, odd] : { ...value, [name]: odd }
  const key = keys[at % Math.max(keys.length, 1)]
  if (key === undefined) return odd
  const copy = Object.fromEntries(Object.entries(value))
  if (how === 'gone') delete copy[key]
  else copy[key] = strike(copy[key], Math.floor(at / keys.length), how, odd, name)
  return Array.isArray(value) ? Object.values(copy) : copy
}

/** A text in which a few characters are lost, doubled or replaced. */
export const garbled = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(texts, fc.array(fc.tuple(fc.nat(), fc.nat(3), oddTexts), { minLength: 1, maxLength: 3 }))
    .map(([text, blows]) =>
      blows.reduce((hurt, [at, lost, put]) => {
        const place = at % (hurt.length + 1)
        return hurt.slice(0, place) + put + hurt.slice(place + lost)
      }, text),
    )
