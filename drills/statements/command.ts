import { spawn } from 'node:child_process'
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { launch } from '@muripo/rig/gateway'
import { repository } from '../../scripts/lib/repository.ts'
import { defineDrill } from '../lib/define-drill.ts'
import { logProgress, reportDrill } from '../lib/report.ts'

const source = {
  kind: 'provider',
  provider: 'ecocash',
  currency: 'USD',
  format: 'csv',
  mapping: {
    dateOrder: 'YMD',
    bookedOn: ['Date'],
    amount: { column: 'Amount' },
    reference: ['Id'],
    details: ['Details'],
    balance: { column: 'Balance' },
  },
}
const POLL_MS = 50
/** In a larger heap V8 collects later, and the memory of a process says nothing about what it needs. */
const smallHeap = ['--max-old-space-size=96', '--max-semi-space-size=1']

interface CommandResult {
  readonly seconds: number
  readonly peakMb: number
}

/** Writes a statement of a day; every tenth line has the reference, amount and day of the line before it. */
async function writeStatement(file: string, rows: number): Promise<void> {
  const lines = function* () {
    yield 'Id,Date,Amount,Balance,Details\n'
    for (let n = 1; n <= rows; n += 1)
      yield `MP261128.${n % 10 === 0 ? n - 1 : n}.T,2026-11-28 14:05:09,12.50,${((n * 1250) / 100).toFixed(2)},Payment of 26377100${n % 1000} to shop ${n}\n`
  }
  await pipeline(Readable.from(lines()), createWriteStream(file))
}

/** Runs a command of the operator, and returns the largest resident memory of its process. */
async function runAdmin(dataDir: string, ...args: string[]): Promise<CommandResult> {
  const start = performance.now()
  const child = spawn(process.execPath, [...smallHeap, 'apps/server/src/admin/main.ts', ...args], {
    cwd: repository,
    env: { ...process.env, MURIPO_DATA: dataDir },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  let peakKb = 0
  const timer = setInterval(() => {
    try {
      const [, kb = '0'] =
        /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
      peakKb = Math.max(peakKb, Number(kb))
    } catch {
      // The process has ended.
    }
  }, POLL_MS)
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearInterval(timer)
  if (code !== 0) throw new Error(`${args.slice(0, 2).join(' ')} ended with ${code}`)
  return { seconds: (performance.now() - start) / 1000, peakMb: peakKb / 1000 }
}

export const drill = defineDrill({
  describe:
    'imports a statement of half a million lines, and measures the memory of the command in a small heap (Linux)',
  options: { rows: 500_000, most: 200 },
  async run({ rows, most }) {
    const isClean = await reportDrill('statements', async (directory) => {
      const [dataDir, definition] = [path.join(directory, 'data'), path.join(directory, 'source.json')]
      writeFileSync(definition, JSON.stringify(source))
      const gateway = await launch({ dataDir })
      try {
        await gateway.ready()
        for (const name of ['small', 'large'])
          await runAdmin(dataDir, 'statements', 'add-source', name, '--from', definition)
        const [small, large] = await Promise.all(
          [1, rows].map(async (count) => {
            const file = path.join(directory, `${count}.csv`)
            await writeStatement(file, count)
            return file
          }),
        )
        // The command itself, with all of its modules, and one line.
        const base = await runAdmin(dataDir, 'statements', 'import', small ?? '', '--source', 'small')
        logProgress(`importing ${rows} lines`)
        const { seconds, peakMb } = await runAdmin(
          dataDir,
          'statements',
          'import',
          large ?? '',
          '--source',
          'large',
        )
        return {
          figures: [
            ['lines', rows],
            ['seconds', seconds.toFixed(1)],
            ['peak memory of the command with one line, MB', base.peakMb.toFixed(0)],
            ['peak memory of the command with all lines, MB', peakMb.toFixed(0)],
          ],
          findings: [],
          problems: peakMb <= most ? [] : [`the command took ${peakMb.toFixed(0)} MB, more than ${most} MB`],
        }
      } finally {
        await gateway.stop()
      }
    })
    if (!isClean) process.exitCode = 1
  },
})
