import type { waitingKinds } from '@muripo/contract/console'
import type { ConsolePermission } from '@muripo/contract/console-permissions'
import type { ComponentType } from 'react'
import { IconSun } from '../../components/icons.ts'
import type { ConsoleTitle } from './text.ts'

type WaitingKind = (typeof waitingKinds)[number]

export interface Entry {
  /** Below `/console`. The pages of single things have paths that begin with it. */
  readonly path: string
  readonly title: ConsoleTitle
  readonly needs: ConsolePermission
  readonly icon: ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: boolean }>
  /** The title of its group in the menu; the first group has none. */
  readonly group: 'consoleMoney' | 'consoleRunning' | null
  /** The work that waits on this page: the menu counts it, and Today leads here. */
  readonly waits: readonly WaitingKind[]
}

/** The pages in the menu, in its order. */
export const entries = {
  today: {
    path: '',
    title: 'consoleTodayPage',
    needs: 'console.today',
    icon: IconSun,
    group: null,
    waits: [],
  },
} as const satisfies Readonly<Record<string, Entry>>

export const menu: readonly Entry[] = Object.values(entries)

export const addressOf = ({ path }: Pick<Entry, 'path'>): string =>
  path === '' ? '/console' : `/console/${path}`

/** The entry of a kind of waiting work, where there is a page for it. */
export const entryOf = (kind: WaitingKind): Entry | undefined =>
  menu.find(({ waits }) => waits.includes(kind))
