import { errorsOf, type Field } from './fields.ts'

/** The largest file of a logo, as it is uploaded and as it is served. */
export const LOGO_MAX_BYTES = 4096

export const brandTexts = {
  colourNotValid: 'The colour must be written like #12306b',
  colourTooLight: 'White text cannot be read on this colour. Please choose a darker one',
  logoTooLarge: 'The logo must be at most 4 kB',
  logoNotPicture: 'The logo must be an SVG drawing, or a WebP or PNG picture of at most 1024 × 1024 pixels',
} as const
export const brandError = errorsOf(brandTexts)

/** The text on a shop's colour. */
const HEADER_TEXT = '#ffffff'
/** WCAG 2.2, 1.4.3 (AA). */
const LEAST_CONTRAST = 4.5

const channel = (part: string): number => {
  const value = Number.parseInt(part, 16) / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

/** The relative luminance of a colour, as WCAG defines it. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => channel(colour.slice(at, at + 2))) as [
    number,
    number,
    number,
  ]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** The colour of the payer's page, "#12306b"; empty for ours. */
export const colourField: Field = {
  maxLength: 7,
  maxTyped: 20,
  clean: (typed) => (typed.length > 20 ? typed : typed.trim().toLowerCase()),
  error(colour) {
    if (colour === '') return null
    if (!/^#[0-9a-f]{6}$/.test(colour)) return brandError('colourNotValid')
    return contrast(colour, HEADER_TEXT) >= LEAST_CONTRAST ? null : brandError('colourTooLight')
  },
}
