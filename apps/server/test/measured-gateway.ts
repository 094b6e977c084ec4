import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import { createGateway } from '../src/gateway.ts'
import { parseGatewayConfig } from '../src/gateway-config.ts'
import { createLog } from '../src/platform/log.ts'
import { testDatabase } from './test-database.ts'
import { tinyWeb } from './tiny-web.ts'

/** A series of a scrape. */
export interface Series {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** A whole gateway with a port for metrics, until the last test of the file has run. */
export async function measuredGateway() {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'muripo-metrics-'))
  const web = await tinyWeb()
  const { url } = await testDatabase()
  const config = parseGatewayConfig({
    MURIPO_DATA: dataDir,
    PUBLIC_URL: 'http://gateway.test',
    PASSWORD_MEMORY_MIB: '7',
    METRICS_PORT: '0',
  })
  const gateway = await createGateway(config, createLog('silent'), url, async () => web.dir)
  const port = await gateway.metricsServer?.listen(0, config.metricsHost)
  afterAll(async () => {
    await gateway.stop()
    await web.remove()
    await rm(dataDir, { recursive: true })
  })
  const address = `http://${config.metricsHost}:${port}`
  const scrape = async (): Promise<string> => (await fetch(`${address}/metrics`)).text()
  return { app: gateway.app, address, databaseUrl: url, scrape }
}

const seriesForm = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/

/** The series of the text format. */
export const seriesIn = (text: string): Series[] =>
  text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = seriesForm.exec(line) ?? []
    if (name === undefined || line.startsWith('#')) return []
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, of]) => [label, of])
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }]
  })

/** The names of all metrics, those without a value too. */
export const metricsIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name))
