import { Parser } from 'htmlparser2'

/** Shapes and their colours. No text, style, script, link, picture, animation, filter or reference to another file. */
const elements = new Set([
  'svg',
  'g',
  'defs',
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
  'linearGradient',
  'radialGradient',
  'stop',
  'clipPath',
])

const geometry =
  'cx cy d fx fy gradientTransform height offset points preserveAspectRatio r rx ry transform viewBox width x x1 x2 y y1 y2'
const paint =
  'clip-path clip-rule clipPathUnits color fill fill-opacity fill-rule gradientUnits id opacity spreadMethod stop-color stop-opacity stroke stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width'
const attributes = new Set(`${geometry} ${paint}`.split(' '))

/** Numbers, words, colours and functions of them: no address, quote, escape or entity. */
const plainValue = /^[\w\s.,#%()+-]*$/
const ownReference = /^url\(#[\w-]+\)$/
const anyReference = /url\s*\(/i
const isSafe = (value: string): boolean =>
  ownReference.test(value) || (plainValue.test(value) && !anyReference.test(value))

const DEEPEST = 20
/**
 * Of gradients and clip paths. A clip path is drawn once for each element that it clips, and for each of its own parts that another one clips:
 * a reference below a clip path is left out, because the work would grow exponentially with the depth.
 */
const MOST_REFERENCES = 20

/**
 * Serialises a drawing from its allowed elements and attributes. Other elements are omitted with their content.
 * @returns null for a text that is no SVG drawing
 */
export function safeSvg(text: string): string | null {
  const parts: string[] = []
  let depth = 0
  let isDrawing = true
  /** The depth of the outermost element that is left out, while the parser is inside of it. */
  let skippedAt: number | null = null
  let clipPathAt: number | null = null
  let references = 0
  const parser = new Parser(
    {
      onopentag(name, given) {
        depth += 1
        const isRoot = depth === 1
        if (depth > DEEPEST || isRoot !== (name === 'svg') || (isRoot && parts.length > 0)) isDrawing = false
        if (skippedAt !== null) return
        if (!elements.has(name)) {
          skippedAt = depth
          return
        }
        if (name === 'clipPath') clipPathAt ??= depth
        const kept = allowed(given).filter(([, value]) => clipPathAt === null || !anyReference.test(value))
        references += kept.filter(([, value]) => anyReference.test(value)).length
        if (references > MOST_REFERENCES) isDrawing = false
        parts.push(`<${name}${isRoot ? ' xmlns="http://www.w3.org/2000/svg"' : ''}`, written(kept), '>')
      },
      onclosetag(name) {
        if (skippedAt === null) parts.push(`</${name}>`)
        else if (skippedAt === depth) skippedAt = null
        if (clipPathAt === depth) clipPathAt = null
        depth -= 1
      },
    },
    { xmlMode: true },
  )
  parser.end(text)
  return isDrawing && parts.length > 0 ? parts.join('') : null
}

/** The allowed attributes of an element. Drawing programs write colours as a style, whose declarations are attributes too. */
function allowed({ style = '', ...given }: Readonly<Record<string, string>>): [string, string][] {
  const declared = style.split(';').map((declaration): [string, string] => {
    const [name = '', value = ''] = declaration.split(':')
    return [name.trim(), value.trim()]
  })
  const kept = [...Object.entries(given), ...declared].filter(
    ([name, value]) => attributes.has(name) && isSafe(value),
  )
  return [...new Map(kept)]
}

const written = (attributes: readonly [string, string][]): string =>
  attributes.map(([name, value]) => ` ${name}="${value}"`).join('')
