import { globSync } from 'node:fs'
import { freePort } from '@muripo/rig/listen'
import { type Browser, missing, start } from './browser.ts'

const packages = 'webkit2gtk-driver xvfb'

/** The small browser of WebKitGTK on a display of its own, driven by WebDriver. */
export async function openWebkit(): Promise<Browser> {
  const [binary] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')
  if (binary === undefined) throw missing('WebKit', packages)
  const screen = ['-screen', '0', '1024x768x24', '-nolisten', 'tcp']
  const display = await start(['Xvfb', '-displayfd', '1', ...screen], /(\d+)\n/, missing('Xvfb', packages))
  const port = await freePort()
  const driver = await start(
    ['sh', '-c', `echo "port ${port}"; exec WebKitWebDriver --port=${port}`],
    /port (\d+)/,
    missing('WebKit', packages),
    { DISPLAY: `:${display.reported}` },
  )

  async function call<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
    const { value } = (await response.json()) as { value: T & { message?: string } }
    if (!response.ok) throw new Error(value?.message ?? String(response.status))
    return value
  }
  while (
    !(await call('GET', '/status').then(
      () => true,
      () => false,
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, 50))
  const { sessionId } = await call<{ sessionId: string }>('POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } } },
  })
  const session = `/session/${sessionId}`
  return {
    async goto(url) {
      await call('POST', `${session}/url`, { url })
    },
    async evaluate(expression) {
      const script = `return JSON.stringify((${expression}) ?? null)`
      return JSON.parse(await call<string>('POST', `${session}/execute/sync`, { script, args: [] }))
    },
    async close() {
      await call('DELETE', session)
      await driver.stop()
      await display.stop()
    },
  }
}
