import { paths } from '../paths.ts'
import type { Session } from './store.ts'

/** Where somebody goes who is signed in no more: home, and who wanted to be signed out everywhere is about to sign in again. */
export const wayOut = (session: Session): string =>
  session.status === 'unauthenticated' && session.everywhere ? paths.signIn : paths.home
