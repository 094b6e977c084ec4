import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../api/query-client.ts'
import { paths } from '../../lib/paths.ts'
import { firstCalls, startPageQueries } from './page-queries.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  [paths.dashboard, {}],
  [paths.payments, {}],
  [paths.applications, {}],
  [paths.application('app_1'), { applicationId: 'app_1' }],
  [paths.settings, {}],
  [paths.reconciliations, {}],
])('the document of %s sends the calls of its queries', async (path, params) => {
  const sent: string[] = []
  vi.stubGlobal('fetch', async (address: string) => {
    sent.push(address)
    return Response.json({})
  })
  const client = createQueryClient(() => {})
  startPageQueries(client, new URL(path, 'https://gateway.example'), params)
  await vi.waitFor(() => expect(sent.toSorted()).toEqual(firstCalls(path, params).toSorted()))
  client.clear()
})
