import { expect, test } from 'vitest'
import { createStorage, type KeyValue } from './storage.ts'

const refuse = () => {
  throw new DOMException('The operation is insecure', 'SecurityError')
}

function browserStorage() {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

test('a storage that cannot be opened is replaced by memory', () => {
  const storage = createStorage(refuse)
  expect(storage.getItem('authToken')).toBeNull()
  storage.setItem('authToken', 'a')
  expect(storage.getItem('authToken')).toBe('a')
  storage.removeItem('authToken')
  expect(storage.getItem('authToken')).toBeNull()
})

test('a value that a full storage refuses is read from memory, the others from the storage', () => {
  const browser: KeyValue = browserStorage()
  browser.setItem('old', '1')
  browser.setItem('other', '2')
  const storage = createStorage(() => ({ ...browser, setItem: refuse }))
  storage.setItem('old', '3')
  expect([storage.getItem('old'), storage.getItem('other')]).toEqual(['3', '2'])
})

test('the storage is used again once it accepts a value', () => {
  const browser = browserStorage()
  let isFull = true
  const storage = createStorage(() => (isFull ? { ...browser, setItem: refuse } : browser))
  storage.setItem('key', 'first')
  isFull = false
  storage.setItem('key', 'second')
  browser.setItem('key', 'of another tab')
  expect(storage.getItem('key')).toBe('of another tab')
})
