import { LOGO_MAX_BYTES } from '@muripo/contract/brand'
import { expect, onTestFinished, test } from 'vitest'
import { smallLogo } from './small-logo.ts'

/** A picture of 600 by 300 pixels with two colours. */
async function picture(): Promise<File> {
  const canvas = document.createElement('canvas')
  canvas.width = 600
  canvas.height = 300
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('the browser draws')
  context.fillStyle = '#12306b'
  context.fillRect(0, 0, 600, 300)
  context.fillStyle = '#ffffff'
  context.arc(300, 150, 100, 0, 7)
  context.fill()
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
  return new File([blob ?? ''], 'logo.png', { type: 'image/png' })
}

test('a picture becomes a small WebP picture', async () => {
  const logo = await smallLogo(await picture())
  expect(logo.type).toBe('image/webp')
  expect(logo.size).toBeLessThanOrEqual(LOGO_MAX_BYTES)
})

test('a browser without an encoder of WebP makes it a small PNG picture', async () => {
  const file = await picture()
  const { toBlob } = HTMLCanvasElement.prototype
  HTMLCanvasElement.prototype.toBlob = function asPng(done) {
    toBlob.call(this, done)
  }
  onTestFinished(() => {
    HTMLCanvasElement.prototype.toBlob = toBlob
  })
  const logo = await smallLogo(file)
  expect(logo.type).toBe('image/png')
  expect(logo.size).toBeLessThanOrEqual(LOGO_MAX_BYTES)
})

test('a file that is no picture is refused', async () => {
  const file = new File(['hello'], 'logo.png', { type: 'image/png' })
  await expect(smallLogo(file)).rejects.toThrow()
})
