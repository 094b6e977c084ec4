import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { clear, type GatewayProcess, kill, launch, temporaryDataDir } from './lib/gateway-process.ts'
import { takePort } from './lib/ports.ts'
import { processesOf } from './lib/processes.ts'

const firstStartMs = 20_000

let dataDir = ''

test.beforeEach(() => {
  dataDir = temporaryDataDir()
})

// A test that leaves a process has failed, also when everything else was as it should be.
test.afterEach(async () => {
  expect(await clear(dataDir), 'processes that were left').toEqual([])
})

/** The process exits with code 1 and one line with the reason. */
async function refusal(gateway: GatewayProcess): Promise<string> {
  expect(await gateway.ended).toBe(1)
  const lines = gateway.output.stderr.trim().split('\n')
  expect(lines).toHaveLength(1)
  return lines[0] ?? ''
}

function killAll(directory: string, keep: 'database' | 'nothing'): void {
  for (const { pid, isDatabase } of processesOf(directory)) {
    if (!isDatabase || keep === 'nothing') kill(pid)
  }
}

test('starts in time, prints where to go, and Ctrl-C leaves nothing behind', async () => {
  const first = await launch({ dataDir })
  expect(await first.ready()).toBeLessThan(firstStartMs)
  await expect.poll(() => first.output.stdout).toContain('Ctrl-C')
  for (const place of [first.url.replace('127.0.0.1', ''), '/app', '/dev/mailbox', '/dev/phone', dataDir]) {
    expect(first.output.stdout).toContain(place.replace('http://', ''))
  }
  expect(await first.interrupt()).toBe(0)
  expect(processesOf(dataDir)).toEqual([])

  expect(first.output.stderr).toBe('')
})

test('npm start ends as quietly when the terminal interrupts npm, too', async () => {
  const gateway = await launch({ dataDir, command: ['npm', 'start', '--silent'] })
  await gateway.ready()
  expect(await gateway.interrupt()).toBe(0)
  await expect.poll(() => processesOf(dataDir)).toEqual([])
})

test('a key pressed repeatedly during the stop changes nothing', async () => {
  const gateway = await launch({ dataDir })
  await gateway.ready()
  const ended = gateway.interrupt()
  for (let press = 0; press < 5; press += 1) {
    await sleep(20)
    void gateway.interrupt()
  }
  expect(await ended).toBe(0)
  expect(processesOf(dataDir)).toEqual([])
})

test('Ctrl-C while it starts leaves nothing behind', async () => {
  for (const waitMs of [100, 600, 1200]) {
    const gateway = await launch({ dataDir })
    await sleep(waitMs)
    await gateway.interrupt()
    expect(processesOf(dataDir), `after ${waitMs} ms`).toEqual([])
  }
})

for (const keep of ['database', 'nothing'] as const) {
  test(`starts again after kill -9 of everything${keep === 'database' ? ' but the database' : ''}`, async () => {
    const killed = await launch({ dataDir })
    await killed.ready()
    killAll(dataDir, keep)
    await killed.ended
    const next = await launch({ dataDir })
    expect(await next.ready()).toBeLessThan(firstStartMs)
    expect(await next.interrupt()).toBe(0)
  })
}

test('kill -9 of the supervisor alone: the gateway and the simulator notice and stop', async () => {
  const gateway = await launch({ dataDir })
  await gateway.ready()
  gateway.process.kill('SIGKILL')
  await expect.poll(() => processesOf(dataDir), { timeout: 15_000 }).toEqual([])
})

test('the death of the simulator stops the gateway in order, with one line of explanation', async () => {
  const gateway = await launch({ dataDir })
  await gateway.ready()
  await expect.poll(() => gateway.output.stdout).toContain('Ctrl-C')
  const simulator = processesOf(dataDir).find(({ command }) => command.includes('apps/simulator'))
  process.kill(simulator?.pid ?? 0, 'SIGKILL')
  expect(await refusal(gateway)).toContain('simulator')
})

test('a second gateway on the same data directory is refused', async () => {
  const first = await launch({ dataDir })
  await first.ready()
  const second = await launch({ dataDir })
  expect(await refusal(second)).toContain('already running on this data directory')
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
  expect(await first.interrupt()).toBe(0)
})

test('a taken port is named', async () => {
  const { server, port } = await takePort()
  expect(await refusal(await launch({ dataDir, environment: { PORT: String(port) } }))).toContain(
    String(port),
  )
  server.close()
  await once(server, 'close')
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
  const gateway = await launch({ dataDir })
  await gateway.ready()
  // A request whose body is still on its way when the key is pressed.
  const { hostname, port } = new URL(gateway.url)
  const slow = spawn('node', ['-e', slowRequest, hostname, port], { stdio: ['ignore', 'pipe', 'inherit'] })
  let answer = ''
  slow.stdout.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })
  await sleep(500)
  const ended = gateway.interrupt()
  await once(slow, 'close')
  expect(answer).toMatch(/^HTTP\/1\.1 4\d\d/)
  expect(await ended).toBe(0)
})

const slowRequest = `
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'none' })
  const socket = require('node:net').connect(Number(process.argv[2]), process.argv[1], () => {
    socket.write('POST /v1/auth/signin HTTP/1.1\\r\\nHost: x\\r\\nContent-Type: application/json\\r\\nConnection: close\\r\\nContent-Length: ' + body.length + '\\r\\n\\r\\n' + body.slice(0, 10))
    setTimeout(() => socket.write(body.slice(10)), 1200)
  })
  socket.pipe(process.stdout)
`
