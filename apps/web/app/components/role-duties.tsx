import english from 'virtual:texts/roles/en'
import type { GrantedRole } from '@muripo/contract/team'
import type { roles } from '@muripo/locales/roles'
import { usePageText } from '../lib/page-text.ts'
import { IconCheck, IconMinus } from './icons.ts'
import styles from './role-duties.module.css'
import { font, grid } from './ui/classes.ts'

type RoleText = keyof typeof roles

/** The texts of each role: its sentence, what it may do and what it may not. */
const duties = {
  admin: { about: 'adminAbout', may: ['adminMay', 'adminMayToo'], mayNot: ['adminMayNot'] },
  developer: {
    about: 'developerAbout',
    may: ['developerMay', 'developerMayToo'],
    mayNot: ['developerMayNot', 'developerMayNotEither'],
  },
  finance: { about: 'financeAbout', may: ['financeMay', 'financeMayToo'], mayNot: ['financeMayNot'] },
  support: {
    about: 'supportAbout',
    may: ['supportMay', 'supportMayToo'],
    mayNot: ['supportMayNot', 'supportMayNotEither'],
  },
  cashier: {
    about: 'cashierAbout',
    may: ['cashierMay', 'cashierMayToo'],
    mayNot: ['cashierMayNot', 'cashierMayNotEither'],
  },
  viewer: { about: 'viewerAbout', may: ['viewerMay', 'viewerMayToo'], mayNot: ['viewerMayNot'] },
} as const satisfies Readonly<
  Record<GrantedRole, { about: RoleText; may: readonly RoleText[]; mayNot: readonly RoleText[] }>
>

/** Returns the sentence of a role. */
export function useRoleAbout(): (role: GrantedRole) => string {
  const t = usePageText<typeof roles>(english)
  return (role) => t(duties[role].about)
}

/** The duties of a role, and in grey the acts that it may not do. */
export function RoleDuties({ role }: { readonly role: GrantedRole }) {
  const t = usePageText<typeof roles>(english)
  const { may, mayNot } = duties[role]
  return (
    <ul className={`${styles.duties} ${grid('gap6', 'list')} ${font('sm')}`}>
      {may.map((key) => (
        <li key={key}>
          <IconCheck size={16} stroke={1.75} aria-hidden />
          {t(key)}
        </li>
      ))}
      {mayNot.map((key) => (
        <li key={key} className={font('quiet')}>
          <IconMinus size={16} stroke={1.75} aria-hidden />
          {t(key)}
        </li>
      ))}
    </ul>
  )
}
