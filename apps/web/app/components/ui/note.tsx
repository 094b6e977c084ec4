import type { ReactNode } from 'react'
import { IconAlertTriangle } from '../icons.ts'
import { notice } from './classes.ts'
import styles from './note.module.css'

/** A prominent warning. */
export const Note = ({ children }: { readonly children: ReactNode }) => (
  <div className={`${styles.note} ${notice('above16')}`}>
    <IconAlertTriangle size={20} stroke={1.75} aria-hidden />
    <p>{children}</p>
  </div>
)
