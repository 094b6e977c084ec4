import { type Query, QueryCache, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { isRefetchedSilently, refetchSilently } from './refetch-silently.ts'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A query that is on the screen, and every state that the screen saw. */
function onScreen(queryFn: () => Promise<string>) {
  const onError = vi.fn()
  const cache = new QueryClient({ queryCache: new QueryCache({ onError }) })
  const seen: string[] = []
  const observer = new QueryObserver(cache, { queryKey: ['figures'], queryFn, retry: false })
  stops.push(
    observer.subscribe(({ data, isFetching, isError }) => {
      seen.push(`${data}${isFetching ? ' fetching' : ''}${isError ? ' failed' : ''}`)
    }),
  )
  return { cache, observer, seen, onError, data: () => cache.getQueryData(['figures']) }
}
const key = { queryKey: ['figures'] }

test('the fetched data is on the screen, and the fetch is known to be silent', async () => {
  const answers = ['old', 'new']
  const { cache, data, seen } = onScreen(async () => answers.shift() ?? '')
  await expect.poll(data).toBe('old')
  seen.length = 0
  const query = cache.getQueryCache().find(key) as Query
  expect(isRefetchedSilently(query)).toBe(false)
  await refetchSilently(cache, key)
  expect([seen, isRefetchedSilently(query)]).toEqual([['old fetching', 'new'], true])
})

test('a failure changes nothing on the screen, and shows no message', async () => {
  const { cache, data, seen, onError } = onScreen(
    vi.fn().mockResolvedValueOnce('old').mockRejectedValue(new Error('away')),
  )
  await expect.poll(data).toBe('old')
  seen.length = 0
  await refetchSilently(cache, key)
  expect(cache.getQueryState(['figures'])).toMatchObject({ status: 'success', error: null, data: 'old' })
  expect(seen.at(-1)).toBe('old')
  const [[, query] = []] = onError.mock.calls
  expect(isRefetchedSilently(query)).toBe(true)
})

test('a response in progress does not arrive afterwards', async () => {
  const answers: ((answer: string) => void)[] = []
  const { cache, data } = onScreen(() => new Promise((resolve) => answers.push(resolve)))
  await expect.poll(() => answers.length).toBe(1)
  const refetched = refetchSilently(cache, key)
  answers[0]?.('from before')
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.('from after')
  await refetched
  expect(data()).toBe('from after')
})

test('two updates during a slow answer cause one request after it, whose answer stays', async () => {
  const answers: ((answer: string) => void)[] = []
  const { cache, data } = onScreen(() => new Promise((resolve) => answers.push(resolve)))
  await expect.poll(() => answers.length).toBe(1)
  answers[0]?.('old')
  await expect.poll(data).toBe('old')
  const refetched = [refetchSilently(cache, key), refetchSilently(cache, key), refetchSilently(cache, key)]
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.('first')
  await expect.poll(() => answers.length).toBe(3)
  answers[2]?.('second')
  await Promise.all(refetched)
  expect([data(), answers.length]).toEqual(['second', 3])
})

test('data that is not on the screen is not fetched', async () => {
  const fetchData = vi.fn(async () => 'x')
  const { cache, data } = onScreen(fetchData)
  await expect.poll(data).toBe('x')
  for (const stop of stops.splice(0)) stop()
  await refetchSilently(cache, key)
  expect(fetchData).toHaveBeenCalledTimes(1)
})
