import { beforeEach, expect, test, vi } from 'vitest'
import { dashboardToast, TOAST_LIMIT, toast, toastErrorOnce, toastStore } from './toast.ts'

beforeEach(() => toastStore.clear())

test.each([
  ['[CONST-01] an error shows for 4 s', () => toast.error('Said'), 4000, 'alert'],
  ['[CONST-02] a blank one shows for 4 s', () => toast.blank('Said'), 4000, 'status'],
  ['[CONST-03] a success shows for 2 s', () => toast.success('Said'), 2000, 'status'],
  [
    '[CONST-05] a success in the dashboard shows for 2500 ms',
    () => dashboardToast.success('Said'),
    2500,
    'status',
  ],
  [
    '[CONST-06] an error in the dashboard shows for 3000 ms',
    () => dashboardToast.error('Said'),
    3000,
    'alert',
  ],
  ['one may say how long', () => toast.blank('Said', 10_000), 10_000, 'status'],
] as const)('%s', (_, show, autoClose, role) => {
  show()
  expect(toastStore.get()).toMatchObject([{ message: 'Said', autoClose, role }])
})

test('[CONST-04] at most 20 toasts are shown', () => expect(TOAST_LIMIT).toBe(20))

test('the same error of several parts of a page is shown once, and again after it has disappeared', () => {
  const messages = () => toastStore.get().map(({ message }) => message)
  for (const message of ['Network error', 'Something else', 'Network error']) toastErrorOnce(message)
  expect(messages()).toEqual(['Network error', 'Something else'])
  toastStore.remove(toastStore.get()[0]?.id ?? 0)
  toastErrorOnce('Network error')
  expect(messages()).toEqual(['Something else', 'Network error'])
})

test('an error leaves with its page, and everything else stays after a navigation', () => {
  vi.stubGlobal('location', { pathname: '/auth/signin' })
  toast.error('Wrong password')
  toast.sessionError('Signed out')
  toast.success('Signed in')
  toastStore.leave('/auth/signin')
  expect(toastStore.get()).toHaveLength(3)
  toastStore.leave('/app')
  expect(toastStore.get().map(({ message }) => message)).toEqual(['Signed out', 'Signed in'])
  vi.unstubAllGlobals()
})
