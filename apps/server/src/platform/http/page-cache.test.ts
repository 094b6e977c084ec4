import { expect, test } from 'vitest'
import { createPageCache, withNonce } from './page-cache.ts'

/** A cache of 1000 characters, and the keys of the pages that it rendered. */
function setUp() {
  const cache = createPageCache(1000)
  const renders: string[] = []
  const get = (key: string, characters = 400, status = 200) =>
    cache.get(key, async (nonce) => {
      renders.push(key)
      return new Response(`${nonce}${key.repeat(characters)}${nonce}`, { status })
    })
  return { get, renders }
}

test('a page is rendered once, and each reader has a nonce of its own', async () => {
  const { get, renders } = setUp()
  const [one, other] = await Promise.all([get('a', 1), get('a', 1)])
  expect(renders).toEqual(['a'])
  expect(withNonce(one, '7')).toBe('7a7')
  expect(withNonce(other, '8')).toBe('8a8')
})

test('the oldest pages beyond the limit of characters are rendered again', async () => {
  const { get, renders } = setUp()
  for (const key of ['a', 'b', 'c']) await get(key)
  await get('b')
  await get('c')
  expect(renders).toEqual(['a', 'b', 'c'])
  await get('a')
  expect(renders).toEqual(['a', 'b', 'c', 'a'])
})

test('errors of the server and a page that is larger than the cache are not cached, and evict nothing later', async () => {
  const { get, renders } = setUp()
  await get('e', 400, 500)
  await get('e', 400, 500)
  await get('l', 2000)
  await get('l', 2000)
  await get('a')
  await get('b')
  await get('a')
  expect(renders).toEqual(['e', 'e', 'l', 'l', 'a', 'b'])
})
