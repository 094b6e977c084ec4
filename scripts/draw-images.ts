import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { findChromium } from './lib/chromium.ts'
import { repository } from './lib/repository.ts'

/** Draws the images of the public folder from the mark. Run it after a change of the mark. */

const folder = path.join(repository, 'apps/web/public')
const inter = readFileSync(
  path.join(repository, 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
).toString('base64')
const mark = readFileSync(path.join(folder, 'favicon.svg'), 'utf8')

/** An .ico that holds one PNG. */
function ico(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(size, 6)
  head.writeUInt8(size, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}

async function draw(browser: Browser, html: string, width: number, height: number): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height } })
  await page.setContent(html)
  await page.evaluate('document.fonts.ready')
  const png = await page.screenshot({ omitBackground: true })
  await page.close()
  return png
}

const icon = (size: number, drawing = mark) =>
  `<style>body { margin: 0 } svg { display: block; width: ${size}px; height: ${size}px }</style>${drawing}`

const arches = mark
  .replace('fill="#0B1324"', 'fill="none"')
  .replace('viewBox="0 0 32 32"', 'viewBox="5 5 22 21"')

const social = `
<style>
  @font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${inter}) }
  body { margin: 0; width: 1200px; height: 630px; box-sizing: border-box; padding: 84px 96px; color: #fff;
    font-family: Inter; display: flex; flex-direction: column; justify-content: space-between;
    background: #0b1324; position: relative; overflow: hidden }
  .behind { position: absolute; right: -150px; bottom: -150px; width: 660px; height: 660px }
  .behind svg { width: 100%; height: 100% }
  .behind path { stroke: #16213c } .behind path + path { stroke: #1c2a52 } .behind path + path + path { stroke: #16213c }
  .brand { display: flex; align-items: center; gap: 22px; font-size: 54px; font-weight: 650; letter-spacing: -.02em }
  .brand svg { width: 76px; height: 76px }
  h1 { margin: 0; max-width: 15ch; font-size: 88px; line-height: 1.05; font-weight: 680; letter-spacing: -.035em }
  p { margin: 26px 0 0; font-size: 32px; color: #b9c4d8 }
</style>
<div class="behind">${arches}</div>
<div class="brand">${arches}Muripo</div>
<div style="position: relative"><h1>Seamless payment solutions</h1><p>Mobile wallets and cards. A gateway that you run yourself.</p></div>`

const browser = await chromium.launch({
  executablePath: await findChromium(console.log),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
const square = mark.replace('rx="8"', '')
const pictures = {
  'favicon.ico': ico(await draw(browser, icon(32), 32, 32), 32),
  'apple-touch-icon.png': await draw(browser, icon(180, square), 180, 180),
  'icon-192.png': await draw(browser, icon(192), 192, 192),
  'icon-512.png': await draw(browser, icon(512), 512, 512),
  // Phones crop this image to a shape of their own.
  'icon-maskable-512.png': await draw(browser, icon(512, square), 512, 512),
  'social.png': await draw(browser, social, 1200, 630),
}
await browser.close()
for (const [name, picture] of Object.entries(pictures)) {
  writeFileSync(path.join(folder, name), picture)
  console.log(`${name}: ${picture.length} bytes`)
}
