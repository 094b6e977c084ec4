import { LOGO_MAX_BYTES } from '@muripo/contract/brand'

/** A file that this browser cannot show, or cannot make small enough. */
export class UnreadablePicture extends Error {}

/** The longer side of the logo in pixels, the sharpest first. The payer's page shows it 48 pixels high. */
const SIDES = [512, 384, 256, 192, 144, 108, 72, 48]
const QUALITIES = [0.9, 0.7]
const WEBP = 'image/webp'
export const DRAWING = 'image/svg+xml'

/**
 * A file that the gateway accepts: a drawing or a small WebP picture as it is, and any other picture drawn again, smaller and smaller, until it
 * has at most LOGO_MAX_BYTES. The gateway cleans each of them.
 */
export async function smallLogo(file: File): Promise<Blob> {
  if (file.type === DRAWING || (file.type === WEBP && file.size <= LOGO_MAX_BYTES)) return file
  const picture = await createImageBitmap(file).catch(() => null)
  if (picture === null) throw new UnreadablePicture()
  try {
    for (const side of SIDES) {
      const canvas = drawn(picture, side)
      for (const quality of QUALITIES) {
        const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, WEBP, quality))
        if (blob === null) throw new UnreadablePicture()
        // Safari has no encoder of WebP and answers with PNG, which has no quality.
        if (blob.size <= LOGO_MAX_BYTES) return blob
        if (blob.type !== WEBP) break
      }
    }
    throw new UnreadablePicture()
  } finally {
    picture.close()
  }
}

/** The picture with its longer side of at most `side` pixels. */
function drawn(picture: ImageBitmap, side: number): HTMLCanvasElement {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  const context = canvas.getContext('2d')
  if (context === null) throw new UnreadablePicture()
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas
}
