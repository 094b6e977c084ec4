import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import {
  expiredToken,
  freshTokens,
  memoryStorage,
  NOW,
  signedInStore,
  tokenOf,
  validToken,
} from '../../test/session.ts'
import { useSession } from './session.ts'
import { createSessionStore, decodeToken } from './store.ts'

const Status = () => createElement('output', null, useSession().status)

let warnings: MockInstance
beforeEach(() => {
  warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => warnings.mockClear())

describe('a token', () => {
  test('[SESS-02] contains id and exp', () =>
    expect(decodeToken(validToken)).toEqual({ id: 'mer_1', exp: NOW / 1000 + 60 }))
  test('is read with letters beyond ASCII', () =>
    expect(decodeToken(tokenOf({ id: 'Rūdo', exp: 1 }))?.id).toBe('Rūdo'))
  test.each(['', 'abc', 'a.b.c', 'a.%%.c', tokenOf(null), tokenOf({ id: 7, exp: 1 }), tokenOf({ id: 'x' })])(
    'that is malformed is null: %j',
    (text) => expect(decodeToken(text)).toBeNull(),
  )
})

describe('the session', () => {
  test('[SESS-05] [SESS-07] a stored token signs in, with the id from it', () => {
    expect(signedInStore().store.get()).toEqual({ status: 'authenticated', user: { id: 'mer_1' } })
  })
  test('[R-24] an expired stored token still counts as signed in', () => {
    expect(createSessionStore(memoryStorage({ authToken: expiredToken })).get().status).toBe('authenticated')
  })
  test('[SESS-38] a token that cannot be decoded is only logged', () => {
    expect(createSessionStore(memoryStorage({ authToken: 'broken' })).get()).toEqual({
      status: 'authenticated',
      user: null,
    })
    expect(warnings).toHaveBeenCalledTimes(1)
  })
  test('[SESS-01] [SESS-08] [SESS-09] login stores both tokens under their names', () => {
    const saved = memoryStorage({})
    const store = createSessionStore(saved)
    expect(store.get().status).toBe('unauthenticated')
    store.logIn(freshTokens)
    expect(saved.getItem('authToken')).toBe(freshTokens.authToken)
    expect(saved.getItem('refreshToken')).toBe(freshTokens.refreshToken)
    expect(store.get().status).toBe('authenticated')
  })
  test('[SESS-11] [SESS-12] logout removes both tokens, clears the user and is reported once', () => {
    const { store, signOuts } = signedInStore()
    store.logOut('signed-out')
    store.logOut('signed-out')
    expect(store.tokens()).toEqual({ authToken: null, refreshToken: null })
    expect(store.get()).toEqual({ status: 'unauthenticated' })
    expect(signOuts).toEqual(['signed-out'])
  })
  test('the session of another user, as after a page was restored by the browser, ends the first one', () => {
    const saved = memoryStorage({ authToken: validToken, refreshToken: validToken })
    const store = createSessionStore(saved)
    store.reload()
    saved.setItem('authToken', freshTokens.authToken)
    store.reload()
    expect([store.ended(), store.get()]).toEqual([0, { status: 'authenticated', user: { id: 'mer_1' } }])
    saved.setItem('authToken', tokenOf({ id: 'mer_2', exp: NOW }))
    store.reload()
    expect([store.ended(), store.get()]).toEqual([1, { status: 'authenticated', user: { id: 'mer_2' } }])
    store.logOut('signed-out')
    store.logIn(freshTokens)
    expect(store.ended()).toBe(2)
  })
  test('the session for another merchant in another tab ends the first one, and a refresh does not', () => {
    const of = (sid: string) => tokenOf({ id: 'mer_1', sid, exp: NOW })
    const saved = memoryStorage({ authToken: of('ses_1'), refreshToken: of('ses_1') })
    const store = createSessionStore(saved)
    const replaced = vi.fn()
    store.onReplaced(replaced)
    const isReplaced = store.watch()
    saved.setItem('authToken', tokenOf({ id: 'mer_1', sid: 'ses_1', exp: NOW + 1 }))
    store.reload()
    expect([isReplaced(), store.ended(), replaced.mock.calls.length]).toEqual([false, 0, 0])
    saved.setItem('authToken', 'broken')
    expect(isReplaced()).toBe(false)
    saved.setItem('authToken', of('ses_2'))
    expect(isReplaced()).toBe(true)
    store.reload()
    expect([isReplaced(), store.ended(), replaced.mock.calls.length]).toEqual([true, 1, 1])
    expect(store.watch()()).toBe(false)
  })

  test('a sign-out and a sign-in replace no session', () => {
    const { store } = signedInStore()
    const replaced = vi.fn()
    store.onReplaced(replaced)
    store.logOut('signed-out')
    store.logIn({ authToken: tokenOf({ id: 'mer_2', exp: NOW }), refreshToken: validToken })
    expect(replaced).not.toHaveBeenCalled()
  })

  test('[SESS-03] the user is {id} and nothing else', () => {
    expect(signedInStore().store.get()).toEqual({ status: 'authenticated', user: { id: 'mer_1' } })
  })
  test('[SESS-04] is loading on the server and in the first paint', () => {
    expect(renderToString(createElement(Status))).toBe('<output>loading</output>')
  })
  test.each(['signed-out', 'inactive'] as const)('notifies the other tabs that it is %s', (reason) => {
    const saved = memoryStorage({ authToken: validToken, refreshToken: validToken })
    const [here, elsewhere] = [createSessionStore(saved), createSessionStore(saved)]
    const received = vi.fn()
    elsewhere.onSignedOut(received)
    here.logOut(reason)
    elsewhere.reload()
    elsewhere.reload()
    expect(received.mock.calls).toEqual([[reason, false]])
    expect(elsewhere.get()).toEqual({ status: 'unauthenticated' })
  })
})
