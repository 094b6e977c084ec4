import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

export const tinyPage = `<!doctype html><title>Page</title><p>${'A page that is worth compressing. '.repeat(100)}</p>`
export const tinyScript = `export const lines = ${JSON.stringify(Array.from({ length: 300 }, () => 'line'))}\n`

/** A web build of one rendered page, one script and one icon, as the gateway loads it. */
export async function tinyWeb(): Promise<{ dir: string; remove(): Promise<void> }> {
  const dir = await mkdtemp(path.join(tmpdir(), 'muripo-web-'))
  const files = {
    'client/assets/app-1a2b.js': tinyScript,
    'client/assets/app-1a2b.js.br': brotliCompressSync(tinyScript),
    'client/assets/app-1a2b.js.gz': gzipSync(tinyScript),
    'client/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'server/index.js': serverBuild(),
  }
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(dir, name)), { recursive: true })
    await writeFile(path.join(dir, name), content)
  }
  return { dir, remove: () => rm(dir, { recursive: true }) }
}

const serverBuild = () => `
import { createContext, data, RouterContextProvider } from ${JSON.stringify(import.meta.resolve('react-router'))}
const page = ${JSON.stringify(tinyPage)}
function render(request, status, headers) {
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(request.method === 'HEAD' ? null : page, { status, headers })
}
const inputContext = createContext()
function provideContext(input) {
  const context = new RouterContextProvider()
  context.set(inputContext, input)
  return context
}
async function viewPayment({ params, context }) {
  const { checkout, address } = context.get(inputContext)
  const view = await checkout.view(params.token, address)
  if (view && 'waitSeconds' in view) throw data(view, { status: 429 })
  return null
}
const readDocument = async ({ context }) => Response.json(await context.get(inputContext).apiDocument())
const route = (id, path, parentId) => ({ id, path, parentId, module: { default: () => null } })
export const entry = { module: { default: render, handleError: () => undefined, provideContext } }
export const routes = {
  root: route('root', ''),
  home: { ...route('home', undefined, 'root'), index: true },
  pay: { ...route('pay', 'pay/:token', 'root'), module: { default: () => null, loader: viewPayment } },
  document: { ...route('document', 'document', 'root'), module: { loader: readDocument } },
}
const manifest = ({ id, path, parentId, index }) => ({ id, path, parentId, index, module: '', hasLoader: false, hasAction: false })
export const assets = {
  version: '1', url: '/manifest.js', entry: { module: '', imports: [] },
  routes: Object.fromEntries(Object.values(routes).map((each) => [each.id, manifest(each)])),
}
export const publicPath = '/'
export const assetsBuildDirectory = 'client'
export const basename = '/'
export const future = {}
export const ssr = true
export const isSpaMode = false
export const prerender = []
export const routeDiscovery = { mode: 'initial' }
`
