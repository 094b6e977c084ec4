import { crc32, deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readLogo } from './logo.ts'
import { safePng } from './png.ts'
import { safeSvg } from './svg.ts'
import { safeWebp } from './webp.ts'

const svg = (content: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"${attributes}>${content}</svg>`
const square = '<path d="M0 0h10v10H0z"></path>'
const safe = svg(square)

describe('an SVG drawing', () => {
  test('keeps its shapes, colours and gradients', () => {
    const drawing = svg(
      '<defs><linearGradient id="a" x1="0"><stop offset="50%" stop-color="#fff"></stop></linearGradient></defs>' +
        '<g transform="translate(1 2)"><rect width="5" height="5" fill="url(#a)"></rect><circle r="2" fill="rgb(1, 2, 3)"></circle></g>',
    )
    expect(safeSvg(drawing)).toBe(drawing)
  })

  test('of a drawing program keeps the colours of its styles only', () => {
    const drawing = `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd">
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:i="http://www.inkscape.org/" viewBox="0 0 10 10"><!-- drawn -->
      <metadata><i:x>text</i:x></metadata><path i:label="a" style="fill:#f00;stroke:none;behavior:url(x)" d="M0 0h10v10H0z"/></svg>`
    expect(safeSvg(drawing)).toBe(svg('<path d="M0 0h10v10H0z" fill="#f00" stroke="none"></path>'))
  })

  test('loses references below a clip path, which would be drawn exponentially often', () => {
    const level = (nth: number) =>
      `<clipPath id="c${nth}">${'<path d="M0 0h9v9z" clip-path="url(#c'.concat(String(nth + 1), ')"/>').repeat(5)}</clipPath>`
    const drawing = svg(
      `${Array.from({ length: 9 }, (_, nth) => level(nth)).join('')}<g clip-path="url(#c0)"></g>`,
    )
    expect(safeSvg(drawing)?.match(/url\(/g)).toEqual(['url('])
    const own = '<clipPath id="c"><g style="clip-path:url(#c)"><rect fill="url(#g)"/></g></clipPath>'
    expect(safeSvg(svg(own))).toBe(svg('<clipPath id="c"><g><rect></rect></g></clipPath>'))
    expect(safeSvg(svg('<clipPath id="c" clip-path="url(#d)"></clipPath>'))).toBe(
      svg('<clipPath id="c"></clipPath>'),
    )
  })

  test.each(['clip-path', 'fill', 'stroke'])('refers by %s twenty times at most', (name) => {
    const clipped = `<g ${name}="url(#c)"></g>`
    expect(safeSvg(svg(clipped.repeat(20)))).toBe(svg(clipped.repeat(20)))
    expect(safeSvg(svg(clipped.repeat(21)))).toBeNull()
  })

  test.each([
    [
      'a chain of gradients',
      '<linearGradient id="a" href="#b"></linearGradient>',
      '<linearGradient id="a"></linearGradient>',
    ],
    ['a chain of patterns', '<pattern id="p" href="#q"><rect fill="url(#p)"/></pattern>', ''],
    ['a mask', '<mask id="m"><g mask="url(#m)"/></mask><g mask="url(#m)"></g>', '<g></g>'],
    ['a filter of a shape', '<g filter="url(#f)"></g>', '<g></g>'],
    ['repeated shapes', '<g id="u"><use href="#u"/><use href="#u"/></g>', '<g id="u"></g>'],
    ['a marker', '<path marker-end="url(#m)"></path>', '<path></path>'],
    ['a million dashes', '<path stroke-dasharray="0.00001"></path>', '<path></path>'],
  ])('loses %s', (_what, content, left) => {
    expect(safeSvg(svg(content))).toBe(svg(left))
  })

  test.each([
    ['a script', '<script>alert(1)</script>'],
    ['a script in CDATA', '<script><![CDATA[alert(1)]]></script>'],
    ['a script with a prefix', '<svg:script xmlns:svg="http://www.w3.org/2000/svg">alert(1)</svg:script>'],
    ['a script in another case', '<SCRIPT>alert(1)</SCRIPT>'],
    ['a style sheet', '<style>@import url(https://evil.example/a.css)</style>'],
    [
      'HTML',
      '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="alert(1)"/></body></foreignObject>',
    ],
    ['a link', '<a href="javascript:alert(1)"><path d="M0 0"/></a>'],
    ['a picture', '<image href="https://evil.example/a.png"/>'],
    ['a reference to another file', '<use href="https://evil.example/a.svg#x"/>'],
    ['a reference by xlink', '<use xlink:href="data:image/svg+xml,evil"/>'],
    ['an animation of an address', '<animate attributeName="href" to="javascript:alert(1)"/>'],
    ['an assignment', '<set attributeName="onmouseover" to="alert(1)"/>'],
    ['a filter', '<filter id="f"><feImage href="https://evil.example"/></filter>'],
    ['a text', '<text>Your bank</text>'],
    ['a handler inside of a forbidden element', '<switch><path onload="alert(1)" d="M0 0"/></switch>'],
  ])('loses %s', (_what, content) => {
    expect(safeSvg(svg(content + square))).toBe(safe)
  })

  test.each([
    ['a handler', 'onload="alert(1)"'],
    ['a handler in another case', 'OnLoad="alert(1)"'],
    ['a style with an address', 'style="fill:url(https://evil.example/a)"'],
    ['an address as a colour', 'fill="url(https://evil.example/a#b)"'],
    ['a relative address as a colour', 'fill="url(evil.svg#b)"'],
    ['an address after an own one', 'fill="url(#a) url(evil)"'],
    ['an escaped address', 'fill="u\\72l(evil)"'],
    ['an encoded address', 'fill="&#117;rl(evil)"'],
    ['a value that closes its quote', 'fill="&quot;/&gt;&lt;script&gt;"'],
    ['an entity', 'fill="&xxe;"'],
    ['a base', 'xml:base="https://evil.example/"'],
    ['a class', 'class="x"'],
    ['an address', 'href="javascript:alert(1)"'],
  ])('loses an attribute with %s', (_what, attribute) => {
    expect(safeSvg(svg(`<path d="M0 0h10v10H0z" ${attribute}/>`, ` ${attribute}`))).toBe(safe)
  })

  test('has no entity of its own', () => {
    const bomb = `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>`
    expect(safeSvg(`${bomb}${svg(`&b;&x;${square}`)}`)).not.toMatch(/&|aaa|passwd|ENTITY/)
  })

  test.each([
    ['no drawing', 'hello'],
    ['nothing', ''],
    ['HTML', '<html><svg></svg></html>'],
    ['two drawings', safe + safe],
    ['a drawing in a drawing', svg(safe)],
    ['deep groups', svg('<g>'.repeat(30) + '</g>'.repeat(30))],
  ])('is refused: %s', (_what, text) => {
    expect(safeSvg(text)).toBeNull()
  })

  test('is unchanged by a second pass, so its text is well-formed', () => {
    const drawing = svg(`<g><path d="M0 0"/><circle r="1"/>${square}`)
    const once = safeSvg(drawing) ?? ''
    expect(safeSvg(once)).toBe(once)
  })
})

const chunk = (name: string, data: Buffer) => {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}
function webp(...chunks: Buffer[]): Buffer {
  const content = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  const head = Buffer.from('RIFF\0\0\0\0')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content])
}
const lossless = (width: number, height: number) => {
  const data = Buffer.alloc(8)
  data[0] = 0x2f
  data.writeUInt32LE((width - 1) | ((height - 1) << 14), 1)
  return chunk('VP8L', data)
}
const lossy = Buffer.from([0, 0, 0, 0x9d, 0x01, 0x2a, 16, 0, 16, 0, 1, 2])

describe('a WebP picture', () => {
  test('keeps its picture, without metadata, profiles and animations', () => {
    const bytes = webp(
      chunk('VP8X', Buffer.alloc(10)),
      chunk('EXIF', Buffer.from('where it was taken')),
      lossless(64, 32),
      chunk('XMP ', Buffer.from('<x/>')),
      chunk('ANMF', Buffer.alloc(30)),
    )
    expect(safeWebp(bytes)).toEqual(webp(lossless(64, 32)))
  })

  test('keeps the transparency of a lossy picture', () => {
    const alpha = chunk('ALPH', Buffer.from([1, 2, 3]))
    const kept = safeWebp(webp(chunk('VP8X', Buffer.alloc(10)), alpha, chunk('VP8 ', lossy)))
    const header = Buffer.from([0x10, 0, 0, 0, 15, 0, 0, 15, 0, 0])
    expect(kept).toEqual(webp(chunk('VP8X', header), alpha, chunk('VP8 ', lossy)))
  })

  test.each([
    ['a picture of many pixels', webp(lossless(16_384, 16_384))],
    ['two pictures', webp(lossless(8, 8), lossless(8, 8))],
    ['no picture', webp(chunk('EXIF', Buffer.alloc(9)))],
    ['a chunk beyond the end', webp(lossless(8, 8)).fill(0xff, 16, 20)],
    ['a file that goes on', Buffer.concat([webp(lossless(8, 8)), Buffer.from('<script>')])],
    ['a few bytes', Buffer.from('RIFF')],
    ['another kind of frame', webp(chunk('VP8 ', Buffer.alloc(12, 1)))],
  ])('is refused: %s', (_what, bytes) => {
    expect(safeWebp(bytes)).toBeNull()
  })
})

const pngChunk = (name: string, data: Buffer) => {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length)
  ends.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)])
}
const png = (...chunks: Buffer[]) => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks])
const headerOf = (width: number, height: number) => {
  const data = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0])
  data.writeUInt32BE(width)
  data.writeUInt32BE(height, 4)
  return pngChunk('IHDR', data)
}
const pixels = pngChunk('IDAT', deflateSync(Buffer.alloc(5)))
const pngEnd = pngChunk('IEND', Buffer.alloc(0))
const onePixel = png(headerOf(1, 1), pixels, pngEnd)

describe('a PNG picture', () => {
  test('keeps its pixels, and loses everything else', () => {
    const bytes = png(
      headerOf(1, 1),
      pngChunk('tEXt', Buffer.from('Author\0Rudo')),
      pngChunk('eXIf', Buffer.from('where it was taken')),
      pngChunk('acTL', Buffer.alloc(8)),
      pixels,
      pngChunk('iTXt', Buffer.from('<script>')),
      pngEnd,
    )
    expect(safePng(bytes)).toEqual(onePixel)
    const coloured = png(
      headerOf(1, 1),
      pngChunk('PLTE', Buffer.alloc(3)),
      pngChunk('tRNS', Buffer.alloc(1)),
      pixels,
      pixels,
      pngEnd,
    )
    expect(safePng(coloured)).toEqual(coloured)
  })

  test.each([
    ['a picture of many pixels', png(headerOf(1025, 1), pixels, pngEnd)],
    ['a picture without a size', png(headerOf(0, 1), pixels, pngEnd)],
    ['two pictures', png(headerOf(1, 1), headerOf(1, 1), pixels, pngEnd)],
    ['no pixels', png(headerOf(1, 1), pngEnd)],
    ['no end', png(headerOf(1, 1), pixels)],
    ['chunks in another order', png(pixels, headerOf(1, 1), pngEnd)],
    ['a chunk beyond the end', png(headerOf(1, 1), pixels.subarray(0, -1))],
    ['a damaged chunk', Buffer.from(onePixel).fill(0xff, 20, 24)],
    ['a file that goes on', Buffer.concat([onePixel, Buffer.from('<script>alert(1)</script>')])],
  ])('is refused: %s', (_what, bytes) => {
    expect(safePng(bytes)).toBeNull()
  })
})

test('a logo has a type and an address by its content, and at most 4 kB', () => {
  const encoded = (bytes: string | Buffer) => Buffer.from(bytes).toString('base64')
  expect(readLogo(encoded(safe))).toMatchObject({
    type: 'image/svg+xml',
    hash: readLogo(encoded(` ${safe}`)).hash,
  })
  expect(readLogo(encoded(webp(lossless(8, 8)))).type).toBe('image/webp')
  expect(readLogo(encoded(onePixel))).toMatchObject({ type: 'image/png', content: onePixel })
  expect(() => readLogo(encoded(svg(`<path d="${'1'.repeat(4200)}"/>`)))).toThrow('at most 4 kB')
  expect(() => readLogo(encoded('GIF89a'))).toThrow('must be an SVG drawing')
})
