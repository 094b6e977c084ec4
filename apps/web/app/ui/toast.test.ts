import { notifications } from '@mantine/notifications'
import { beforeEach, expect, test, vi } from 'vitest'
import { dashboardToast, TOAST_LIMIT, toast } from './toast.ts'

vi.mock('@mantine/notifications', () => ({ notifications: { show: vi.fn() } }))
beforeEach(() => vi.mocked(notifications.show).mockClear())

const shown = () => vi.mocked(notifications.show).mock.calls[0]?.[0]

test.each([
  ['[CONST-01] an error shows for 4 s', () => toast.error('E'), 4000, 'alert'],
  ['[CONST-02] a blank one shows for 4 s', () => toast.blank('B'), 4000, 'status'],
  ['[CONST-03] a success shows for 2 s', () => toast.success('S'), 2000, 'status'],
  [
    '[CONST-05] a success in the dashboard shows for 2500 ms',
    () => dashboardToast.success('S'),
    2500,
    'status',
  ],
  ['[CONST-06] an error in the dashboard shows for 3000 ms', () => dashboardToast.error('E'), 3000, 'alert'],
  ['one may say how long', () => toast.blank('B', 10_000), 10_000, 'status'],
] as const)('%s', (_, say, autoClose, role) => {
  say()
  expect(shown()).toMatchObject({ autoClose, role })
})

test('[CONST-04] at most 20 show', () => expect(TOAST_LIMIT).toBe(20))
