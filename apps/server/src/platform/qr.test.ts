import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { drawQr } from './qr.ts'

/** The modules that a path of rectangles covers. */
function modulesOf({ size, path }: { size: number; path: string }): boolean[][] {
  const modules = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    for (let at = 0; at < Number(width); at += 1) (modules[Number(y)] as boolean[])[Number(x) + at] = true
  return modules
}

test.each(['701234567', 'https://wallet.example/pay?code=701234567&amount=25.00', 'é'])(
  'the drawing has the dark modules of the code: %s',
  (text) => {
    const drawing = drawQr(text)
    expect(drawing && modulesOf(drawing)).toEqual(encode(text, { ecc: 'M', border: 0 }).data)
  },
)
test('text that is empty or too long has no drawing', () => {
  expect(drawQr('')).toBeNull()
  expect(drawQr('7'.repeat(300))).not.toBeNull()
  expect(drawQr('7'.repeat(301))).toBeNull()
})
