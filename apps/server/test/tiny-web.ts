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
let renders = 0
function render(request, status, headers, routerContext, loadContext) {
  headers.set('content-type', 'text/html; charset=utf-8')
  const { nonce } = loadContext.get(inputContext)
  const own = '<script nonce="' + nonce + '">render ' + (renders += 1) + '</script>'
  return new Response(request.method === 'HEAD' ? null : page + own, { status, headers })
}
const payersPage = (shown, { nonce }) =>
  new Response(page + '<script nonce="' + nonce + '">' + shown.kind + ' ' + (renders += 1) + '</script>', {
    status: shown.kind === 'trouble' ? shown.status : 200,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  })
const readerLocale = (request) => request.headers.get('accept-language')?.slice(0, 2) ?? 'en'
const inputContext = createContext()
function provideContext(input) {
  const context = new RouterContextProvider()
  context.set(inputContext, input)
  return context
}
const refuse = async () => {
  throw data(null, { status: 404 })
}
const readDocument = async ({ context }) => Response.json(await context.get(inputContext).apiDocument())
const route = (id, path, parentId) => ({ id, path, parentId, module: { default: () => null } })
export const entry = { module: { default: render, handleError: () => undefined, provideContext, readerLocale, payersPage } }
export const routes = {
  root: route('root', ''),
  home: { ...route('home', undefined, 'root'), index: true },
  constant: { ...route('constant', 'constant', 'root'), module: { default: () => null, handle: { isConstant: true } } },
  entry: { ...route('entry', ':id', 'constant'), module: { default: () => null } },
  changing: { ...route('changing', 'changing', 'constant'), module: { default: () => null, handle: { isConstant: false } } },
  nothing: { ...route('nothing', '*', 'root'), module: { default: () => null, handle: { isConstant: true }, loader: refuse } },
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
