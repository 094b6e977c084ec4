import { expect, test, vi } from 'vitest'
import { askBy, confirmPerson } from './step-up.ts'

test('calls at the same time have one question, and later ones another', async () => {
  const ask = vi.fn(async () => true)
  const stop = askBy(ask)
  expect(await Promise.all([confirmPerson(), confirmPerson()])).toEqual([true, true])
  expect(ask).toHaveBeenCalledOnce()
  await confirmPerson()
  expect(ask).toHaveBeenCalledTimes(2)
  stop()
})

test('nobody is asked where nothing shows the question', async () => {
  expect(await confirmPerson()).toBe(false)
})
