import { QueryCache, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { refetchSilently } from './refetch-silently.ts'

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

test('the fetched data is on the screen, and no spinner was shown', async () => {
  const answers = ['old', 'new']
  const { cache, data, seen } = onScreen(async () => answers.shift() ?? '')
  await expect.poll(data).toBe('old')
  seen.length = 0
  await refetchSilently(cache, key)
  expect(seen).toEqual(['new'])
})

test('a failure changes nothing on the screen, and shows no message', async () => {
  const { cache, data, seen, onError } = onScreen(
    vi.fn().mockResolvedValueOnce('old').mockRejectedValue(new Error('away')),
  )
  await expect.poll(data).toBe('old')
  seen.length = 0
  await refetchSilently(cache, key)
  expect([seen, onError.mock.calls]).toEqual([[], []])
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

test('data that is not on the screen is not fetched', async () => {
  const fetchData = vi.fn(async () => 'x')
  const { cache, data } = onScreen(fetchData)
  await expect.poll(data).toBe('x')
  for (const stop of stops.splice(0)) stop()
  await refetchSilently(cache, key)
  expect(fetchData).toHaveBeenCalledTimes(1)
})
