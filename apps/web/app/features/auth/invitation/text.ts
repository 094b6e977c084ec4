import english from 'virtual:texts/invitation/en'
import type { invitation } from '@muripo/locales/team'
import { usePageText } from '../../../lib/page-text.ts'

export const useInvitationText = () => usePageText<typeof invitation>(english)
