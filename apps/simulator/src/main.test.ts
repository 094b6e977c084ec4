import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const data = mkdtempSync(join(tmpdir(), 'simulator-'))
const children: ChildProcess[] = []

afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(data, { recursive: true, force: true })
})

function run(port: string) {
  const env = { ...process.env, SIMULATOR_PORT: port, MURIPO_DATA: data }
  const child = fork(main, { silent: true, execArgv: [], env })
  children.push(child)
  const output = { out: '', err: '' }
  child.stdout?.on('data', (chunk: Buffer) => {
    output.out += chunk
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    output.err += chunk
  })
  return { child, output, ended: once(child, 'close') }
}

test('an occupied port is reported in one line; a signal and a lost parent both end the process cleanly', async () => {
  const first = run('0')
  await expect.poll(() => first.output.out).toMatch(/\n$/)
  expect(first.output.out).toMatch(/^simulator listening on http:\/\/127\.0\.0\.1:\d+\n$/)
  const port = /\d+\n$/.exec(first.output.out)?.[0].trim() ?? ''

  const second = run(port)
  expect(await second.ended).toEqual([1, null])
  expect(second.output).toEqual({
    out: '',
    err: `simulator: port ${port} is taken; set SIMULATOR_PORT to a free one\n`,
  })

  first.child.kill('SIGTERM')
  expect(await first.ended).toEqual([0, null])

  const third = run('0')
  await expect.poll(() => third.output.out).toMatch(/\n$/)
  // A child never emits `close` when its channel was cut.
  const gone = once(third.child, 'exit')
  third.child.disconnect()
  expect(await gone).toEqual([0, null])
})

test('a wrong setting is named', async () => {
  const { output, ended } = run('70000')
  expect(await ended).toEqual([1, null])
  expect(output.err).toMatch(/^simulator: SIMULATOR_PORT: .*\n$/)
})
