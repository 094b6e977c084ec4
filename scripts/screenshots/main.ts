/**
 * Writes images of every page at four widths into the folder screenshots, for review. Names of pages select those pages:
 * `npm run screenshots -- home pricing`.
 */
import path from 'node:path'
import type { Tokens } from '@muripo/contract/auth'
import { callOk } from '@muripo/rig/call'
import { withGateway } from '@muripo/rig/gateway'
import { finishSignIn, startSignIn } from '@muripo/rig/merchant'
import { chromium } from '@playwright/test'
import { merchant } from '../demo/shops.ts'
import { findChromium, ignoreDefaultArgs, testArgs } from '../lib/chromium.ts'
import { repository } from '../lib/repository.ts'
import { photograph } from './camera.ts'
import { codePlaces, dashboardPlaces, type Place, publicPlaces, widths } from './places.ts'

const folder = path.join(repository, 'screenshots')
const names = process.argv.slice(2)
const chosen = (places: readonly Place[]) =>
  names.length === 0 ? places : places.filter(({ name }) => names.includes(name))
const isPublic = (page: string) => publicPlaces.some(({ name }) => name === page)
/** The sample data takes longer than the images, and only the other pages need it. */
const needsSampleData = names.length === 0 || !names.every(isPublic)

async function take(url: string): Promise<number> {
  const browser = await chromium.launch({
    executablePath: await findChromium(console.log),
    args: testArgs,
    ignoreDefaultArgs,
    // Playwright would end this process before the gateway is stopped.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
  try {
    if (!needsSampleData) {
      const places = chosen(publicPlaces)
      await photograph(browser, { url, folder, places })
      return places.length
    }
    const { otpId, code } = await startSignIn(url, merchant)
    const tokens = await finishSignIn(url, otpId, await code)
    const { email } = merchant
    const forgot = `${url}/v1/auth/password/forgot`
    const reset = await callOk<{ otpId: string }>('POST', forgot, { body: { email } })
    const open = chosen([...publicPlaces, ...codePlaces(otpId, reset.otpId)])
    const closed = chosen(dashboardPlaces(await newestApplication(url, tokens)))
    await photograph(browser, { url, folder, places: open })
    await photograph(browser, { url, folder, places: closed, tokens })
    return open.length + closed.length
  } finally {
    await browser.close()
  }
}

async function newestApplication(url: string, { authToken }: Tokens): Promise<string> {
  const { applications } = await callOk<{ applications: { _id: string }[] }>(
    'GET',
    `${url}/v1/applications/all`,
    { bearer: authToken },
  )
  const [newest] = applications
  if (!newest) throw new Error('The sample merchant has no application')
  return newest._id
}

const pages = await withGateway(needsSampleData ? 'scripts/demo/main.ts' : 'scripts/start.ts', take)
if (pages === 0) {
  console.error(`There is no page named ${names.join(' or ')}`)
  process.exit(2)
}
console.log(
  `${pages * widths.length} pictures of ${pages} pages in ${path.relative(process.cwd(), folder) || '.'}`,
)
