import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { typesSource } from '../scripts/types-source.ts'

const sdk = fileURLToPath(new URL('..', import.meta.url))
const repository = path.join(sdk, '../..')
const bin = path.join(repository, 'node_modules/.bin')
const environment = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` }
/** A merchant's project, which contains only the published package and a framework. */
const project = mkdtempSync(path.join(tmpdir(), 'muripo-sdk-'))
const installed = path.join(project, 'node_modules/muripo')
const examples = globSync('*.mjs', { cwd: path.join(sdk, 'examples') })

beforeAll(() => {
  mkdirSync(path.dirname(installed))
  execFileSync('node', [path.join(sdk, 'scripts/build.ts'), installed], { env: environment })
  writeFileSync(path.join(project, 'package.json'), '{ "private": true }')
  symlinkSync(path.join(repository, 'node_modules/fastify'), path.join(project, 'node_modules/fastify'))
  for (const file of examples) cpSync(path.join(sdk, 'examples', file), path.join(project, file))
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

const fence = '`'.repeat(3)

const read = (file: string) => readFileSync(path.join(repository, file), 'utf8')

const run = (...args: string[]) => execFileSync('node', args, { cwd: project, encoding: 'utf8' }).trim()

test('the types are those of the contract', () => {
  expect(read('packages/sdk/src/generated/types.ts')).toBe(typesSource())
})

test('the published package is imported and required in a bare folder', () => {
  const use = 'console.log(typeof Muripo, typeof MuripoError, typeof verifyWebhook)'
  const names = '{ Muripo, MuripoError, verifyWebhook }'
  const expected = 'function function function'
  expect(run('--input-type=module', '-e', `import ${names} from 'muripo'; ${use}`)).toBe(expected)
  // Node before 20.19 cannot require an ES module.
  const required = run('--no-experimental-require-module', '-e', `const ${names} = require('muripo'); ${use}`)
  expect(required).toBe(expected)
})

test('the package has no dependencies, and contains neither tests nor sources', () => {
  const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({ name: 'muripo', engines: { node: '>=20' } })
  expect(Object.keys(manifest).filter((name) => /dependencies|private/i.test(name))).toEqual([])
  const files = globSync('**/*.{js,ts}', { cwd: installed })
  expect(files.filter((file) => /\.test\.|(?<!\.d)\.ts$/.test(file))).toEqual([])
  const imports = files.flatMap((file) =>
    [
      ...readFileSync(path.join(installed, file), 'utf8').matchAll(/(?:from |require\()['"]([^'"]+)['"]/g),
    ].map(([, name]) => name),
  )
  expect(imports.length).toBeGreaterThan(50)
  // TypeScript 4 refuses an import of a `.ts` file in a declaration.
  expect(imports.filter((name) => !/^\.\.?\/.*\.js$/.test(name ?? ''))).toEqual([])
})

/** A shop that uses events and lists; each expected error is one that the types must find. */
const shop = `import { Muripo, MuripoError, verifyWebhook, type MuripoEvent } from 'muripo'

export async function pay(muripo: Muripo) {
  // @ts-expect-error: an unknown currency
  await muripo.payments.create({ amount: 25, currency: 'dollars', description: 'Order 1001' })
  const list = muripo.payments.list()
  const asPromise: Promise<unknown> = list
  return [asPromise, await list.catch((error: MuripoError) => error.code)]
}

export async function receive(request: { body: Uint8Array; headers: NodeJS.Dict<string | string[]> }) {
  const event: MuripoEvent = await verifyWebhook(request.body, request.headers, process.env.MURIPO_WEBHOOK_SECRET)
  // @ts-expect-error: not every event has a payment
  event.data.amount
  if (event.type === 'payment.completed') return event.data.amount.toFixed(2)
  if (event.type === 'payment.refunded') return event.data.refund.amount.toFixed(2)
  if (event.type === 'payment.reversed') return event.data.reversal.amount?.toFixed(2)
  // @ts-expect-error: no such type
  return event.type === 'payment.paid'
}
`

/** The parts of Express that its example uses. */
const expressTypes = `declare module 'express' {
  type Handler = (request: { body: Buffer; headers: NodeJS.Dict<string | string[]> },
    response: { sendStatus(status: number): void }) => unknown
  function express(): { post(path: string, parser: Handler, handler: Handler): void; listen(port: number): void }
  namespace express { function raw(options: { type: string }): Handler }
  export default express
}`

/** The TypeScript samples of a document, one after the other in a module each. */
const samplesOf = (file: string) =>
  [...read(file).matchAll(new RegExp(`${fence}ts\n([\\s\\S]*?)${fence}`, 'g'))].map(
    ([, sample = '']) => sample,
  )

test('the examples and the samples of the documents compile with the published types, as ES modules and as CommonJS', () => {
  const write = (file: string, text: string) => {
    writeFileSync(path.join(project, file), text)
    return file
  }
  const samples = ['docs/webhooks.md', 'docs/integrate.md'].flatMap(samplesOf)
  expect(samples.length).toBeGreaterThanOrEqual(2)
  const files = [
    ...examples,
    write('shop.mts', shop),
    write('shop.cts', shop),
    write('express.d.ts', expressTypes),
    ...samples.map((sample, index) => write(`sample-${index}.mts`, sample)),
  ]
  const options = {
    strict: true,
    noEmit: true,
    module: 'node16',
    target: 'es2022',
    allowJs: true,
    checkJs: true,
    types: ['node'],
    typeRoots: [path.join(repository, 'node_modules/@types')],
    skipLibCheck: true,
  }
  write('tsconfig.json', JSON.stringify({ compilerOptions: options, files }))
  const { stdout, status } = spawnSync('tsc', ['-p', project], { env: environment, encoding: 'utf8' })
  expect([stdout, status]).toEqual(['', 0])
})

test('the README contains the examples unchanged', () => {
  const readme = read('packages/sdk/README.md')
  for (const file of examples.filter((name) => /^(create|webhook)/.test(name))) {
    expect(readme).toContain(`${fence}js\n${read(`packages/sdk/examples/${file}`)}${fence}`)
  }
})

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const body = JSON.stringify({ id: 'evt_1', type: 'payment.completed', data: { reference: 'order-1' } })

function signedRequest(text = body): RequestInit {
  const timestamp = Math.floor(Date.now() / 1000)
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`evt_1.${timestamp}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  }
  return { method: 'POST', body: text, headers }
}

test('the example for Next.js answers 204 to a signed event and 400 to a changed one', async () => {
  vi.stubEnv('MURIPO_WEBHOOK_SECRET', secret)
  const { POST } = await import(pathToFileURL(path.join(project, 'webhook-next.mjs')).href)
  const post = (text?: string) => POST(new Request('http://shop.example', signedRequest(text)))
  expect((await post()).status).toBe(204)
  expect((await post(body.replace('order-1', 'order-2'))).status).toBe(400)
})

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  await once(probe, 'close')
  return port
}

const isListening = (url: string, server: ChildProcess) =>
  fetch(url).then(
    () => true,
    () => server.exitCode !== null,
  )

test('the example for Fastify answers 204 to a signed event and 400 to a changed one', async () => {
  const port = await freePort()
  const url = `http://localhost:${port}/muripo/events`
  const server = spawn('node', ['webhook-fastify.mjs'], {
    cwd: project,
    env: { ...environment, PORT: String(port), MURIPO_WEBHOOK_SECRET: secret },
    stdio: 'ignore',
  })
  try {
    await expect.poll(() => isListening(url, server)).toBe(true)
    expect((await fetch(url, signedRequest())).status).toBe(204)
    expect((await fetch(url, signedRequest(body.replace('order-1', 'order-2')))).status).toBe(400)
  } finally {
    server.kill()
  }
})
