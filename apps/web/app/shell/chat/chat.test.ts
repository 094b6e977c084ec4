import { compiledTexts } from '@muripo/locales/catalogues'
import { translatorOf } from '@muripo/locales/translator'
import { expect, test } from 'vitest'
import { greeting, question, reply } from './chat.tsx'

const t = translatorOf(await compiledTexts('chat', 'en'))

test('[NAV-20] a message has a unique id, a sender, a text and a timestamp', () => {
  const all = [greeting(t), question('Is it free?'), reply(t)]
  for (const message of all) {
    expect(Object.keys(message ?? {}).sort()).toEqual(['id', 'message', 'sender', 'timestamp'])
    expect(message?.timestamp).toBeInstanceOf(Date)
    expect(message?.message).not.toBe('')
  }
  expect(all.map((message) => message?.sender)).toEqual(['support', 'user', 'support'])
  expect(new Set(all.map((message) => message?.id)).size).toBe(3)
})

test.each(['', '   ', '\n\t '])('[NAV-18] a blank message is not sent: %j', (text) => {
  expect(question(text)).toBeNull()
})

test('a message is trimmed', () => {
  expect(question('  two\nlines ')?.message).toBe('two\nlines')
})
