import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { methodLabel } from '../../lib/format.ts'
import { axisTo, PALETTE_SIZE, type Pie, pieOf, shareText } from './chart-geometry.ts'

test.each([
  [826.5, [0, 250, 500, 750, 1000]],
  [1000, [0, 250, 500, 750, 1000]],
  [25, [0, 10, 20, 30]],
  [9, [0, 2.5, 5, 7.5, 10]],
  [0.03, [0, 0.01, 0.02, 0.03]],
  [1_234_567, [0, 500_000, 1_000_000, 1_500_000]],
])('an axis to %d has few and round figures', (highest, figures) => {
  expect(axisTo(highest).map((figure) => Number(figure.toPrecision(12)))).toEqual(figures)
})

test('an axis reaches the highest figure, with five lines at most', () => {
  for (let highest = 0.01; highest < 1e9; highest *= 1.37) {
    const axis = axisTo(highest)
    expect(axis.at(-1)).toBeGreaterThanOrEqual(highest)
    expect(axis.at(-2)).toBeLessThan(highest)
    expect(axis.length).toBeLessThanOrEqual(5)
  }
})

const inEnglish = (methods: Parameters<typeof pieOf>[0]) => pieOf(methods, methodLabel)

const labels = (pie: Pie) => pie.slices.map(({ label, count }) => [label, count])

test('[CONST-14] [CONST-15] [CALLS-28] a slice has the label and the count of its method', () => {
  const pie = inEnglish([
    { method: 'ecocash', count: 6 },
    { method: 'visa', count: 3 },
    { method: 'zipit', count: 1 },
  ])
  expect(pie.isSample).toBe(false)
  expect(labels(pie)).toEqual([
    ['EcoCash', 6],
    ['Visa/Mastercard', 3],
    ['Zipit', 1],
  ])
  expect(pie.slices.map(({ share }) => shareText(share))).toEqual(['60%', '30%', '10%'])
  expect(pie.slices.map(({ method }) => method)).toEqual(['ecocash', 'visa', null])
})

test('methods of one name are one slice', () => {
  const pie = inEnglish([
    { method: 'VISA', count: 2 },
    { method: 'CASH', count: 1 },
    { method: 'MASTERCARD', count: 1 },
  ])
  expect(labels(pie)).toEqual([
    ['Visa/Mastercard', 3],
    ['Cash', 1],
  ])
  expect(pie.slices.map(({ method }) => method)).toEqual([null, null])
})

test('[CONST-16] [R-12] a pie without methods is a sample, and labelled as such', () => {
  const pie = inEnglish([])
  expect(pie.isSample).toBe(true)
  expect(labels(pie)).toEqual([
    ['Mobile Money', 45],
    ['Bank Transfer', 32],
    ['Card Payment', 28],
    ['Cash', 51],
  ])
  expect(pie.slices.every(({ method }) => method === null)).toBe(true)
})

test('slices begin at the top, go clockwise, and close the circle', () => {
  const { slices } = inEnglish([
    { method: 'a', count: 3 },
    { method: 'b', count: 1 },
  ])
  expect(slices.map(({ path }) => path)).toEqual(['M0 0L0 -1A1 1 0 1 1 -1 0Z', 'M0 0L-1 0A1 1 0 0 1 0 -1Z'])
  expect(slices[1]?.middle).toEqual([-0.4243, -0.4243])
  expect(inEnglish([{ method: 'a', count: 3 }]).slices[0]?.path).toBe('M0 -1A1 1 0 1 1 0 1A1 1 0 1 1 0 -1Z')
})

test('a share is never zero', () => {
  expect([0.001, 0.005, 0.5, 1].map(shareText)).toEqual(['<1%', '1%', '50%', '100%'])
})

test('[CONST-12] the 8 colours repeat', () => {
  const methods = Array.from({ length: 10 }, (_, index) => ({ method: `m${index}`, count: 1 }))
  const colours = inEnglish(methods).slices.map(({ colour }) => colour)
  expect(new Set(colours).size).toBe(8)
  expect(colours[0]).toBe('var(--chart-1)')
  expect(colours.slice(8)).toEqual(colours.slice(0, 2))
})

const [light, dark] = readFileSync(new URL('../../components/ui/tokens.css', import.meta.url), 'utf8').split(
  '[data-color-scheme="dark"] {',
)

test.each([
  ['light', light],
  ['dark', dark],
])(
  '[CONST-12] each colour of charts in %s has contrast with the background, and is not the colour of a status',
  (_scheme, css = '') => {
    const colours = new Map(
      [...css.matchAll(/--([\w-]+): (#[\da-f]{6});/g)].map(([, token = '', value = '']) => [token, value]),
    )
    const paper = colours.get('paper') ?? ''
    const ofStatus = [...colours].filter(([token]) => /^(green|yellow|red|purple|grey)/.test(token))
    const palette = Array.from(
      { length: PALETTE_SIZE },
      (_, index) => colours.get(`chart-${index + 1}`) ?? '',
    )
    expect(new Set(palette).size).toBe(PALETTE_SIZE)
    for (const colour of palette) {
      expect(contrast(colour, paper), `${colour} on ${paper}`).toBeGreaterThanOrEqual(3)
      expect(ofStatus.map(([, value]) => value)).not.toContain(colour)
    }
  },
)

/** The contrast as WCAG 2 defines it. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
