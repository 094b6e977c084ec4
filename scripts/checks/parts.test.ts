import { expect, test } from 'vitest'
import { findings, sources } from '../lib/sources.ts'

const web = 'apps/web/app'
const fileOf = (line: string) => line.split(':')[0] ?? ''

/** Drawings whose colours are the same in light and dark, and what reads no custom property: the browser's frame. */
const withOwnColours = [
  'components/logo.tsx',
  'features/auth/account-created.tsx',
  'features/checkout/chooser.tsx',
  'features/checkout/next-step.tsx',
  'features/checkout/page.tsx',
  'features/site/landing/method-marks.tsx',
  'shell/color-scheme.ts',
].map((file) => `${web}/${file}`)

test('every colour has a name, which the file of the tokens defines', () => {
  const styles = sources(`${web}/**/*.css`).filter(({ file }) => file !== `${web}/components/ui/tokens.css`)
  expect(styles.length).toBeGreaterThan(30)
  expect(findings(styles, /#[\da-f]{3,8}\b|\b(rgb|hsl|oklch)a?\(|color-mix|: (white|black)\b/i)).toEqual([])
  const code = sources(`${web}/**/*.{ts,tsx}`).filter(({ file }) => !/\.(test|spec)\.tsx?$/.test(file))
  const files = new Set(findings(code, /['"]#([\da-f]{3}|[\da-f]{6})['"]|\brgb\(/i).map(fileOf))
  expect([...files]).toEqual(withOwnColours)
})

/** Controls that are no field: a chart's keyboard, sliders, a drop area, the message of the chat. The payer's page has its own. */
const withOwnControls = [
  'components/password-fields.tsx',
  'features/auth/document-field.tsx',
  'features/overview/daily-bars.tsx',
  'features/payments/export/export-dialog.tsx',
  'features/site/pricing/calculator.tsx',
  'shell/chat/chat.tsx',
].map((file) => `${web}/${file}`)

test('only the parts have controls of forms and dialogs', () => {
  const screens = sources(`${web}/**/*.tsx`).filter(
    ({ file }) => !/\.spec\.tsx$|\/components\/ui\/|\/features\/checkout\//.test(file),
  )
  const files = new Set(findings(screens, /<(input|select|textarea|dialog)(\s|>|$)/).map(fileOf))
  expect([...files]).toEqual(withOwnControls)
})

/** The declarations of type that screens still have. The number only falls. */
const DECLARATIONS_OF_TYPE = 132

test('new style sheets set no type', () => {
  const styles = sources(`${web}/**/*.css`).filter(({ file }) => !file.startsWith(`${web}/components/ui/`))
  const type = /^\s*(font|font-size|font-weight|font-family|line-height|letter-spacing):/
  expect(findings(styles, type).length).toBeLessThanOrEqual(DECLARATIONS_OF_TYPE)
})

test('screens use each class of the parts, and no others', () => {
  const textOf = (file: string) => sources(`${web}/components/ui/${file}`)[0]?.text ?? ''
  const namesIn = (pattern: RegExp, ...texts: string[]) =>
    new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name)))
  const classes = namesIn(
    /^ {2,4}\.(\w+)/gm,
    ...['font', 'flow', 'surface'].map((name) => textOf(`${name}.css`)),
  )
  const screens = sources(`${web}/**/*.tsx`).map(({ text }) => text)
  const used = namesIn(/['"`](\w+)(?=['" ])/g, ...screens, textOf('classes.ts'))
  expect(classes.size).toBeGreaterThan(50)
  expect([...classes].filter((name) => !used.has(name))).toEqual([])
  const named = namesIn(/'(\w+)'/g, textOf('classes.ts'))
  expect([...named].filter((name) => !classes.has(name))).toEqual([])
})

/** Pieces of other parts, which show nothing alone. */
const pieces = [
  'Cells',
  'DialogFoot',
  'Field',
  'FieldButton',
  'LoadingList',
  'PlacedDialog',
  'Titles',
  'VisuallyHidden',
]

test('the page of the parts shows each part', () => {
  const parts = sources(`${web}/components/ui/*.tsx`).flatMap(({ file, text }) =>
    file.endsWith('.spec.tsx')
      ? []
      : [...text.matchAll(/^export (?:const|function) ([A-Z]\w+)/gm)].map(([, name]) => name),
  )
  const page = sources(`${web}/features/parts/*.tsx`)
    .map(({ text }) => text)
    .join('\n')
  expect(parts.length).toBeGreaterThan(15)
  expect(parts.filter((name) => !new RegExp(`<${name}\\b`).test(page)).sort()).toEqual(pieces)
})
