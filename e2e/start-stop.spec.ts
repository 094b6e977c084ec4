import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { signalProcess } from '@muripo/embedded-postgres/signal-process'
import { type GatewayProcess, type LaunchOptions, launch } from '@muripo/rig/gateway'
import { expect, test } from '@playwright/test'
import { clear, processesOf, temporaryDataDir } from './lib/processes.ts'

let dataDir = ''

test.beforeEach(() => {
  dataDir = temporaryDataDir()
})

// A test that leaves a process has failed.
test.afterEach(async () => {
  expect(await clear(dataDir), 'processes that were left').toEqual([])
})

let initialised = ''
test.afterAll(() => {
  if (initialised !== '') rmSync(initialised, { recursive: true, force: true })
})

/** Launches with a copy of an initialised data directory, because the initialisation takes time. */
async function launchAgain(options: Omit<LaunchOptions, 'dataDir'> = {}): Promise<GatewayProcess> {
  if (initialised === '') {
    const directory = temporaryDataDir()
    const first = await launch({ dataDir: directory })
    await first.ready()
    expect(await first.interrupt()).toBe(0)
    initialised = directory
  }
  // Node's copy function loses the owner of a file.
  execFileSync('cp', ['-a', `${initialised}/.`, dataDir])
  return launch({ dataDir, ...options })
}

/** The process exits with code 1 and one line with the reason. */
async function refusal(gateway: GatewayProcess): Promise<string> {
  expect(await gateway.ended).toBe(1)
  const lines = gateway.output.stderr.trim().split('\n')
  expect(lines).toHaveLength(1)
  return lines[0] ?? ''
}

/** A listener that occupies a free port until the test closes it. */
async function takePort(): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

function killAll(directory: string, keep: 'database' | 'nothing'): void {
  for (const { pid, isDatabase } of processesOf(directory)) {
    if (!isDatabase || keep === 'nothing') signalProcess(pid, 'SIGKILL')
  }
}

test('starts, prints its addresses, and Ctrl-C leaves no processes', async () => {
  const first = await launch({ dataDir })
  await first.ready()
  await expect.poll(() => first.output.stdout).toContain('Ctrl-C')
  for (const place of [first.url.replace('127.0.0.1', ''), '/app', '/dev/mailbox', '/dev/phone', dataDir]) {
    expect(first.output.stdout).toContain(place.replace('http://', ''))
  }
  expect(await first.interrupt()).toBe(0)
  expect(processesOf(dataDir)).toEqual([])

  expect(first.output.stderr).toBe('')
})

test('npm start ends as quietly when the terminal interrupts npm', async () => {
  const gateway = await launchAgain({ command: ['npm', 'start', '--silent'] })
  await gateway.ready()
  expect(await gateway.interrupt()).toBe(0)
  await expect.poll(() => processesOf(dataDir)).toEqual([])
})

test('repeated interrupts during the stop change nothing', async () => {
  const gateway = await launchAgain()
  await gateway.ready()
  const ended = gateway.interrupt()
  for (let press = 0; press < 5; press += 1) {
    await sleep(20)
    void gateway.interrupt()
  }
  expect(await ended).toBe(0)
  expect(processesOf(dataDir)).toEqual([])
})

test('Ctrl-C during the start leaves no processes', async () => {
  for (const waitMs of [100, 600, 1200]) {
    const gateway = await launch({ dataDir })
    await sleep(waitMs)
    await gateway.interrupt()
    expect(processesOf(dataDir), `after ${waitMs} ms`).toEqual([])
  }
})

test('starts again after kill -9 of everything but the database, and of everything', async () => {
  let gateway = await launchAgain()
  for (const keep of ['database', 'nothing'] as const) {
    await gateway.ready()
    killAll(dataDir, keep)
    await gateway.ended
    gateway = await launch({ dataDir })
  }
  await gateway.ready()
  expect(await gateway.interrupt()).toBe(0)
})

test('the gateway and the simulator stop after kill -9 of the supervisor', async () => {
  const gateway = await launchAgain()
  await gateway.ready()
  gateway.process.kill('SIGKILL')
  await expect.poll(() => processesOf(dataDir)).toEqual([])
})

test('the end of the simulator stops the gateway in order, with one line of explanation', async () => {
  const gateway = await launchAgain()
  await gateway.ready()
  await expect.poll(() => gateway.output.stdout).toContain('Ctrl-C')
  const simulator = processesOf(dataDir).find(({ command }) => command.includes('apps/simulator'))
  signalProcess(simulator?.pid ?? Number.NaN, 'SIGKILL')
  expect(await refusal(gateway)).toContain('simulator')
})

test('a taken port is named, and nothing else is started', async () => {
  const { server, port } = await takePort()
  const line = await refusal(await launch({ dataDir, environment: { PORT: String(port) } }))
  expect(line).toBe(`Port ${port} is taken: stop what uses it, or set PORT to another one`)
  expect(readdirSync(dataDir)).toEqual([])
  server.close()
  await once(server, 'close')
})

test('listens on all addresses of both versions, while a second gateway on its data directory is refused', async () => {
  const first = await launchAgain({ environment: { HOST: '::' } })
  await first.ready()
  const second = await launch({ dataDir })
  expect(await refusal(second)).toContain('already running on this data directory')
  for (const host of ['[::1]', '127.0.0.1'])
    expect((await fetch(new URL('/readyz', first.url.replace('127.0.0.1', host)))).status).toBe(200)
  expect(await first.interrupt()).toBe(0)
})

test("the simulator's taken port is named", async () => {
  const { server, port } = await takePort()
  const line = await refusal(await launch({ dataDir, environment: { SIMULATOR_PORT: String(port) } }))
  expect(line).toContain('SIMULATOR_PORT')
  server.close()
  await once(server, 'close')
})

test('an unreachable DATABASE_URL is named in the error', async () => {
  const { server, port } = await takePort()
  server.close()
  await once(server, 'close')
  const environment = { DATABASE_URL: `postgres://somebody:secret@127.0.0.1:${port}/nothing` }
  const line = await refusal(await launch({ dataDir, environment }))
  expect(line).toContain('DATABASE_URL')
  expect(line).not.toContain('secret')
})

test('production without its secrets does not start', async () => {
  const line = await refusal(await launch({ dataDir, environment: { NODE_ENV: 'production' } }))
  expect(line).toContain('MURIPO_MASTER_KEY')
  expect(line).toContain('PUBLIC_URL')
})

test('requests in progress finish before the process ends', async () => {
  const gateway = await launchAgain()
  await gateway.ready()
  const { hostname, port } = new URL(gateway.url)
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'none' })
  const slow = connect(Number(port), hostname)
  slow.setEncoding('utf8')
  slow.write(
    `POST /v1/auth/signin HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  // The gateway has read the head. The body follows after the interrupt.
  expect(String(await once(slow, 'data'))).toMatch(/^HTTP\/1\.1 100/)
  const ended = gateway.interrupt()
  await sleep(1200)
  slow.write(body)
  expect(await text(slow)).toMatch(/^HTTP\/1\.1 4\d\d/)
  expect(await ended).toBe(0)
})
