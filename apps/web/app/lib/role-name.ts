import english from 'virtual:texts/roleNames/en'
import type { Role } from '@muripo/contract/permissions'
import type { roleNames } from '@muripo/locales/roles'
import { usePageText } from './page-text.ts'

/** Returns the name of a role in the page's language. */
export const useRoleName = (): ((role: Role) => string) => usePageText<typeof roleNames>(english)
